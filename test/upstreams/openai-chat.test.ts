/** The suite of all wires over OpenAI's chat form. */
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { openAiChat } from '../../src/service/families/openai-chat/openai-chat.ts'
import { createProvider } from '../../src/service/provider-types/provider-types.ts'
import { seeded } from '../agents/random.ts'
import { describeProvider } from './describe-provider.ts'
import {
  answerOf,
  jsonReply,
  presetsOf,
  type DocumentedError,
  type WireHarness,
} from './harness.ts'
import { openAiFormat } from './openai-chat/fake.ts'
import { openAiDiffers, readingOf } from './openai-chat/harness-parts.ts'
import { randomRequest } from './random-conversation.ts'
import { createAdapter, readStreamed, readWhole } from './read-answer.ts'
import { startWireServer } from './wire-server.ts'

const openAiErrors = 'https://platform.openai.com/docs/guides/error-codes'

function documented(
  name: string,
  status: number,
  error: Readonly<Record<string, unknown>>,
): Pick<DocumentedError, 'name' | 'source' | 'reply'> {
  return { name, source: openAiErrors, reply: jsonReply(status, { error }) }
}

const errors: readonly DocumentedError[] = [
  {
    ...documented('an invalid request', 400, {
      message: 'Invalid value',
      type: 'invalid_request_error',
      param: 'temperature',
      code: null,
    }),
    kind: 'request',
  },
  {
    ...documented('a prompt that is too long', 400, {
      message: 'This model has a maximum context length of 128000 tokens.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    }),
    kind: 'request',
  },
  {
    ...documented('an incorrect key', 401, {
      message: 'Incorrect API key provided',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    }),
    kind: 'auth',
  },
  {
    ...documented('a country that is not served', 403, {
      message: 'Country, region, or territory not supported',
      type: 'request_forbidden',
      param: null,
      code: 'unsupported_country_region_territory',
    }),
    kind: 'auth',
  },
  {
    ...documented('an unknown model', 404, {
      message: 'The model does not exist',
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    }),
    kind: 'unavailable',
  },
  {
    ...documented('an exceeded quota', 429, {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      param: null,
      code: 'insufficient_quota',
    }),
    kind: 'credit',
  },
  {
    ...documented('an error of the server', 500, {
      message: 'The server had an error while processing your request',
      type: 'server_error',
      param: null,
      code: null,
    }),
    kind: 'unavailable',
  },
  {
    ...documented('an overloaded engine', 503, {
      message: 'The engine is currently overloaded, please try again later',
      type: 'server_error',
      param: null,
      code: null,
    }),
    kind: 'unavailable',
  },
]

const client = (baseURL: string) => new OpenAI({ baseURL, apiKey: 'sk-test', maxRetries: 0 })
const question = {
  model: 'some-model',
  messages: [{ role: 'user' as const, content: 'Hello' }],
}

const harness: WireHarness = {
  wire: openAiChat,
  presets: presetsOf('openai-chat', 'openai'),
  basePath: '/v1',
  format: openAiFormat,
  create: (connection) =>
    createProvider('openai', { ...connection, localModel: openAiChat.create(connection) }),
  differs: openAiDiffers,
  unreported: [],
  stops: [
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['model_length', 'length'],
    ['sensitive', 'content_filter'],
    ['brand_new_reason', 'brand_new_reason'],
  ],
  errors,
  retryAfter: [],
  streamErrors: [
    {
      name: 'a server error',
      event: Buffer.from('data: {"error":{"message":"Overloaded","code":500}}\n\n'),
      kind: 'unavailable',
    },
    {
      name: 'the finish reason "error"',
      event: Buffer.from('data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\n'),
      kind: 'unavailable',
    },
    {
      name: 'text that is not JSON',
      event: Buffer.from('data: {"choi\n\n'),
      kind: 'invalid_response',
    },
  ],
  optionalEvents: 2,
  hasOwnReader: true,
  sdk: {
    async whole(url) {
      return readingOf(await client(url).chat.completions.create(question))
    },
    async streamed(url) {
      return readingOf(await client(url).chat.completions.stream(question).finalChatCompletion())
    },
  },
}

describeProvider('openai-chat', harness)

test('500 random bodies arrive byte for byte, but for the model and the stream’s fields', async () => {
  const server = await startWireServer(openAiFormat)
  const provider = createAdapter({ wire: openAiChat, basePath: '/v1' }, server.origin)
  server.script({ answer: answerOf({ texts: ['Hi'] }) })
  const bodies = Array.from({ length: 500 }, (_, index) =>
    randomRequest({ chance: seeded(index), carries: () => true, reasoning: null }, `#${index}#`),
  )

  for (const body of bodies) {
    await readWhole({ provider, model: 'm' }, { body: { ...body, model: 'auto' } })
    await readStreamed({ provider, model: 'm' }, { body: { ...body, model: 'auto' } })
  }
  await provider.close()
  await server.close()

  expect(server.requests.map(({ text }) => text)).toEqual(
    bodies.flatMap((body) => [
      JSON.stringify({ ...body, model: 'm', stream: false }),
      JSON.stringify({
        ...body,
        model: 'm',
        stream: true,
        stream_options: { include_usage: true },
      }),
    ]),
  )
})
