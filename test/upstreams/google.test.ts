/** The suite of all wires over Google's Gemini API. */
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import { google } from '../../src/service/families/google/upstream/google.ts'
import { describeProvider } from './describe-provider.ts'
import { geminiFormat, readingOf, withUserText } from './google/fake.ts'
import {
  jsonReply,
  presetsOf,
  type DocumentedError,
  type FakeReply,
  type WireHarness,
} from './harness.ts'

const troubleshooting = 'https://ai.google.dev/gemini-api/docs/troubleshooting'

interface GoogleError {
  code: number
  message: string
  status: string
  details?: readonly object[]
}

function replyWith(error: GoogleError): FakeReply {
  return jsonReply(error.code, { error })
}

function documented(
  name: string,
  kind: DocumentedError['kind'],
  error: GoogleError,
): DocumentedError {
  return { name, kind, source: troubleshooting, reply: replyWith(error) }
}

function reasonOf(reason: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }
}

const errors: readonly DocumentedError[] = [
  documented('an invalid request', 'request', {
    code: 400,
    message: 'Thinking level MINIMAL is not supported for this model.',
    status: 'INVALID_ARGUMENT',
  }),
  documented('a prompt that is too long', 'request', {
    code: 400,
    message:
      'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
    status: 'INVALID_ARGUMENT',
  }),
  documented('an invalid key', 'auth', {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [reasonOf('API_KEY_INVALID')],
  }),
  documented('a country without the free tier', 'credit', {
    code: 400,
    message:
      'Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.',
    status: 'FAILED_PRECONDITION',
  }),
  documented('a country that is not served', 'auth', {
    code: 400,
    message: 'User location is not supported for the API use.',
    status: 'FAILED_PRECONDITION',
  }),
  documented('a project without the API', 'auth', {
    code: 403,
    message: 'Generative Language API has not been used in project 1 before or it is disabled.',
    status: 'PERMISSION_DENIED',
    details: [reasonOf('SERVICE_DISABLED')],
  }),
  documented('a leaked key', 'auth', {
    code: 403,
    message: 'Your API key was reported as leaked. Please use another API key.',
    status: 'PERMISSION_DENIED',
  }),
  documented('a project without billing', 'credit', {
    code: 403,
    message: 'This API method requires billing to be enabled.',
    status: 'PERMISSION_DENIED',
    details: [reasonOf('BILLING_DISABLED')],
  }),
  documented('an unknown model', 'unavailable', {
    code: 404,
    message:
      'models/gemini-0 is not found for API version v1beta, or is not supported for generateContent.',
    status: 'NOT_FOUND',
  }),
  documented('used up prepayment', 'credit', {
    code: 429,
    message: 'Your prepayment credits are depleted.',
    status: 'RESOURCE_EXHAUSTED',
  }),
  documented('an internal error', 'unavailable', {
    code: 500,
    message: 'An internal error has occurred.',
    status: 'INTERNAL',
  }),
  documented('an overloaded model', 'unavailable', {
    code: 503,
    message: 'The model is overloaded. Please try again later.',
    status: 'UNAVAILABLE',
  }),
  documented('a deadline', 'timeout', {
    code: 504,
    message: 'Deadline expired before operation could complete.',
    status: 'DEADLINE_EXCEEDED',
  }),
]

function exhausted(details: readonly object[]): FakeReply {
  const message = 'You exceeded your current quota, please check your plan and billing details.'
  return replyWith({ code: 429, message, status: 'RESOURCE_EXHAUSTED', details })
}

const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
})
const retryIn = (retryDelay: string) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
})

const clientOf = (url: string) =>
  new GoogleGenAI({
    apiKey: 'AIza-test',
    httpOptions: { baseUrl: url.replace(/\/v1beta$/, ''), apiVersion: 'v1beta' },
  })
const question = { model: 'some-model', contents: 'Hello' }

const harness: WireHarness = {
  wire: google,
  presets: presetsOf('google'),
  basePath: '/v1beta',
  model: 'gemini-3.5-flash',
  format: geminiFormat(({ headers }) =>
    headers['x-goog-api-key'] === undefined ? 'the key is missing' : null,
  ),
  differs: {
    'system prompts in several places': (meaning) => ({
      ...meaning,
      items: withUserText(meaning.items),
    }),
    'an automatic choice of tools': (meaning) => ({ ...meaning, toolChoice: null }),
    'one tool call at a time': 'left_out',
    'a logit bias': 'left_out',
    'cache marks': 'left_out',
    'a user': 'left_out',
  },
  reasoning: { format: 'google-gemini-v1', types: ['reasoning.text'] },
  unreported: ['cacheWriteTokens'],
  stops: [
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
    ['IMAGE_RECITATION', 'content_filter'],
    ['OTHER', 'OTHER'],
    ['LANGUAGE', 'LANGUAGE'],
    ['MALFORMED_FUNCTION_CALL', 'MALFORMED_FUNCTION_CALL'],
    ['UNEXPECTED_TOOL_CALL', 'UNEXPECTED_TOOL_CALL'],
    ['BRAND_NEW_REASON', 'BRAND_NEW_REASON'],
  ],
  errors,
  retryAfter: [
    {
      name: 'a quota of a minute',
      reply: exhausted([
        quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
        retryIn('34.4s'),
      ]),
      retryAfterMs: 34_400,
    },
    {
      name: 'a quota of a day, whose delay is too short',
      reply: exhausted([quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), retryIn('9s')]),
      retryAfterMs: 3_600_000,
    },
    {
      name: 'a delay that is no duration',
      reply: exhausted([retryIn('soon')]),
      retryAfterMs: null,
    },
  ],
  streamErrors: [
    {
      name: 'an overloaded model',
      event: Buffer.from(
        'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\n\n',
      ),
      kind: 'unavailable',
    },
    {
      name: 'text that is not JSON',
      event: Buffer.from('data: {"candi\n\n'),
      kind: 'invalid_response',
    },
  ],
  optionalEvents: 0,
  hasOwnReader: true,
  sdk: {
    async whole(url) {
      return readingOf([await clientOf(url).models.generateContent(question)])
    },
    async streamed(url) {
      const responses: GenerateContentResponse[] = []
      for await (const response of await clientOf(url).models.generateContentStream(question)) {
        responses.push(response)
      }
      return readingOf(responses)
    },
  },
}

describeProvider('google', harness)
