/** The queue in front of a server that answers one request at a time. */
import { expect, test } from 'vitest'
import { createProvider } from '../provider-types/provider-types.ts'
import { Outbound } from './outbound.ts'
import { ProviderError, type Provider, type ProviderChunk } from './provider.ts'
import { SlottedProvider } from './slots.ts'
import { startFakeOllama, textLine, type FakeOllama } from '../../../test/upstreams/ollama/fake.ts'
import { asLateAsSockets } from '../../../test/http/as-late-as-sockets.ts'

/** A provider whose answers the test ends. */
function openGated(slots: number) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const whole = (model: string, signal: AbortSignal) =>
    new Promise<ProviderChunk>((resolve, reject) => {
      const fail: (reason: unknown) => void = reject
      started.push(model)
      ends.set(model, () => resolve({ choices: [], usage: null }))
      signal.addEventListener('abort', () => fail(signal.reason))
    })
  const inner: Provider = {
    complete: ({ model }, signal) => whole(model, signal),
    async *stream({ model }, signal) {
      yield { choices: [], usage: null }
      yield await whole(model, signal)
    },
    listModels: async () => [],
    close: async () => {},
    takesChatForm: (model) => model === 'a',
  }
  let nowMs = 0
  const provider = new SlottedProvider(inner, { slots, now: () => nowMs })
  const ask = (model: string, signal = new AbortController().signal) =>
    provider.complete({ model, body: { messages: [] } }, signal)
  return { provider, started, ends, ask, pass: (ms: number) => (nowMs += ms) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('parts that only its server’s form has go to it as without the queue', () => {
  const { provider } = openGated(1)

  expect(['a', 'b'].map((model) => provider.takesChatForm?.(model))).toEqual([true, false])
})

test('requests begin in their order, as many at once as there are slots', async () => {
  const { provider, started, ends, ask } = openGated(2)
  const answers = ['a', 'b', 'c', 'd'].map((model) => ask(model))
  await settled()
  expect(started).toEqual(['a', 'b'])
  expect(provider.load()).toBe(2)

  ends.get('b')?.()
  await settled()
  expect(started).toEqual(['a', 'b', 'c'])
  for (const model of ['a', 'c']) ends.get(model)?.()
  await settled()
  ends.get('d')?.()
  await Promise.all(answers)
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  expect(provider.load()).toBe(0)
})

test('an answer says how long it waited', async () => {
  const { ends, ask, pass } = openGated(1)
  const first = ask('a')
  const second = ask('b')
  await settled()
  pass(1200)
  ends.get('a')?.()
  await settled()
  ends.get('b')?.()
  expect((await first).queuedMs).toBe(0)
  expect((await second).queuedMs).toBe(1200)
})

test('a request that leaves the queue does not begin, and the others move up', async () => {
  const { provider, started, ends, ask } = openGated(1)
  const stop = new AbortController()
  const first = ask('a')
  const left = ask('b', stop.signal)
  const last = ask('c')
  await settled()
  stop.abort(new Error('the caller left'))
  await expect(left).rejects.toThrow('the caller left')
  expect(provider.load()).toBe(2)
  ends.get('a')?.()
  await first
  await settled()
  ends.get('c')?.()
  await last
  expect(started).toEqual(['a', 'c'])
})

test('a stream that its reader leaves frees the slot', async () => {
  const { provider, started, ask } = openGated(1)
  const chunks = provider.stream(
    { model: 'a', body: { messages: [] } },
    new AbortController().signal,
  )
  const reader = chunks[Symbol.asyncIterator]()
  await reader.next()
  void ask('b')
  await settled()
  expect(started).toEqual([])
  await reader.return()
  await settled()
  expect(started).toEqual(['b'])
})

test('a request beyond the sixteenth that waits is refused as busy', async () => {
  const { ask, started } = openGated(1)
  const waiting = Array.from({ length: 17 }, (_, nth) => ask(String(nth)))
  await settled()
  const refused: unknown = await ask('one more').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ProviderError)
  expect(refused).toMatchObject({ kind: 'unavailable', isBusy: true })
  expect(started).toEqual(['0'])
  expect(waiting).toHaveLength(17)
})

async function openServer(
  options: Record<string, string> = {},
): Promise<{ fake: FakeOllama; provider: Provider }> {
  const lines = Array.from({ length: 300 }, () => textLine('x '))
  const fake = await startFakeOllama({
    models: { slow: { lineMs: 10, reply: () => ({ lines }) }, m: {} },
  })
  const outbound = new Outbound({
    use: null,
    proxyChoice: () => ({ setting: 'direct', env: {} }),
    extraRoots: async () => [],
  })
  const provider = createProvider('ollama', {
    baseUrl: fake.url,
    localModel: openGated(1).provider,
    apiKey: () => null,
    privateNetwork: false,
    options,
    now: Date.now,
    connector: (connectMs) =>
      outbound.connector({ id: 'providers', privateNetwork: false, connectMs }),
  })
  return { fake, provider }
}

const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] }

test('the server gets one request at a time, and an abort frees it for the next', async () => {
  const { fake, provider } = await openServer()
  const stop = new AbortController()
  const slow = provider.stream({ model: 'slow', body: hello }, stop.signal)[Symbol.asyncIterator]()
  await slow.next()
  const next = provider.complete({ model: 'm', body: hello }, new AbortController().signal)
  const third = provider.complete({ model: 'm', body: hello }, new AbortController().signal)
  await settled()
  expect(fake.chats).toHaveLength(1)

  stop.abort(new Error('the caller left'))
  const limits = [asLateAsSockets(100), asLateAsSockets(200)]
  await expect(slow.next()).rejects.toThrow('the caller left')
  await limits[0]
  expect(fake.chats[0]?.abortedAtMs).toEqual(expect.any(Number))
  // The stand-in decodes for a request as long as its connection is open.
  await limits[1]
  expect(fake.chats[1]?.startedAtMs).toEqual(expect.any(Number))
  await Promise.all([next, third])

  const [, second, last] = fake.chats
  expect(last?.receivedAtMs).toBeGreaterThanOrEqual(second?.answeredAtMs ?? Infinity)
  await provider.close()
  await fake.close()
})

test('the user’s number of slots replaces the default', async () => {
  const { fake, provider } = await openServer({ slots: '2' })
  const stop = new AbortController()
  const ask = () => provider.complete({ model: 'slow', body: hello }, stop.signal)
  const all = Promise.allSettled([ask(), ask(), ask()])
  await expect.poll(() => fake.chats.length).toBe(2)
  expect(provider.load?.()).toBe(1.5)
  stop.abort(new Error('enough'))
  await all
  await provider.close()
  await fake.close()
})
