import { expect, onTestFinished, test } from 'vitest'
import {
  sampleApiKey,
  sampleDetail,
  sampleProvider,
  sampleRouter,
} from '../../../../test/storage/samples.ts'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { Router } from '../../../shared/entities.ts'
import { settings, type SettingName, type Settings } from '../../../shared/app/settings.ts'
import { parseExact } from '../../exact-json.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import type { StoredApiKey, StoredProvider } from '../../storage/storage.ts'
import {
  ResponseCache,
  type AnswerCopies,
  type CachedAnswer,
  type CacheQuestion,
} from './response-cache.ts'

const body: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }], temperature: 0 }
const answer: CachedAnswer = {
  requestId: 'request-1',
  model: 'openai:gpt-5',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello.', refusal: null },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  decision: sampleDetail().decision,
}

interface Configured {
  router?: Partial<Router>
  apiKey?: Partial<StoredApiKey>
  provider?: Partial<StoredProvider>
}

/** A configuration as storage reads it: new objects each time. */
function configurationOf({ router, apiKey, provider }: Configured): ConfigurationIndex {
  const read = sampleRouter({ id: 'router_a', cacheTtlSeconds: 60, ...router })
  const defaults = Object.entries(settings).map(([name, { default: preset }]) => [name, preset])
  return {
    version: 1,
    providers: new Map([['openai', sampleProvider(provider)]]),
    models: new Map(),
    listedModels: {},
    datedPrices: [],
    routers: new Map([['router_a', read]]),
    apiKeys: new Map([
      ['key_a', sampleApiKey({ id: 'key_a', ...apiKey })],
      ['key_b', sampleApiKey({ id: 'key_b' })],
    ]),
    apiKeysBySha256: new Map(),
    keyRotations: new Map(),
    agents: new Map(),
    // Each default has its setting's type, which `Object.entries` loses.
    settings: Object.fromEntries(defaults) as Record<SettingName, unknown> as Settings,
    sessionPins: new Map(),
  }
}

function openCache(copies: AnswerCopies | null = null) {
  const state = { ms: 0, configuration: configurationOf({}) }
  const cache = new ResponseCache({
    configuration: () => state.configuration,
    candidatesOf: ({ models }) =>
      models.map((modelId, position) => candidate({ modelId, position })),
    copies,
    now: () => 0,
    clock: () => state.ms,
  })
  onTestFinished(() => cache.close())
  const question = (over: Partial<CacheQuestion> = {}): CacheQuestion => {
    const router = state.configuration.routers.get('router_a') ?? sampleRouter()
    return { apiKeyId: 'key_a', router, body, requires: [], ...over }
  }
  return {
    state,
    cache,
    question,
    keep: (asked = question(), kept = answer) => cache.keep(cache.keyOf(asked), asked, kept),
    find: (asked = question()) => cache.find(cache.keyOf(asked)),
    configure(configured: Configured) {
      state.configuration = configurationOf(configured)
    },
  }
}

test('repeats the answer for the same request', () => {
  const { keep, find } = openCache()
  expect(find()).toBeNull()
  keep()
  expect(find()).toEqual(answer)
})

test('repeats long numbers with their digits, also those that another node stored', async () => {
  const own = '"own":12345678901234567890'
  const copies = new Map<string, Buffer>()
  const { cache, keep, find, question } = openCache({
    read: async (key) => copies.get(key) ?? null,
    write: (key, { value }) => void copies.set(key, value),
  })
  const extras = parseExact(`{${own}}`) as CachedAnswer['extras']

  keep(question(), { ...answer, ...(extras && { extras }) })
  const copied = await cache.findCopy(cache.keyOf(question()), question())

  expect(JSON.stringify(find())).toContain(own)
  expect(JSON.stringify(copied)).toContain(own)
})

test.each<[string, ChatRequest]>([
  ['streamed', { ...body, stream: true, stream_options: { include_usage: true } }],
  ['for another user of the caller', { ...body, user: 'someone', metadata: { ticket: '17' } }],
  ['with its fields in another order', { temperature: 0, messages: body.messages }],
])('repeats it for a request that is %s', (_how, other) => {
  const { keep, find, question } = openCache()
  keep()
  expect(find(question({ body: other }))).toEqual(answer)
})

