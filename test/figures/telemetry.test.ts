/** Traces and metrics as a collector receives them, from real requests. */
import { expect, test } from 'vitest'
import type { TelemetryOptions } from '../../src/service/telemetry/telemetry.ts'
import { startFakeCollector, valuesOf } from './fake-collector.ts'
import { errorReply } from '../fake-provider.ts'
import { openMetrics } from './open-metrics.ts'
import { hello, startTestService } from '../test-service.ts'

const quick = { tracesMs: 10, metricsMs: 10, firstRetryMs: 10 }

function telemetryTo(url: URL, more: Partial<TelemetryOptions> = {}): TelemetryOptions {
  const resource = { 'service.name': 'modelport-test' }
  return { url, headers: {}, resource, sampleRatio: 1, intervals: quick, ...more }
}

/** @returns the spans of all messages, once there are as many */
async function spansOf(
  { messages }: Awaited<ReturnType<typeof startFakeCollector>>,
  count: number,
) {
  const spans = () => messages.flatMap((message) => message.spans)
  await expect.poll(() => spans().length).toBe(count)
  return spans()
}

test('a request has a span with a child for each attempt, by the GenAI conventions', async () => {
  const collector = await startFakeCollector()
  const { post, routerId } = await startTestService({
    models: { broken: { reply: errorReply(500) }, works: {} },
    service: { telemetry: telemetryTo(collector.url, { headers: { 'api-key': 'secret' } }) },
  })

  const answer = await post('chat/completions', hello)

  const [request, failed, answered] = await spansOf(collector, 3)
  expect(request).toMatchObject({
    traceId: answer.headers.get('x-request-id')?.replaceAll('-', ''),
    kind: 2,
    status: { code: 0 },
  })
  expect(request).not.toHaveProperty('parentSpanId')
  expect(valuesOf(request?.attributes ?? [])).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'broken',
    'gen_ai.response.model': 'works',
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
    'http.response.status_code': 200,
    'modelport.router.id': routerId,
    'modelport.attempts': 2,
  })
  const child = { traceId: request?.traceId, parentSpanId: request?.spanId, kind: 3 }
  expect(failed).toMatchObject({ ...child, name: 'chat broken', status: { code: 2 } })
  expect(valuesOf(failed?.attributes ?? [])).toMatchObject({ 'error.type': 'unavailable' })
  expect(answered).toMatchObject({ ...child, name: 'chat works', status: { code: 0 } })
  expect(valuesOf(answered?.attributes ?? [])).not.toHaveProperty('error.type')
  const [message] = collector.messages
  expect(message?.headers).toMatchObject({
    'api-key': 'secret',
    'content-type': 'application/json',
  })
  expect(valuesOf(message?.resource ?? [])).toEqual({ 'service.name': 'modelport-test' })
})

test('the trace of a caller continues, and its flag decides whether it is sent', async () => {
  const collector = await startFakeCollector()
  const { post } = await startTestService({
    service: { telemetry: telemetryTo(collector.url, { sampleRatio: 0 }) },
  })
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const send = async (traceparent: string) =>
    (await post('chat/completions', hello, { headers: { traceparent } })).text()

  await send(`00-${trace}-${parent}-00`)
  await send('not-a-trace')
  await send(`00-${trace}-${parent}-01`)

  const [request, attempt] = await spansOf(collector, 2)
  expect(request).toMatchObject({ traceId: trace, parentSpanId: parent })
  expect(attempt).toMatchObject({ traceId: trace, parentSpanId: request?.spanId })
})

test('histograms count every request, sampled or not', async () => {
  const collector = await startFakeCollector()
  const { post } = await startTestService({
    service: { telemetry: telemetryTo(collector.url, { sampleRatio: 0 }) },
  })
  await post('chat/completions', hello)
  await post('chat/completions', hello)

  const countsOf = () => {
    const metrics = collector.messages.at(-1)?.metrics ?? []
    return metrics.map(({ name, histogram }) => [
      name,
      histogram.dataPoints.map(({ count }) => count),
    ])
  }
  await expect.poll(countsOf).toEqual([
    ['gen_ai.client.operation.duration', ['2']],
    ['gen_ai.client.token.usage', ['2', '2']],
    ['gen_ai.server.request.duration', ['2']],
    ['gen_ai.server.time_to_first_token', ['2']],
  ])
  const [duration] = collector.messages.at(-1)?.metrics ?? []
  const [point] = duration?.histogram.dataPoints ?? []
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1)
  expect(collector.messages.flatMap(({ spans }) => spans)).toEqual([])
})

test('no prompt, answer, key, tag, user or name reaches the collector', async () => {
  const collector = await startFakeCollector()
  const { post, apiKey, service } = await startTestService({
    models: {
      broken: { reply: errorReply(400, { message: 'canary-error' }) },
      works: { text: 'canary-answer' },
    },
    service: { telemetry: telemetryTo(collector.url) },
  })
  await service.dashboard.createApiKey({ name: 'canary-key-name', routers: 'all' })
  const headers = {
    'x-modelport-tag': 'canary-tag',
    'user-agent': 'canary-client',
    'x-modelport-conversation': 'canary-conversation',
    tracestate: 'canary=state',
    baggage: 'canary=baggage',
  }
  const messages = [{ role: 'user', content: 'canary-prompt' }]
  for (const stream of [true, false]) {
    const body = { messages, user: 'canary-user', model: 'fake:works', stream }
    await (await post('chat/completions', body, { headers })).text()
    await (await post('chat/completions', { messages, stream }, { headers })).text()
  }
  await service.close()

  const texts = collector.messages.map(({ text }) => text).join('\n')
  expect(collector.messages.flatMap(({ spans }) => spans).length).toBeGreaterThanOrEqual(8)
  expect(texts).not.toContain('canary')
  expect(texts).not.toContain(apiKey)
})

test('a collector that is gone, overloaded or refuses costs no request and no row', async () => {
  const collector = await startFakeCollector(() => null)
  const { post, ledger, service } = await startTestService({
    service: {
      telemetry: telemetryTo(collector.url, { intervals: { ...quick, timeoutMs: 100 } }),
    },
  })

  const first = await post('chat/completions', hello)
  await expect.poll(() => collector.messages.length).toBeGreaterThan(1)
  await collector.close()
  const second = await post('chat/completions', hello)

  expect([first.status, second.status]).toEqual([200, 200])
  expect(await ledger(2)).toHaveLength(2)
  await service.close()
})

test('metrics count the requests whose spans were dropped', async () => {
  const collector = await startFakeCollector(() => ({ status: 400 }))
  const parts = await startTestService({ service: { telemetry: telemetryTo(collector.url) } })
  const metrics = await openMetrics(parts)
  const dropped = async () =>
    (await metrics.read()).valueOf('modelport_telemetry_dropped_requests_total')
  expect(await dropped()).toBe(0)

  await parts.post('chat/completions', hello)

  await expect.poll(dropped).toBe(1)
})
