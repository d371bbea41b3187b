/**
 * A request that fails every check is corrected step by step. Each error must be that of the next check in order
 * (contract section 3), so that no check can be probed without passing those before it.
 */
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { dial } from '../http/raw-client.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const unknownKey = 'mp_0000000000000000000000000000002C8GjS'
const unknownRouter = 'router_0000000000000000'

let running: TestService
/** A key that may use only the first two routers. */
let narrowKey = ''
/** A router whose limit of one request is used up, and whose model fails. */
let spentRouter = ''
let unlimitedRouter = ''
let foreignRouter = ''

const atEnd = endOfGroup()
beforeAll(async () => {
  const models = { down: { reply: errorReply(500) } }
  running = await startTestService({ models }, atEnd)
  const { dashboard } = running.service
  const router = { name: 'R', strategy: 'priority' as const, models: ['fake:down'] }
  const enterprise = { ...router, tier: 'enterprise' as const }
  spentRouter = (await dashboard.createRouter({ ...enterprise, dailyLimit: 1 })).id
  unlimitedRouter = (await dashboard.createRouter(enterprise)).id
  foreignRouter = running.routerId
  const routers = [spentRouter, unlimitedRouter]
  narrowKey = (await dashboard.createApiKey({ name: 'narrow', routers })).key
  await running.post(`${running.origin}/api/router/${spentRouter}/chat/completions`, hello, {
    headers: { authorization: `Bearer ${narrowKey}` },
  })
})

/** The parts of the request that are valid; the rest is not. */
interface Mended {
  host?: boolean
  origin?: boolean
  method?: boolean
  path?: boolean
  key?: boolean
  router?: string
  type?: boolean
  size?: boolean
  body?: boolean
}

async function send(mended: Mended): Promise<string> {
  const body = mended.body ? JSON.stringify(hello) : '{"messages":'
  const router = mended.router ?? unknownRouter
  const lines = [
    `${mended.method ? 'POST' : 'PUT'} /api/router/${router}/${mended.path ? 'chat/completions' : 'nothing'} HTTP/1.1`,
    `host: ${mended.host ? new URL(running.origin).host : 'evil.example'}`,
    ...(mended.origin ? [] : ['origin: https://evil.example']),
    `authorization: Bearer ${mended.key ? narrowKey : unknownKey}`,
    `content-type: ${mended.type ? 'application/json' : 'text/plain'}`,
    `content-length: ${mended.size ? body.length : 40 << 20}`,
    'connection: close',
  ]
  const socket = await dial(running)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const answer = await text(socket)
  return `${/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]} ${/"code":"(\w+)"/.exec(answer)?.[1]}`
}

test('each check precedes the later ones', async () => {
  const address = { host: true, origin: true, path: true, method: true }
  const known = { ...address, key: true, router: spentRouter }
  const whole = { ...known, type: true, size: true, body: true }

  expect(await send({})).toBe('421 host_not_allowed')
  expect(await send({ host: true })).toBe('403 origin_not_allowed')
  expect(await send({ host: true, origin: true })).toBe('404 endpoint_not_found')
  expect(await send({ host: true, origin: true, path: true })).toBe('405 method_not_allowed')
  expect(await send(address)).toBe('401 invalid_api_key')
  expect(await send({ ...address, key: true })).toBe('404 router_not_found')
  expect(await send({ ...known, router: foreignRouter })).toBe('403 router_access_denied')
  expect(await send(known)).toBe('415 unsupported_media_type')
  expect(await send({ ...known, type: true })).toBe('413 body_too_large')
  expect(await send({ ...known, type: true, size: true })).toBe('400 invalid_json')
  expect(await send(whole)).toBe('429 daily_limit_exceeded')
  expect(await send({ ...whole, router: unlimitedRouter })).toBe('503 all_models_unavailable')
})
