/** Tests what `HttpProvider` does for every wire. Each wire's own behaviour has its own tests. */
import { expect, test, vi } from 'vitest'
import { HttpProvider } from './http-provider.ts'
import { EventReader } from './sse.ts'
import type { WireFormat } from './wire.ts'

/** A wire that must fetch an access token first, from a server that does not answer. */
const waitingFormat: WireFormat = {
  chatRequest: () => ({ path: '/chat', body: '{}', isStreamed: false }),
  headers: () => new Promise(() => {}),
  isStream: () => false,
  newEvents: () => new EventReader(),
  newReader: () => ({ isEnd: () => false, append: (chunk) => chunk }),
  readWhole: () => ({ choices: [], usage: null }),
  readRefusal: () => ({ kind: 'unavailable', message: '', upstreamMessage: null }),
  listModels: async () => [],
}

test('an abort ends a request that waits for its headers', async () => {
  const provider = new HttpProvider(
    {
      baseUrl: 'http://127.0.0.1:9',
      apiKey: () => 'k',
      privateNetwork: false,
      options: {},
      now: () => 0,
      connector: () => () => {},
    },
    waitingFormat,
  )
  const stop = new AbortController()
  const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }

  const answer = provider.complete({ model: 'm', body }, stop.signal)
  stop.abort(new Error('the caller left'))

  await expect(answer).rejects.toThrow('the caller left')
})

test('every request gets a connection of its own at once, however many are in progress', async () => {
  const connector = vi.fn<() => void>()
  const provider = new HttpProvider(
    {
      baseUrl: 'http://127.0.0.1:9',
      apiKey: () => 'k',
      privateNetwork: false,
      options: {},
      now: () => 0,
      connector: () => connector,
    },
    { ...waitingFormat, headers: () => ({}) },
  )
  const stop = new AbortController()
  const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }

  const answers = Array.from({ length: 2_000 }, () =>
    provider.complete({ model: 'm', body }, stop.signal),
  )
  const ended = Promise.allSettled(answers)
  await expect.poll(() => connector).toHaveBeenCalledTimes(2_000)
  stop.abort(new Error('enough'))
  await ended
})
