/** `GET /metrics`: who may read it, and whether its figures match the requests. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { dial } from '../http/raw-client.ts'
import { openMetrics } from './open-metrics.ts'
import { readExposition } from './read-exposition.ts'
import { hello, startTestService } from '../test-service.ts'

/** A service with one key for chats, and one that may read the metrics. */
async function startMeasured(options: Parameters<typeof startTestService>[0] = {}) {
  const parts = await startTestService(options)
  return { ...parts, ...(await openMetrics(parts)) }
}

const usage = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  total_tokens: 1_100,
  prompt_tokens_details: { cached_tokens: 700, cache_write_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 60 },
}

test('is refused without a key, and for a key without the right', async () => {
  const { get } = await startMeasured()

  const none = await get('/metrics', { headers: { authorization: '' } })
  const other = await get('/metrics')

  expect([none.status, other.status]).toEqual([401, 403])
  expect(await none.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
  expect(await other.json()).toMatchObject({ error: { code: 'router_access_denied' } })
})

test('is refused for web pages and for other methods', async () => {
  const { ask } = await startMeasured()

  const page = await ask({ headers: { origin: 'https://evil.example' } })
  const posted = await ask({ method: 'POST' })

  expect([page.status, posted.status]).toEqual([403, 405])
  expect(posted.headers.get('allow')).toBe('GET')
})

test('is refused for another host, before the key is checked', async () => {
  const running = await startMeasured()
  const socket = await dial(running)
  socket.end('GET /metrics HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')
  const answer = await text(socket)

  expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  expect(answer).toContain('"code":"host_not_allowed"')
})

test('has requests by router, model and status, with their tokens, cost and time', async () => {
  const { post, ledger, read, routerId } = await startMeasured({
    models: { broken: { reply: errorReply(500) }, works: { usage } },
  })
  await post('chat/completions', hello)
  await post('chat/completions', hello)
  await ledger(2)
  const { valueOf } = await read()
  const works = { router: routerId, model: 'fake:works' }

  expect(valueOf('modelport_requests_total', { ...works, status: '200' })).toBe(2)
  const classes = ['input', 'cache_read', 'cache_write', 'output', 'reasoning']
  expect(
    classes.map((name) => valueOf('modelport_tokens_total', { ...works, class: name })),
  ).toEqual([200, 1400, 400, 80, 120])
  expect(valueOf('modelport_cost_usd_total', works)).toBe(0.0024)
  expect(valueOf('modelport_carbon_grams_total', works)).toBeGreaterThan(0)
  const failed = { router: routerId, model: 'fake:broken', outcome: 'unavailable' }
  expect(valueOf('modelport_attempts_total', failed)).toBe(2)
  expect(valueOf('modelport_attempts_total', { ...works, outcome: 'answered' })).toBe(2)
  expect(valueOf('modelport_fallovers_total', { router: routerId })).toBe(2)
})

test('has histograms whose buckets grow to their count', async () => {
  const { post, ledger, read, routerId } = await startMeasured()
  await post('chat/completions', hello)
  const stream = await post('chat/completions', { ...hello, stream: true })
  await stream.text()
  await ledger(2)
  const { valueOf, samplesOf } = await read()
  const labels = { router: routerId, model: 'fake:fake-model' }

  for (const name of ['modelport_request_duration_seconds', 'modelport_first_token_seconds']) {
    const buckets = samplesOf(`${name}_bucket`).map(({ value }) => value)
    expect(buckets).toHaveLength(21)
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b))
    expect(buckets.at(-1)).toBe(2)
    expect(valueOf(`${name}_count`, labels)).toBe(2)
    expect(valueOf(`${name}_sum`, labels)).toBeGreaterThan(0)
  }
})

test('counts refused requests by router, code and door', async () => {
  const { post, get, read, routerId } = await startMeasured()
  const headers = { authorization: 'Bearer mp_wrong' }
  await post('chat/completions', hello, { headers })
  await post('chat/completions', { ...hello, stream: true }, { headers: { authorization: '' } })
  await get('v1/models', { headers })
  await post('chat/completions', hello)

  const { valueOf } = await read()

  const labels = { router: routerId, code: 'invalid_api_key' }
  expect(valueOf('modelport_refusals_total', { ...labels, door: 'chat' })).toBe(2)
  expect(valueOf('modelport_refusals_total', { ...labels, door: 'models' })).toBe(1)
})

