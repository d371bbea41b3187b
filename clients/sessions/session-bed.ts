/** The built service with a router for each vendor: the first account's model, then the second's. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOwnWorkspace } from '../../bench/targets.ts'
import { startServe, stop } from '../../bench/servers/start.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { startRelay, type Relay } from './relay.ts'
import { startVendor, vendorNames, type Vendor } from './vendors.ts'

export interface SessionBed {
  relay: Relay
  caFile: string
  key: string
  vendors: readonly { vendor: Vendor; routerId: string }[]
  rows(routerId: string): Promise<RequestRecord[]>
  folder: string
  close(): Promise<void>
}

export async function startSessionBed(): Promise<SessionBed> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-sessions-'))
  const dataDir = join(folder, 'data')
  const home = join(folder, 'home')
  await mkdir(home)
  const preparing = await openOwnWorkspace(dataDir)
  const { dashboard } = preparing
  const vendors = await Promise.all(vendorNames.map(async (name) => await startVendor(name)))
  const routed: { vendor: Vendor; routerId: string }[] = []
  for (const vendor of vendors) {
    for (const { id, server } of vendor.accounts) {
      const { name: type } = vendor
      const baseUrl = type === 'anthropic' ? server.origin : `${server.origin}/v1`
      const options = type === 'openai' ? { options: { api: 'responses' } } : {}
      await dashboard.addProvider({ id, type, baseUrl, apiKey: 'sk-ant-fake', ...options })
    }
    const models = vendor.accounts.map(({ id, model }) => `${id}:${model}`)
    const input = { name: vendor.name, models, strategy: 'priority', tier: 'enterprise' } as const
    routed.push({ vendor, routerId: (await dashboard.createRouter(input)).id })
  }
  const { key } = await dashboard.createApiKey({
    name: 'Agents',
    routers: 'all',
    acceptAnyModel: true,
  })
  await preparing.close()
  const env: Record<string, string> = { HOME: home }
  for (const { id } of vendors.flatMap(({ accounts }) => accounts)) {
    env[`MODELPORT_KEY_${id.toUpperCase().replaceAll('-', '_')}`] = 'sk-ant-fake'
  }
  const { url, caFile, child } = await startServe(dataDir, env)
  const workspace = await openOwnWorkspace(dataDir)
  const relay = await startRelay(url, await readFile(caFile, 'utf8'))
  return {
    relay,
    caFile,
    key,
    vendors: routed,
    folder,
    rows: async (routerId) => await workspace.storage.ledger.list({ routerId, limit: 1_000 }),
    close: async () => {
      await relay.close()
      await workspace.close()
      await stop(child)
      await Promise.all(vendors.map(async (vendor) => await vendor.close()))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
