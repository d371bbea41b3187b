/** Errors, broken streams and aborts of every wire. */
import { describe, expect, test } from 'vitest'
import { ProviderError } from '../../src/service/providers/provider.ts'
import { answerOf, type FakeReply, type WireHarness } from './harness.ts'
import { readStreamed, readWhole, testKey, type StartedWire } from './read-answer.ts'

const longestMs = 3_600_000
const retryAfterHeaders: readonly (readonly [Readonly<Record<string, string>>, number | null])[] = [
  [{}, null],
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
  [
    { date: 'Sun, 22 Nov 2026 10:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT' },
    30_000,
  ],
  [{ 'retry-after': '999999' }, longestMs],
  [{ 'retry-after': '-3' }, null],
  [{ 'retry-after': 'soon' }, null],
]

export function describeFailures(harness: WireHarness, wire: StartedWire): void {
  describe.each([
    ['whole', readWhole],
    ['streamed', readStreamed],
  ] as const)('%s', (_name, read) => {
    test.each(harness.errors)('$name is an error of the kind $kind', async ({ reply, kind }) => {
      const error = await errorOf(read, wire, reply)

      expect(error).toMatchObject({ kind, status: reply.status })
    })

    test.each(retryAfterHeaders)('a 429 with %j waits %s ms', async (headers, retryAfterMs) => {
      const { rateLimited } = harness.format
      const reply = { ...rateLimited, headers: { ...rateLimited.headers, ...headers } }

      const error = await errorOf(read, wire, reply)

      expect(error).toMatchObject({ kind: 'rate_limit', retryAfterMs })
    })

    test('an abort before the headers closes the connection at once', async () => {
      wire.server.script('hang')
      const abort = new AbortController()
      const arrived = wire.server.nextRequest()
      const reading = read(wire, { signal: abort.signal })
      const request = await arrived

      abort.abort(new Error('the caller left'))

      await expect(reading).rejects.toThrow('the caller left')
      await request.aborted
    })
  })

  test.each(harness.retryAfter)('$name waits $retryAfterMs ms', async ({ reply, retryAfterMs }) => {
    const error = await errorOf(readWhole, wire, reply)

    expect(error).toMatchObject({ kind: 'rate_limit', retryAfterMs })
  })

  test('an error repeats neither the key nor the upstream’s text in its message', async () => {
    const body = `{"error":{"message":"Bad key ${testKey}","type":"x"},"message":"Bad key ${testKey}"}`
    const error = await errorOf(readWhole, wire, { status: 401, headers: {}, body })

    expect(error).toMatchObject({ kind: 'auth' })
    expect(`${error.message} ${error.upstreamMessage}`).not.toContain('secret-of-the-test')
  })

  test.each([
    ['an HTML page', 'text/html', '<!doctype html><p>Please sign in.</p>'],
    ['half a JSON text', 'application/json', '{"id": "x", "cho'],
    ['an empty body', 'application/json', ''],
    ['another JSON value', 'application/json', '[1,2]'],
  ])('%s with status 200 is an invalid answer', async (_name, type, body) => {
    const error = await errorOf(readWhole, wire, {
      status: 200,
      headers: { 'content-type': type },
      body,
    })

    expect(error).toMatchObject({ kind: 'invalid_response' })
  })

  describeBrokenStreams(harness, wire)
}

const answer = answerOf({
  texts: ['One ', 'two ', 'three'],
  toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }],
})

function describeBrokenStreams(harness: WireHarness, wire: StartedWire): void {
  test.each(['truncate', 'reset'] as const)(
    'a stream that ends early (%s) is an error after each of its events',
    async (how) => {
      const count = await eventCount(harness, wire)
      for (let afterEvents = 0; afterEvents < count - harness.optionalEvents; afterEvents += 1) {
        wire.server.script({ answer, break: { afterEvents, how } })
        await expect(readStreamed(wire)).rejects.toBeInstanceOf(ProviderError)
      }
    },
  )

  test('an abort within a stream closes the connection at once', async () => {
    wire.server.script({ answer, break: { afterEvents: 2, how: 'hang' } })
    const abort = new AbortController()
    const arrived = wire.server.nextRequest()
    const reading = readStreamed(wire, { signal: abort.signal })
    const request = await arrived
    // The headers and the first events have been sent by then.
    await new Promise(setImmediate)

    abort.abort(new Error('the caller left'))

    await expect(reading).rejects.toThrow('the caller left')
    await request.aborted
  })

  test('a consumer that stops reading closes the connection', async () => {
    const afterEvents = (await eventCount(harness, wire)) - 1 - harness.optionalEvents
    wire.server.script({ answer, break: { afterEvents, how: 'hang' } })
    const arrived = wire.server.nextRequest()
    const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }
    const { signal } = new AbortController()
    const { provider, model } = wire
    for await (const chunk of provider.stream({ model, body }, signal)) {
      expect(chunk.choices).toBeDefined()
      break
    }

    await (
      await arrived
    ).aborted
  })

  test.each(harness.streamErrors)('$name within a stream is $kind', async ({ event, kind }) => {
    wire.server.script({ answer, break: { afterEvents: 2, how: { insert: event } } })

    await expect(readStreamed(wire)).rejects.toMatchObject({ name: 'ProviderError', kind })
  })
}

async function eventCount({ format }: WireHarness, wire: StartedWire): Promise<number> {
  const { server } = wire
  server.script({ answer })
  const arrived = server.nextRequest()
  await readStreamed(wire)
  return format.stream(answer, await arrived).events.length
}

async function errorOf(
  read: typeof readWhole,
  wire: StartedWire,
  reply: FakeReply,
): Promise<ProviderError> {
  wire.server.script({ reply })
  const error: unknown = await read(wire).then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof ProviderError)) throw new Error('no ProviderError', { cause: error })
  return error
}
