/** The suite of all wires over Azure OpenAI, at both forms of its address. */
import { AzureOpenAI } from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/service/provider-types/provider-types.ts'
import { azure } from '../../src/service/families/azure/upstream/azure.ts'
import { readRefusal } from '../../src/service/families/azure/upstream/refusal.ts'
import { azureFormat } from './azure/fake.ts'
import { describeProvider } from './describe-provider.ts'
import {
  answerOf,
  jsonReply,
  presetsOf,
  type DocumentedError,
  type FakeFormat,
  type WireHarness,
} from './harness.ts'
import { openAiDiffers, readingOf } from './openai-chat/harness-parts.ts'
import { createAdapter, readStreamed, readWhole } from './read-answer.ts'
import { startWireServer } from './wire-server.ts'

const source = 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter'

function documented(
  kind: DocumentedError['kind'],
  status: number,
  error: Readonly<Record<string, unknown>> & { code: string },
): DocumentedError {
  return { name: `${status} ${error.code}`, source, reply: jsonReply(status, { error }), kind }
}

const filtered = {
  message: 'The response was filtered due to the prompt triggering Azure OpenAI’s policy.',
  type: null,
  param: 'prompt',
  code: 'content_filter',
  status: 400,
  innererror: {
    code: 'ResponsibleAIPolicyViolation',
    content_filter_result: { jailbreak: { filtered: true, detected: true } },
  },
}

const errors: readonly DocumentedError[] = [
  documented('request', 400, filtered),
  documented('request', 400, {
    code: 'context_length_exceeded',
    message: 'Too long',
    param: 'messages',
  }),
  documented('unavailable', 400, {
    code: 'OperationNotSupported',
    message: 'The chatCompletion operation does not work with the model.',
  }),
  documented('auth', 401, {
    code: '401',
    message: 'Access denied due to invalid subscription key or wrong API endpoint.',
  }),
  documented('auth', 403, {
    code: '403',
    message: 'Access denied due to Virtual Network/Firewall rules.',
  }),
  documented('unavailable', 404, {
    code: 'DeploymentNotFound',
    message: 'The API deployment for this resource does not exist.',
  }),
  documented('unavailable', 404, { code: '404', message: 'Resource not found' }),
  documented('credit', 429, {
    code: 'insufficient_quota',
    message: 'You exceeded your current quota.',
  }),
  documented('unavailable', 500, {
    code: 'InternalServerError',
    message: 'Backend returned unexpected response.',
  }),
]

const tooMany = (message: string) => jsonReply(429, { error: { code: '429', message } })

const client = (endpoint: string) =>
  new AzureOpenAI({
    endpoint: new URL(endpoint).origin,
    apiKey: 'azure-test-key',
    apiVersion: '2024-10-21',
    deployment: 'chat',
    maxRetries: 0,
  })
const question = {
  model: 'chat',
  messages: [{ role: 'user' as const, content: 'Hello' }],
}

const harness: WireHarness = {
  wire: azure,
  presets: presetsOf('azure'),
  basePath: '/openai/v1',
  format: azureFormat,
  create: (connection) =>
    createProvider('azure', { ...connection, localModel: azure.create(connection) }),
  differs: openAiDiffers,
  unreported: [],
  stops: [
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['brand_new_reason', 'brand_new_reason'],
  ],
  errors,
  retryAfter: [
    { name: 'a sentence', reply: tooMany('Please retry after 7 seconds.'), retryAfterMs: 7_000 },
    { name: 'one second', reply: tooMany('Please retry after 1 second.'), retryAfterMs: 1_000 },
    { name: 'milliseconds', reply: tooMany('Retry after 250 milliseconds.'), retryAfterMs: 250 },
  ],
  streamErrors: [
    {
      name: 'a server error',
      event: Buffer.from('data: {"error":{"message":"Overloaded","code":"500"}}\n\n'),
      kind: 'unavailable',
    },
  ],
  optionalEvents: 2,
  sdk: {
    async whole(url) {
      return readingOf(await client(url).chat.completions.create(question))
    },
    async streamed(url) {
      return readingOf(await client(url).chat.completions.stream(question).finalChatCompletion())
    },
  },
}

describeProvider('azure', harness)

test('a refusal by the content filter keeps its code and its field', () => {
  const { vendor } = readRefusal(400, JSON.stringify({ error: filtered }), {})

  expect(vendor).toEqual({ type: null, code: 'content_filter', param: 'prompt' })
})

describeProvider('azure (deployment in the address)', {
  ...harness,
  basePath: '/openai/deployments/ignored',
  options: { 'api-version': '2024-10-21' },
})

async function start(
  options: Readonly<Record<string, string>>,
  apiKey: string,
  format: FakeFormat = azureFormat,
) {
  const server = await startWireServer(format)
  onTestFinished(() => server.close())
  server.script({ answer: answerOf({ texts: ['Hi'] }) })
  const create: WireHarness['create'] = (given) => azure.create({ ...given, apiKey: () => apiKey })
  const provider = createAdapter({ wire: azure, basePath: '', options, create }, server.origin)
  onTestFinished(() => provider.close())
  return { server, wire: { provider, model: 'chat' } }
}

test('a key is sent as api-key, and an Entra ID token as a bearer token', async () => {
  const withKey = await start({}, '0123456789abcdef0123456789abcdef')
  const withToken = await start({}, 'eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.c2ln')
  await readWhole(withKey.wire)
  await readStreamed(withToken.wire)

  expect(withKey.server.requests[0]?.headers).toMatchObject({
    'api-key': '0123456789abcdef0123456789abcdef',
  })
  expect(withKey.server.requests[0]?.headers.authorization).toBeUndefined()
  expect(withToken.server.requests[0]?.headers['api-key']).toBeUndefined()
  expect(withToken.server.requests[0]?.headers.authorization).toMatch(/^Bearer eyJ/)
})

test('the option api-version sends the deployment in the address', async () => {
  const { server, wire } = await start({ 'api-version': '2025-01-01-preview' }, 'key')
  await readWhole(wire)

  expect(server.requests[0]?.path).toBe(
    '/openai/deployments/chat/chat/completions?api-version=2025-01-01-preview',
  )
})

test('a resource that does not list deployments is tested by its list of models', async () => {
  const missing = jsonReply(404, { error: { code: '404', message: 'Resource not found' } })
  const format: FakeFormat = {
    ...azureFormat,
    route: () => 'models',
    models: (_names, { path }) =>
      path === '/openai/v1/models' ? jsonReply(200, { data: [{ id: 'gpt-5' }] }) : missing,
  }
  const { server, wire } = await start({}, 'key', format)

  expect(await wire.provider.listModels(new AbortController().signal)).toEqual([])
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/openai/deployments?api-version=2023-03-15-preview',
    '/openai/v1/models',
  ])
})