test('has each metric of the table in docs/api.md, and no other Modelport metric', async () => {
  const docs = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const start = docs.indexOf('\n## Metrics')
  const table = docs.slice(start, docs.indexOf('\n## ', start + 1))
  const models = { broken: { reply: errorReply(500) }, works: { usage: 'none' as const } }
  const { post, ledger, ask } = await startMeasured({ models })
  await post('chat/completions', hello)
  await post('chat/completions', { messages: [] })
  await ledger(1)

  const exposition = await (await ask()).text()

  const documented = table.match(/(?<=`)modelport_[a-z_]+(?=`)/g) ?? []
  const exposed = exposition.match(/(?<=^# TYPE )modelport_[a-z_]+/gm) ?? []
  expect(exposed.toSorted()).toEqual(documented.toSorted())
})

test('has the state of the service and its process', async () => {
  const { post, ledger, read, routerId, service } = await startMeasured()
  await post('chat/completions', hello)
  await ledger(1)
  await service.dashboard.updateRouter(routerId, {
    name: 'He said "no"\\\n',
    strategy: 'priority',
    models: ['fake:fake-model'],
  })
  const { valueOf, samplesOf } = await read()

  expect(valueOf('modelport_quota_remaining_requests', { router: routerId })).toBe(9_999)
  const state = { model: 'fake:fake-model', state: 'ready' }
  expect(valueOf('modelport_deployment_state', state)).toBe(1)
  expect(valueOf('modelport_deployment_state', { ...state, state: 'open' })).toBe(0)
  expect(valueOf('modelport_open_requests')).toBe(0)
  expect(valueOf('modelport_ledger_pending_rows')).toBe(0)
  expect(valueOf('modelport_node_info', { engine: 'sqlite', node: '', schema: '' })).toBe(1)
  expect(valueOf('modelport_storage_outage')).toBe(0)
  expect(valueOf('modelport_stopping')).toBe(0)
  expect(valueOf('modelport_configuration_version')).toBeGreaterThan(0)
  expect(valueOf('modelport_configuration_age_seconds')).toBeGreaterThanOrEqual(0)
  const names = samplesOf('modelport_router_info').map(({ labels }) => labels['name'])
  expect(names).toContain('He said "no"\\')
  expect(samplesOf('modelport_build_info')[0]?.labels['version']).toMatch(/^\d+\.\d+\.\d+/)
  expect(valueOf('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
})

test('shows a key only its own routers, and never a key or a prompt', async () => {
  const { post, get, ask, ledger, service, apiKey, routerId } = await startMeasured()
  const models = ['fake:fake-model']
  const other = await service.dashboard.createRouter({ name: 'B', strategy: 'priority', models })
  const { key } = await service.dashboard.createApiKey({
    name: 'half',
    routers: [other.id],
    metrics: true,
  })
  await post('chat/completions', { messages: [{ role: 'user', content: 'a secret word' }] })
  await ledger(1)

  const half = await get('/metrics', { headers: { authorization: `Bearer ${key}` } })
  const whole = await ask()
  const [halfText, wholeText] = [await half.text(), await whole.text()]

  expect(whole.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(halfText).toContain(other.id)
  expect(halfText).not.toContain(routerId)
  expect(wholeText).toContain(routerId)
  expect(wholeText).not.toContain(apiKey)
  expect(wholeText).not.toContain('mp_')
  expect(wholeText).not.toContain('secret')
})

test('starts to count when the first key with the right exists', async () => {
  const { post, get, ledger, service, routerId } = await startTestService()
  await post('chat/completions', hello)
  await ledger(1)
  const { key } = await service.dashboard.createApiKey({
    name: 'late',
    routers: 'all',
    metrics: true,
  })
  await post('chat/completions', hello)
  await ledger(2)
  const answer = await get('/metrics', { headers: { authorization: `Bearer ${key}` } })
  const { valueOf } = readExposition(await answer.text())

  const labels = { router: routerId, model: 'fake:fake-model', status: '200' }
  expect(valueOf('modelport_requests_total', labels)).toBe(1)
})
