/** Tests that callers of keys are noted on each way in and at every door, survive a restart, and are not in the log. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { startService, type Service } from '../../src/service/service.ts'
import type { UnexpectedCall } from '../../src/shared/requests/unexpected-call.ts'
import { createClient, hello, startTestService, trustEndpoint } from '../test-service.ts'

const dayMs = 86_400_000
const firstDayMs = Date.now()
const foreign = '203.0.113.9'
const unknownKey = 'mp_0000000000000000000000000000002C8GjS'
// The proxy on this computer says who the client is.
const network = { trustedProxies: ['127.0.0.0/8', '::1'] }

type Client = Pick<ReturnType<typeof createClient>, 'post'>

interface Caller {
  program: string
  address?: string
  path?: string
  body?: object
  key?: string
}

/** A request through the proxy. @returns its status */
async function send(client: Client, caller: Caller): Promise<number> {
  const { program, address, path = 'v1/chat/completions', body = hello, key } = caller
  const headers = {
    'user-agent': program,
    'x-forwarded-proto': 'https',
    ...(address !== undefined && { 'x-forwarded-for': address }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const answer = await client.post(path, body, { headers })
  await answer.text()
  return answer.status
}

/** A key that two programs used on its first day, and the service two days later. */
async function startOnThirdDay() {
  const env = { MODELPORT_KEY_FAKE: 'sk-fake-provider-key' }
  const options = { env, network }
  const first = await startTestService({ service: { ...options, now: () => firstDayMs } })
  const { dataDir, apiKey: key, routerId } = first
  const input = { name: 'Other', strategy: 'priority' as const, models: ['fake:fake-model'] }
  const other = await first.service.dashboard.createRouter(input)
  expect(await send(first, { program: 'curl/8.5.0' })).toBe(200)
  expect(await send(first, { program: 'OpenAI/Python 1.2.3', address: '192.0.2.1' })).toBe(200)
  await first.service.close()

  const service = await startService({
    ...options,
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    holder: 'serve',
    port: 0,
    extraCa: first.fake.ca === null ? [] : [first.fake.ca],
    now: () => firstDayMs + 2 * dayMs,
  })
  onTestFinished(() => service.close())
  const { origin, dispatcher } = await trustEndpoint(service)
  onTestFinished(() => dispatcher.close())
  const clientOf = (router: string) =>
    createClient({ routerUrl: `${origin}/api/router/${router}`, key, dispatcher })
  const [apiKey] = await service.dashboard.apiKeys()
  return {
    service,
    dataDir,
    apiKey,
    other,
    client: clientOf(routerId),
    toOther: clientOf(other.id),
  }
}

async function openCalls(service: Service, count: number): Promise<UnexpectedCall[]> {
  const list = () => service.usage.unexpectedCalls.list()
  await expect.poll(list).toHaveLength(count)
  return await list()
}

test('a key’s first use from another program, address and router is told, once', async () => {
  const { service, dataDir, apiKey, other, client, toOther } = await startOnThirdDay()
  const told: unknown[] = []
  service.on('unexpected-call', (news) => told.push(news))
  // Known ones with another version, at another door; and a key that does not exist.
  expect(await send(client, { program: 'OpenAI/Python 9.9.9', address: '192.0.2.1' })).toBe(200)
  expect(await send(client, { program: 'curl/9', path: 'v1/models/none' })).toBe(405)
  expect(await send(client, { program: 'guess/1', key: unknownKey, address: foreign })).toBe(401)

  // Also a request that the body's checks refuse.
  expect(await send(client, { program: 'thief/1', path: 'v1/messages', body: {} })).toBe(400)
  const [program] = await openCalls(service, 1)
  const owner = { ownerKind: 'key', ownerId: apiKey?.id, amount: null, usual: null, others: 0 }
  expect(program).toMatchObject({ ...owner, kind: 'program', value: 'thief' })
  await send(client, { program: 'curl/9', address: foreign })
  await openCalls(service, 2)
  await send(toOther, { program: 'curl/9' })
  const [call] = (await openCalls(service, 3)).filter(({ kind }) => kind === 'router')
  expect(call).toMatchObject({ ...owner, value: other.id })

  await service.usage.unexpectedCalls.dismiss({ ownerId: apiKey?.id ?? '' })
  await send(client, { program: 'thief/2', address: foreign })
  await send(toOther, { program: 'thief/2' })
  await service.close()
  const toldOwner = { kind: 'key', id: apiKey?.id, name: 'test' }
  const kinds = ['program', 'address', 'router']
  expect(told).toEqual(kinds.map((kind) => ({ owner: toldOwner, kind })))
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  const callers = db.prepare('SELECT value FROM key_callers WHERE kind <> ?').pluck().all('router')
  const calls = db.prepare('SELECT * FROM unexpected_calls').all()
  db.close()
  expect(callers).toEqual(['192.0.2.1', foreign, 'localhost', 'OpenAI/Python', 'curl', 'thief'])
  expect(calls).toEqual([])
  const log = await readFile(join(dataDir, 'logs', 'modelport.log'), 'utf8')
  expect(log).toMatch(/a call was not expected.*address/)
  expect(log).not.toContain(foreign)
})
