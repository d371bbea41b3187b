/** Every request that the endpoint refuses is counted once and found by its id, whatever it called. */
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import type { RefusedDoor } from '../../src/shared/requests/refusal.ts'
import { newModelport } from '../command-line/modelport.ts'
import { endOfGroup } from '../rules/end-of-group.ts'
import { errorReply } from '../fake-provider.ts'
import { openMetrics } from '../figures/open-metrics.ts'
import { dial } from '../http/raw-client.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const unknownKey = 'mp_0000000000000000000000000000002C8GjS'
const unknownRouter = 'router_0000000000000000'

interface Refused {
  door: RefusedDoor
  code: string
  id: string
}

let running: TestService
let narrow: { id: string; key: string }
let limitedRouter = ''
let foreignRouter = ''

const atEnd = endOfGroup()
beforeAll(async () => {
  const models = { 'fake-model': {}, down: { reply: errorReply(400) } }
  running = await startTestService({ models }, atEnd)
  const { dashboard } = running.service
  const router = { name: 'R', strategy: 'priority' as const, models: ['fake:fake-model'] }
  limitedRouter = (await dashboard.createRouter({ ...router, tier: 'enterprise', dailyLimit: 1 }))
    .id
  foreignRouter = (await dashboard.createRouter(router)).id
  const routers = [running.routerId, limitedRouter]
  const { apiKey, key } = await dashboard.createApiKey({ name: 'narrow', routers })
  narrow = { id: apiKey.id, key }
})

interface Sent {
  method?: string
  /** Path after the router's address, or a whole path. */
  path: string
  router?: string
  headers?: readonly string[]
  key?: string
  body?: string
}

/** Sends one request, and resolves to its head's parts. */
async function send({ method = 'POST', path, headers = [], ...sent }: Sent) {
  const { origin, routerId } = running
  const { router = routerId, key = narrow.key, body = '' } = sent
  const hasOwn = (name: string) => headers.some((line) => line.startsWith(`${name}:`))
  const lines = [
    `${method} ${path.startsWith('/') ? path : `/api/router/${router}/${path}`} HTTP/1.1`,
    ...(hasOwn('host') ? [] : [`host: ${new URL(origin).host}`]),
    ...(hasOwn('content-type') ? [] : ['content-type: application/json']),
    ...(hasOwn('content-length') ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    `authorization: Bearer ${key}`,
    ...headers,
  ]
  const socket = await dial(running)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const answer = await new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      if (received.includes('\r\n\r\n')) resolve(received)
    })
    socket.on('close', () => resolve(received))
  })
  socket.destroy()
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]),
    id: /^x-request-id: (\S+)/im.exec(answer)?.[1] ?? '',
  }
}

const posts: readonly (readonly [RefusedDoor, string])[] = [
  ['chat', 'v1/chat/completions'],
  ['completions', 'v1/completions'],
  ['responses', 'v1/responses'],
  ['messages', 'v1/messages'],
  ['token_count', 'v1/messages/count_tokens'],
  ['embeddings', 'v1/embeddings'],
  ['gemini', 'v1beta/models/auto:generateContent'],
  ['gemini_count', 'v1beta/models/auto:countTokens'],
]
const gets: readonly (readonly [RefusedDoor, string])[] = [
  ['models', 'v1/models'],
  ['requests', 'v1/requests/none'],
  ['openapi', 'openapi.json'],
]

type Case = readonly [code: string, Omit<Sent, 'path'>]

const anywhere: readonly Case[] = [
  ['host_not_allowed', { headers: ['host: evil.example'] }],
  ['origin_not_allowed', { headers: ['origin: https://evil.example'] }],
  ['method_not_allowed', { method: 'DELETE' }],
  ['invalid_api_key', { key: unknownKey }],
  ['router_not_found', { router: unknownRouter }],
]
const withBody: readonly Case[] = [
  ['unsupported_media_type', { headers: ['content-type: text/plain'], body: '{}' }],
  ['body_too_large', { headers: [`content-length: ${40 << 20}`] }],
  ['invalid_json', { body: '{"messages":' }],
  ['missing_required_parameter', { body: '{}' }],
]

/** @returns what was refused, as the answers say */
async function scriptedDay(): Promise<Refused[]> {
  const refused: Refused[] = []
  const refuse = async (door: RefusedDoor, code: string, sent: Sent) => {
    const { id, status } = await send(sent)
    expect({ door, code, isRefused: status >= 400 && status < 500 && id !== '' }).toEqual({
      door,
      code,
      isRefused: true,
    })
    refused.push({ door, code, id })
  }
  for (const [door, path] of posts) {
    for (const [code, sent] of [...anywhere, ...withBody])
      await refuse(door, code, { path, ...sent })
    await refuse(door, 'router_access_denied', { path, router: foreignRouter })
  }
  for (const [door, path] of gets) {
    for (const [code, sent] of anywhere) await refuse(door, code, { method: 'GET', path, ...sent })
  }
  const chat = { path: 'chat/completions', body: JSON.stringify(hello) }
  const named = (model: string) => JSON.stringify({ ...hello, model })
  await send({ ...chat, router: limitedRouter })
  await refuse('chat', 'daily_limit_exceeded', { ...chat, router: limitedRouter })
  await refuse('chat', 'model_not_found', { ...chat, body: named('fake:none') })
  await refuse('chat', 'agent_not_found', { ...chat, body: named('agent:none') })
  await refuse('requests', 'request_not_found', { method: 'GET', path: 'v1/requests/none' })
  await refuse('metrics', 'router_access_denied', { method: 'GET', path: '/metrics' })
  await refuse('other', 'endpoint_not_found', { method: 'GET', path: '/elsewhere' })
  const upgrade = ['connection: upgrade', 'upgrade: websocket']
  await refuse('responses', 'websocket_unsupported', {
    method: 'GET',
    path: 'v1/responses',
    headers: upgrade,
  })
  const long = [`x-long: ${'x'.repeat(20_000)}`]
  await refuse('connection', 'headers_too_large', { ...chat, headers: long })
  await refuse('connection', 'invalid_parameter', { ...chat, headers: ['not a header'] })
  return refused
}