test.each<[string, Partial<CacheQuestion>]>([
  ['another temperature', { body: { ...body, temperature: 1 } }],
  ['another model', { body: { ...body, model: 'openai:gpt-5' } }],
  ['another word', { body: { ...body, messages: [{ role: 'user', content: 'hi' }] } }],
  ['another field', { body: { ...body, seed: 1 } }],
  ['another requirement', { requires: ['seed'] }],
  ['another API key', { apiKeyId: 'key_b' }],
])('does not repeat it for %s', (_what, other) => {
  const { keep, find, question } = openCache()
  keep()
  expect(find(question(other))).toBeNull()
})

test('does not repeat it for other headers or parameters that a vendor reads', () => {
  const { keep, find, question } = openCache()
  const originalWith = (beta: string) => ({
    text: JSON.stringify(body),
    headers: { 'anthropic-beta': beta },
  })
  const original = originalWith('context-1m-2025-08-07')
  const asked = (beta: string) => question({ original: originalWith(beta) })
  keep(asked('context-1m-2025-08-07'))

  expect(find(asked('context-1m-2025-08-07'))).toEqual(answer)
  expect(find(asked('interleaved-thinking-2025-05-14'))).toBeNull()
  expect(find(question({ original: { ...original, query: { beta: 'true' } } }))).toBeNull()
  expect(find()).toBeNull()
})

test('does not repeat it after its time to live', () => {
  const { keep, find, state } = openCache()
  keep()
  state.ms = 59_999
  expect(find()).toEqual(answer)
  state.ms = 60_000
  expect(find()).toBeNull()
})

test.each<[string, Configured]>([
  ['the router has other models', { router: { models: ['openai:gpt-5-mini'] } }],
  ['the router has another strategy', { router: { strategy: 'priority' } }],
  ['its provider has another address', { provider: { baseUrl: 'https://other.test/v1' } }],
  ['its time to live is another', { router: { cacheTtlSeconds: 3_600 } }],
])('does not repeat it when %s', (_what, configured) => {
  const { cache, keep, find, configure } = openCache()
  keep()
  configure(configured)
  expect(find()).toBeNull()
  cache.forgetStale()
  configure({})
  expect(find()).toBeNull()
})

test.each<[string, Configured]>([
  ['its key is revoked', { apiKey: { revokedAtMs: 1 } }],
  ['the cache is switched off', { router: { cacheTtlSeconds: null } }],
])('deletes it when %s', (_what, configured) => {
  const { cache, keep, find, configure } = openCache()
  keep()
  configure(configured)
  cache.forgetStale()
  configure({})
  expect(find()).toBeNull()
})

test('keeps answers when only the router’s name changes', () => {
  const { cache, keep, find, configure } = openCache()
  keep()
  configure({ router: { name: 'Renamed', updatedAtMs: 99 } })
  cache.forgetStale()
  expect(find()).toEqual(answer)
})

test('stores no answer to a question from before a router’s change', () => {
  const { keep, find, configure, question } = openCache()
  const before = question()
  configure({ router: { models: ['openai:gpt-5-mini'] } })
  keep(before)
  configure({})
  expect(find()).toBeNull()
})

test.each(['length', 'content_filter'] as const)(
  'does not keep an answer ended by %s',
  (reason) => {
    const { keep, find, question } = openCache()
    const choices = answer.choices.map((choice) => ({ ...choice, finish_reason: reason }))
    keep(question(), { ...answer, choices })
    expect(find()).toBeNull()
  },
)

test('keeps tool calls', () => {
  const { keep, find, question } = openCache()
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'f', arguments: '{}' } }
  const message = { role: 'assistant' as const, content: null, refusal: null, tool_calls: [call] }
  const called = {
    ...answer,
    choices: [{ index: 0, message, finish_reason: 'tool_calls', logprobs: null }],
  }
  keep(question(), called)
  expect(find()).toEqual(called)
})

test('stores at most 64 MiB, the newest', () => {
  const { keep, find, question } = openCache()
  const message = { role: 'assistant' as const, content: 'x'.repeat(4_000_000), refusal: null }
  const choice = { index: 0, message, finish_reason: 'stop', logprobs: null }
  const large = { ...answer, choices: [choice] }
  const nth = (seed: number) => question({ body: { ...body, seed } })
  for (let seed = 0; seed < 17; seed += 1) keep(nth(seed), large)
  expect(find(nth(0))).toBeNull()
  expect(find(nth(1))).toEqual(large)
})
