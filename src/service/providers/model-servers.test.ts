/** Tests what answers and searches show about the models of a server. */
import { beforeEach, expect, test } from 'vitest'
import { ModelServers } from './model-servers.ts'
import type { ServerTimings } from './provider.ts'

const minuteMs = 60_000
let nowMs = 0
let servers: ModelServers

beforeEach(() => {
  nowMs = 1_000_000
  servers = new ModelServers({
    keepsLoadedMs: (id) => ({ ollama: 5 * minuteMs, llama: Infinity })[id] ?? null,
    now: () => nowMs,
  })
})

const timings = (given: Partial<ServerTimings> = {}): ServerTimings => ({
  loadMs: 12,
  promptTokens: 100,
  promptMs: 200,
  outputTokens: 50,
  outputMs: 1000,
  ...given,
})

test('an answer gives the time for each token', () => {
  servers.answered('ollama:m', timings())
  expect(servers.speedOf('ollama:m')).toEqual({
    atMs: nowMs,
    msPerPromptToken: 2,
    msPerToken: 20,
    loadMs: null,
  })
})

test('later answers move the figures by three tenths, as logarithms', () => {
  servers.answered('ollama:m', timings())
  servers.answered('ollama:m', timings({ outputMs: 2000 }))
  expect(servers.speedOf('ollama:m')?.msPerToken).toBeCloseTo(20 * 2 ** 0.3)
})

test('a real load is kept, a model that was in memory and very short texts are not', () => {
  servers.answered('ollama:m', timings({ loadMs: 18_000, promptTokens: 3, outputTokens: 2 }))
  servers.answered('ollama:m', timings({ loadMs: 40, promptTokens: null, outputMs: 0 }))
  expect(servers.speedOf('ollama:m')).toEqual({
    atMs: nowMs,
    msPerPromptToken: null,
    msPerToken: null,
    loadMs: 18_000,
  })
})

test('a model is in memory for as long as its server keeps it after an answer', () => {
  expect(servers.isLoaded('ollama:m')).toBeNull()
  servers.answered('ollama:m', null)
  servers.answered('llama:m', null)
  nowMs += 5 * minuteMs - 1
  expect(servers.isLoaded('ollama:m')).toBe(true)
  nowMs += 1
  expect(servers.isLoaded('ollama:m')).toBe(false)
  expect(servers.isLoaded('llama:m')).toBe(true)
})

test('a search corrects what the answers showed, until the next answer', () => {
  servers.answered('ollama:m', null)
  nowMs += minuteMs
  servers.seen('ollama:m', false)
  expect(servers.isLoaded('ollama:m')).toBe(false)
  nowMs += minuteMs
  servers.answered('ollama:m', null)
  expect(servers.isLoaded('ollama:m')).toBe(true)
  nowMs += 6 * minuteMs
  servers.seen('ollama:m', true)
  expect(servers.isLoaded('ollama:m')).toBe(true)
})

test('nothing is kept of providers that are no model servers', () => {
  servers.answered('openai:m', timings())
  servers.seen('openai:m', true)
  expect(servers.speedOf('openai:m')).toBeUndefined()
  expect(servers.isLoaded('openai:m')).toBeNull()
})

test('the models of a provider are listed, the fastest first', () => {
  servers.answered('ollama:slow', timings({ outputMs: 9000 }))
  servers.answered('ollama:fast', timings())
  servers.answered('llama:m', timings())
  expect(servers.modelsOf('ollama').map(({ modelId }) => modelId)).toEqual([
    'ollama:fast',
    'ollama:slow',
  ])
  servers.forget('ollama')
  expect(servers.modelsOf('ollama')).toEqual([])
})

test('figures of an earlier run are restored', () => {
  const speed = { atMs: nowMs - minuteMs, msPerPromptToken: 1, msPerToken: 10, loadMs: null }
  servers.restore('ollama:m', speed)
  expect(servers.modelsOf('ollama')).toEqual([{ modelId: 'ollama:m', ...speed, isLoaded: true }])
})
