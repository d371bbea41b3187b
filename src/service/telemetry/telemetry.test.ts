/** How messages wait, are repeated and are dropped. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeCollector } from '../../../test/figures/fake-collector.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { send } from './collector.ts'
import { toAttributes } from './otlp.ts'
import { Telemetry, type Intervals } from './telemetry.ts'

function newTelemetry(url: URL, intervals: Partial<Intervals> = {}) {
  const statuses: (string | null)[] = []
  const telemetry = new Telemetry(
    {
      url,
      headers: {},
      resource: {},
      sampleRatio: 1,
      intervals: { tracesMs: 5, metricsMs: 3_600_000, firstRetryMs: 5, ...intervals },
    },
    { use: null, typeOf: () => null, now: () => 0, onStatus: (reason) => statuses.push(reason) },
  )
  onTestFinished(() => telemetry.close())
  const add = (count: number) => {
    for (let nth = 0; nth < count; nth += 1)
      telemetry.add({
        record: sampleRecord({ id: randomUUID() }),
        detail: sampleDetail(),
        traceparent: null,
      })
  }
  return { telemetry, statuses, add }
}

/** Messages with spans. */
const tracesIn = ({ messages }: Awaited<ReturnType<typeof startFakeCollector>>) =>
  messages.filter(({ path }) => path === '/v1/traces')

test('a message that was not accepted is sent again, after the time the collector asked for', async () => {
  const overloaded = { status: 429, headers: { 'retry-after': '0' } }
  const collector = await startFakeCollector((nth) => (nth < 3 ? overloaded : { status: 200 }))
  // Only the header can cause another attempt within the test's time.
  const { add, statuses } = newTelemetry(collector.url, { firstRetryMs: 3_600_000 })

  add(1)

  await expect.poll(() => statuses).toEqual(['HTTP 429', null])
  const [first, second, third] = tracesIn(collector)
  expect(third?.text).toBe(first?.text)
  expect(second?.text).toBe(first?.text)
})

test.each([
  ['0', 100],
  ['30', 30_000],
  ['604800', 300_000],
  ['99999999999', 300_000],
  ['Mon, 23 Nov 2026 00:00:00 GMT', null],
])('after retry-after: %s, the next attempt waits %s ms', async (header, afterMs) => {
  const collector = await startFakeCollector(() => ({
    status: 503,
    headers: { 'retry-after': header },
  }))
  const { signal } = new AbortController()
  const options = { url: collector.url, headers: {}, timeoutMs: 10_000, use: null, signal }
  expect(await send('v1/traces', {}, options)).toEqual({
    kind: 'failed',
    reason: 'HTTP 503',
    afterMs,
  })
})

test('a message that the collector refuses is not sent again', async () => {
  const collector = await startFakeCollector((nth) => ({ status: nth === 1 ? 400 : 200 }))
  const { add, statuses, telemetry } = newTelemetry(collector.url)
  add(1)
  await expect.poll(() => statuses).toEqual(['HTTP 400'])

  add(1)

  await expect.poll(() => statuses).toEqual(['HTTP 400', null])
  expect(tracesIn(collector)).toHaveLength(2)
  expect(telemetry.dropped).toBe(1)
})

test('while the collector is gone, 2,048 requests wait, and the others are counted', async () => {
  // No system gives this port to a program that asks for any.
  const { add, telemetry, statuses } = newTelemetry(new URL('http://127.0.0.1:2'))

  add(2_100)

  expect(telemetry.dropped).toBe(52)
  await expect.poll(() => statuses).toEqual(['ECONNREFUSED'])
  await telemetry.close()
  expect(telemetry.dropped).toBe(2_100)
})

test('closing sends what waits, and a redirect is not followed', async () => {
  const other = await startFakeCollector()
  const collector = await startFakeCollector((nth) =>
    nth === 1 ? { status: 307, headers: { location: other.url.href } } : { status: 200 },
  )
  const { add, telemetry } = newTelemetry(collector.url, { tracesMs: 3_600_000, closeMs: 10_000 })
  add(200)

  await telemetry.close()

  const sent = tracesIn(collector).map(
    ({ spans }) => new Set(spans.map(({ spanId }) => spanId)).size,
  )
  expect(sent.length).toBe(2)
  expect(other.messages).toEqual([])
  expect(telemetry.dropped).toBe(128)
})

test('a collector that never answers delays the stop by its limit at most', async () => {
  const collector = await startFakeCollector(() => null)
  const { add, telemetry } = newTelemetry(collector.url, { timeoutMs: 3_600_000, closeMs: 50 })
  add(1)
  await expect.poll(() => collector.messages.length).toBe(1)

  await telemetry.close()

  expect(telemetry.dropped).toBe(1)
})

test('a collector that takes only traces is said to fail once', async () => {
  const collector = await startFakeCollector((_nth, path) => ({
    status: path === '/v1/metrics' ? 404 : 200,
  }))
  const { add, statuses } = newTelemetry(collector.url, { metricsMs: 20 })
  const countOf = (wanted: string) =>
    collector.messages.filter(({ path }) => path === wanted).length

  add(1)
  await expect.poll(() => countOf('/v1/metrics')).toBeGreaterThan(0)
  add(1)
  await expect.poll(() => countOf('/v1/traces')).toBe(2)
  const metrics = countOf('/v1/metrics')
  await expect.poll(() => countOf('/v1/metrics')).toBeGreaterThan(metrics + 1)

  expect(statuses).toEqual(['HTTP 404'])
})

test('a cost is a number with decimals, also when it is a whole one', () => {
  expect(toAttributes({ 'modelport.cost_usd': 0, 'modelport.attempts': 1 })).toEqual([
    { key: 'modelport.cost_usd', value: { doubleValue: 0 } },
    { key: 'modelport.attempts', value: { intValue: '1' } },
  ])
})
