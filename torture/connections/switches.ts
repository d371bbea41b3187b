/**
 * Uses each connection that a service can open once while it is on and once while it is switched off, with a mark for the
 * recorder before each. Prints what the user was told as a line of JSON. Runs in the network of record.py.
 */
import { createSocket } from 'node:dgram'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readValkeyUrl } from '../../src/service/shared-state/valkey/url.ts'
import { startService, type Service, type ServiceOptions } from '../../src/service/service.ts'
import { switchableConnections, type ConnectionId } from '../../src/shared/app/connections.ts'

/** @returns what the user is told */
type Use = (service: Service) => Promise<unknown>

/** What a user does to open each connection. */
const uses: Partial<Record<ConnectionId, Use>> = {
  providers: ({ dashboard }) => dashboard.testProvider('openai'),
  awsSignIn: ({ dashboard }) => dashboard.testProvider('bedrock'),
  localServers: ({ dashboard }) => dashboard.findServers(),
  catalog: ({ dashboard }) => dashboard.catalog.check(),
  modelDownloads: async ({ localModels, localModel }) => {
    const [model] = await localModels.list()
    return [await localModels.download(model?.name ?? ''), localModel.state()]
  },
  alertWebhook: (service) => service.testWebhook(),
}

// A keyring of this computer is no part of it.
process.env['DBUS_SESSION_BUS_ADDRESS'] = 'disabled:'
const marks = createSocket('udp4')

/** Waits until what came before is recorded. */
async function mark(name: string): Promise<void> {
  await sleep(300)
  await new Promise((resolve) => marks.send(name, 9, '203.0.113.99', resolve))
  await sleep(100)
}

async function start(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'modelport-switches-'))
  return await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    holder: 'serve',
    port: 0,
    allowSessionSecrets: true,
    env: {},
    ...options,
  })
}

async function tell(name: string, use: () => Promise<unknown>): Promise<void> {
  await mark(name)
  try {
    const told = (await use()) ?? null
    process.stdout.write(`${JSON.stringify({ name, told })}\n`)
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error)
    process.stdout.write(`${JSON.stringify({ name, told })}\n`)
  }
}

/** A request that no server answers is measured as well. */
async function askOnce({ dashboard, endpoint }: Service): Promise<void> {
  const baseUrl = 'http://127.0.0.1:9/v1'
  await dashboard.addProvider({ id: 'mine', type: 'openai-compatible', baseUrl })
  await dashboard.saveModel({ id: 'mine:model', inputUsdPerMtok: 1, outputUsdPerMtok: 1 })
  const router = await dashboard.createRouter({
    name: 'Mine',
    strategy: 'priority',
    models: ['mine:model'],
  })
  const { key } = await dashboard.createApiKey({ name: 'mine', routers: 'all' })
  const state = endpoint()
  if (state.status !== 'listening') throw new Error('The endpoint does not listen.')
  const answer = await fetch(`${state.httpUrl}/api/router/${router.id}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.text()
}

const service = await start()
const { dashboard } = service
await dashboard.addProvider({ id: 'openai', type: 'openai', apiKey: 'sk-not-a-real-key' })
const options = { region: 'eu-central-1', credentials: 'default-chain' }
await dashboard.addProvider({ id: 'bedrock', type: 'bedrock', options })
await dashboard.setSetting('alertWebhook', 'https://hooks.example.com/alerts')
for (const [id, use] of Object.entries(uses)) await tell(`${id} on`, () => use(service))
for (const [id, use] of Object.entries(uses)) {
  await dashboard.setSetting('connectionsOff', [id])
  await tell(`${id} off`, () => use(service))
}
await dashboard.setSetting('connectionsOff', switchableConnections)
await tell('all off', async () => {
  for (const use of Object.values(uses)) await use(service).catch(() => null)
})
await tell('ownPort on', async () => (await service.diagnostics.security()).length)
await mark('end')
await service.close()

const proxied = await start({ env: { HTTPS_PROXY: 'http://proxy.example.com:3128' } })
await tell('proxy on', () => proxied.dashboard.catalog.check())
await mark('end')
await proxied.close()

const address = readValkeyUrl('valkey://valkey.example.com:6379')
if (address === null) throw new Error('The address of Valkey is not valid.')
await tell('valkey on', async () => {
  const sharing = await start({ shared: { address, sealingKey: null } })
  await sharing.close()
})
await tell('postgres on', () =>
  start({ database: 'postgres://modelport:secret@postgres.example.com:5432/data' }),
)
await tell('telemetry on', async () => {
  const telemetry = {
    url: new URL('http://collector.example.com:4318'),
    headers: {},
    resource: {},
    sampleRatio: 1,
  }
  const measured = await start({ telemetry, httpPort: 0 })
  await askOnce(measured)
  await measured.close()
})
await mark('end')
marks.close()
// A database that could not be reached leaves timers.
process.exit(0)
