/** Changes while requests are in progress, and simultaneous changes by two processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../src/service/service.ts'
import { openWorkspace } from '../../src/service/wiring/workspace.ts'
import { asLateAsSockets } from '../http/as-late-as-sockets.ts'
import { chatRequest, dial } from '../http/raw-client.ts'
import { hello, startTestService } from '../test-service.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const two = { old: { text: 'old' }, new: { text: 'new' } }

test('a request that was still arriving does not restore earlier models', async () => {
  const running = await startTestService({ models: two, router: { models: ['fake:old'] } })
  const body = JSON.stringify(hello)
  const socket = await dial(running)

  // The router is looked up when the headers have arrived, its models when the body has.
  socket.write(chatRequest(running, '', body.length))
  await asLateAsSockets(100)
  await running.service.dashboard.updateRouter(running.routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:new'],
  })
  socket.write(body)
  await expect.poll(() => running.fake.requestCount()).toBe(1)
  const answer = await running.post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ model: 'fake:new' })
})

test('two processes that open a new folder at once create one router', async () => {
  for (let round = 0; round < 5; round += 1) {
    const dataDir = await temporaryFolder()
    const options = { dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: {} }

    const workspaces = await Promise.all([openWorkspace(options), openWorkspace(options)])

    const [first] = workspaces
    await first.configuration.refresh()
    expect(await first.dashboard.routers()).toHaveLength(1)
    expect(await first.dashboard.providers()).toHaveLength(1)
    for (const workspace of workspaces) await workspace.close()
  }
})

test('a key and a router work as soon as the process that creates them has stored them', async () => {
  const { post, dataDir, origin } = await startTestService()
  const options = { dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: {} }
  const { dashboard, close } = await openWorkspace(options)
  onTestFinished(() => close())

  for (const name of ['a', 'b', 'c']) {
    const { key } = await dashboard.createApiKey({ name, routers: 'all' })
    const headers = { authorization: `Bearer ${key}` }
    expect((await post('chat/completions', hello, { headers })).status).toBe(200)

    const models = ['fake:fake-model']
    const { id } = await dashboard.createRouter({ name, strategy: 'priority', models })
    const url = `${origin}/api/router/${id}/v1/messages`
    const answer = await post(url, { ...hello, max_tokens: 50 }, { headers })
    expect(answer.status).toBe(200)
  }
})

test('a stream continues when its model is removed from the router', async () => {
  const slow = { text: 'one two three four', chunks: 4, chunkDelayMs: 100 }
  const { post, service, routerId } = await startTestService({ models: { slow, other: {} } })

  const answer = await post('chat/completions', { ...hello, stream: true })
  await service.dashboard.updateRouter(routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:other'],
  })

  expect(await answer.text()).toMatch(/"model":"fake:slow".*"finish_reason":"stop"/s)
})

test.each(['not a host!', '', 'trailing.dot.', 'https://a.example', 'fe80::1%eth0'])(
  'the extra host %j is refused, because no certificate can contain it',
  async (host) => {
    const { service } = await startTestService()

    await expect(service.dashboard.setSetting('allowedHosts', [host])).rejects.toMatchObject({
      name: 'DashboardError',
      code: 'invalid',
    })
  },
)

test('an invalid extra host in the database does not stop the service from starting', async () => {
  const { service, dataDir } = await startTestService()
  await service.dashboard.setSetting('allowedHosts', ['host.docker.internal', '10.0.0.1', '::1'])
  await service.close()
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  db.exec(`UPDATE settings SET value = '["not a host!"]' WHERE name = 'allowedHosts'`)
  db.close()

  const options = { dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: {}, port: 0 }
  const again = await startService({ ...options, holder: 'serve' })
  onTestFinished(() => again.close())

  expect(again.endpoint().status).toBe('listening')
})