test('each refusal of a day is found by its id, in the counts, the metrics and the command line', async () => {
  const { service, dataDir } = running
  const { read } = await openMetrics(running)
  const day = await scriptedDay()

  await expect.poll(() => service.usage.refusals.newest({ limit: 10_000 })).toHaveLength(day.length)
  const newest = await service.usage.refusals.newest({ limit: 10_000 })
  const found = newest.map(({ id, door, code }) => ({ id, door, code }))
  expect(found.toReversed()).toEqual(day)

  const expected = new Map<string, number>()
  for (const { door, code } of day) {
    const name = `${code} ${door}`
    expected.set(name, (expected.get(name) ?? 0) + 1)
  }
  const sumUp = (counted: readonly { name: string; count: number }[]) => {
    const sums = new Map<string, number>()
    for (const { name, count } of counted) sums.set(name, (sums.get(name) ?? 0) + count)
    return Object.fromEntries(sums)
  }
  const wanted = Object.fromEntries(expected)
  const counts = await service.usage.refusals.counts({ sinceMs: 0 })
  expect(sumUp(counts.map((one) => ({ ...one, name: `${one.code} ${one.door}` })))).toEqual(wanted)

  const samples = (await read()).samplesOf('modelport_refusals_total')
  const measured = samples.map(({ labels, value }) => ({
    name: `${labels['code']} ${labels['door']}`,
    count: value,
  }))
  expect(sumUp(measured)).toEqual(wanted)

  const { json } = newModelport(dataDir)
  const printed = await json('usage', '--refused')
  const named = printed.map((one) => ({
    name: `${String(one['code'])} ${String(one['door'])}`,
    count: Number(one['count']),
  }))
  expect(sumUp(named)).toEqual(wanted)
  const shown = await json('requests', '--refused', '--limit', '10000')
  expect(shown.map((one) => one['id']).toReversed()).toEqual(day.map(({ id }) => id))
})

test('a refusal names its key and its router, if they exist', async () => {
  const { service, routerId } = running
  const path = 'chat/completions'
  const { id: ofKey } = await send({ path, body: '{}' })
  const { id: ofNobody } = await send({ path, key: unknownKey })
  const { id: ofNoRouter } = await send({ path, router: unknownRouter })
  const find = async (id: string) =>
    (await service.usage.refusals.newest({ limit: 10 })).find((one) => one.id === id)

  await expect.poll(() => find(ofNoRouter)).toMatchObject({ apiKeyId: narrow.id, routerId: null })
  expect(await find(ofNobody)).toMatchObject({ apiKeyId: null, routerId })
  expect(await find(ofKey)).toMatchObject({ apiKeyId: narrow.id, routerId })
})

test('a key finds its own refusals by their ids, and no others', async () => {
  const { get, routerId } = running
  const { id } = await send({ path: 'v1/chat/completions', body: '{}' })
  const ask = (key: string) =>
    get(`v1/requests/${id}`, { headers: { authorization: `Bearer ${key}` } })

  await expect.poll(async () => (await ask(narrow.key)).status).toBe(200)
  expect(await (await ask(narrow.key)).json()).toEqual({
    object: 'modelport.refusal',
    created: expect.any(Number),
    id,
    apiKeyId: narrow.id,
    routerId,
    door: 'chat',
    status: 400,
    errorCode: 'missing_required_parameter',
  })
  expect((await ask(running.apiKey)).status).toBe(404)
})

test('an error that has a row in the ledger is no refusal', async () => {
  const { post, service, ledger } = running
  const answer = await post('chat/completions', { ...hello, model: 'fake:down' })
  expect(answer.status).toBe(400)
  await ledger(2)
  const { id } = await send({ path: 'chat/completions', body: '{}' })

  const ids = async () =>
    (await service.usage.refusals.newest({ limit: 10_000 })).map((one) => one.id)
  await expect.poll(ids).toContain(id)
  expect(await ids()).not.toContain(answer.headers.get('x-request-id'))
})

test('a request without TLS is a refusal', async () => {
  const { service, origin } = running
  const { connect } = await import('node:net')
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\n\r\n')
  const id = /x-request-id: (\S+)/.exec(await text(socket))?.[1]

  await expect
    .poll(async () => (await service.usage.refusals.newest({ limit: 1 }))[0])
    .toMatchObject({ id, code: 'https_required', door: 'connection', apiKeyId: null })
})
