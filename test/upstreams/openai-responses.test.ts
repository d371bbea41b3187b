/** The suite of all wires over OpenAI's Responses API. */
import OpenAI from 'openai'
import { wires } from '../../src/service/families/upstreams.ts'
import { describeProvider } from './describe-provider.ts'
import { jsonReply, type WireHarness } from './harness.ts'
import { responsesFormat } from './openai-responses/fake.ts'

const client = (baseURL: string) => new OpenAI({ baseURL, apiKey: 'sk-test', maxRetries: 0 })
const question = { model: 'some-model', input: 'Hello' }

function readingOf({ output, output_text }: OpenAI.Responses.Response) {
  const toolCalls = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ name: item.name, input: JSON.parse(item.arguments) as unknown }]
      : [],
  )
  return { text: output_text, toolCalls }
}

const source = 'https://platform.openai.com/docs/guides/error-codes'
const failed = (code: string) =>
  Buffer.from(
    `event: response.failed\ndata: ${JSON.stringify({
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error: { code, message: 'It failed.' } },
    })}\n\n`,
  )

const harness: WireHarness = {
  wire: wires['openai-responses'],
  presets: [],
  basePath: '/v1',
  format: responsesFormat,
  differs: {
    'a failed tool result': 'left_out',
    'a reasoning budget': 'left_out',
    'stop sequences': 'left_out',
    penalties: 'left_out',
    'a seed': 'need',
    'several answers': 'need',
    'a logit bias': 'left_out',
    'audio input': 'need',
    'cache marks': 'left_out',
  },
  unreported: [],
  stops: [
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['steered', 'steered'],
  ],
  errors: [
    {
      name: 'an unsupported parameter',
      source,
      reply: jsonReply(400, {
        error: {
          message: 'Unsupported parameter',
          type: 'invalid_request_error',
          param: 'temperature',
          code: 'unsupported_parameter',
        },
      }),
      kind: 'request',
    },
    {
      name: 'an incorrect key',
      source,
      reply: jsonReply(401, {
        error: {
          message: 'Incorrect API key',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      }),
      kind: 'auth',
    },
    {
      name: 'an exceeded quota',
      source,
      reply: jsonReply(429, {
        error: { message: 'Quota', type: 'insufficient_quota', code: 'insufficient_quota' },
      }),
      kind: 'credit',
    },
  ],
  reasoning: { format: 'openai-responses-v1', types: ['reasoning.encrypted'] },
  retryAfter: [],
  streamErrors: [
    { name: 'a server error', event: failed('server_error'), kind: 'unavailable' },
    { name: 'a rate limit', event: failed('rate_limit_exceeded'), kind: 'rate_limit' },
    { name: 'a prompt that the vendor refuses', event: failed('invalid_prompt'), kind: 'request' },
    {
      name: 'an error event',
      event: Buffer.from(
        'event: error\ndata: {"type":"error","code":"server_error","message":"It failed."}\n\n',
      ),
      kind: 'unavailable',
    },
  ],
  optionalEvents: 0,
  sdk: {
    async whole(url) {
      return readingOf(await client(url).responses.create(question))
    },
    async streamed(url) {
      return readingOf(await client(url).responses.stream(question).finalResponse())
    },
  },
}

describeProvider('openai-responses', harness)
