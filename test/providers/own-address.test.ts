/** A provider whose address is Modelport's own would make it ask itself forever. */
import dns from 'node:dns'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'

const ends: (() => Promise<void>)[] = []
let running: TestService
let ports: { http: string; https: string }

beforeAll(async () => {
  running = await startTestService({ service: { httpPort: 0 } }, (end) => ends.push(end))
  const state = running.service.endpoint()
  if (state.status !== 'listening' || state.httpUrl === null) throw new Error('not listening')
  ports = { http: new URL(state.httpUrl).port, https: new URL(state.url).port }
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => vi.restoreAllMocks())

async function testAt(origin: string) {
  const { service, routerId, apiKey } = running
  const baseUrl = `${origin}/api/router/${routerId}/v1`
  const type = 'openai-compatible'
  await service.dashboard.addProvider({ id: 'loop', type, baseUrl, apiKey, privateNetwork: true })
  const tested = await service.dashboard.testProvider('loop')
  await service.dashboard.removeProvider('loop')
  return tested
}

const refused = {
  ok: false,
  message: expect.stringContaining('the address is Modelport’s own'),
}

test.each(['127.0.0.1', 'localhost', '[::1]', '127.8.8.8'])(
  'Modelport refuses to ask itself at %s, over HTTP and HTTPS',
  async (host) => {
    expect(await testAt(`http://${host}:${ports.http}`)).toMatchObject(refused)
    expect(await testAt(`https://${host}:${ports.https}`)).toMatchObject(refused)
    expect(await running.ledger(0)).toEqual([])
  },
)

test('Modelport refuses to ask itself at a name that leads to this computer', async () => {
  const loopback = [{ address: '127.0.0.1', family: 4 }]
  vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
    const callback = args.at(-1) as (error: null, found: unknown) => void
    callback(null, loopback)
  })
  expect(await testAt(`http://team.example:${ports.http}`)).toMatchObject(refused)
})
