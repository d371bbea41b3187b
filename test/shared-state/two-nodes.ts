/** Two services with one configuration and one Redis: two nodes behind a balancer, in one process. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { RouterInput } from '../../src/shared/entities.ts'
import { readValkeyUrl } from '../../src/service/shared-state/valkey/url.ts'
import { startService, type Service, type ServiceOptions } from '../../src/service/service.ts'
import { startFakeProvider, type FakeModelScript, type FakeProvider } from '../fake-provider.ts'
import { addFakeRouter, createClient, trustEndpoint, type TestService } from '../test-service.ts'
import { sealingKey } from './nodes.ts'

type Client = Pick<TestService, 'get' | 'post'>

export interface TwoNodes {
  fake: FakeProvider
  routerId: string
  one: Client & { service: Service }
  two: Client & { service: Service }
}

interface TwoNodesOptions {
  /** URL of Redis. */
  url: string
  models: Readonly<Record<string, FakeModelScript>>
  router?: Partial<RouterInput>
}

/** @param atEnd  when everything ends */
export async function startTwoNodes(
  options: TwoNodesOptions,
  atEnd: (end: () => Promise<void>) => void,
): Promise<TwoNodes> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-nodes-'))
  atEnd(() => rm(folder, { recursive: true, maxRetries: 5 }))
  const fake = await startFakeProvider({ models: options.models })
  atEnd(() => fake.close())
  const configured = await configure(join(folder, 'one'), fake, options)
  await cp(join(folder, 'one'), join(folder, 'two'), { recursive: true })
  const start = async (name: string) => {
    const address = readValkeyUrl(options.url)
    if (address === null) throw new Error(`${options.url} is no address`)
    const service = await startNode(join(folder, name), fake, { shared: { address, sealingKey } })
    atEnd(() => service.close())
    const { origin, dispatcher } = await trustEndpoint(service)
    atEnd(() => dispatcher.close())
    const routerUrl = `${origin}/api/router/${configured.routerId}`
    const node = { service, ...createClient({ routerUrl, key: configured.key, dispatcher }) }
    // A start waits for Valkey for half a second only, which is too short on a busy machine.
    const metrics = async () => await (await node.get('/metrics')).text()
    const connected = 'modelport_shared_state_connected 1'
    await vi.waitFor(async () => expect(await metrics()).toContain(connected), 60_000)
    return node
  }
  return { fake, routerId: configured.routerId, one: await start('one'), two: await start('two') }
}

async function configure(
  dataDir: string,
  fake: FakeProvider,
  { models, router = {} }: TwoNodesOptions,
): Promise<{ routerId: string; key: string }> {
  const service = await startNode(dataDir, fake, {})
  try {
    const { id } = await addFakeRouter(service, fake, { models, router, apiKey: null })
    const { key } = await service.dashboard.createApiKey({
      name: 'test',
      routers: 'all',
      metrics: true,
    })
    return { routerId: id, key }
  } finally {
    await service.close()
  }
}

function startNode(
  dataDir: string,
  fake: FakeProvider,
  options: Partial<ServiceOptions>,
): Promise<Service> {
  return startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    env: { MODELPORT_KEY_FAKE: 'sk-fake-provider-key' },
    holder: 'serve',
    port: 0,
    extraCa: fake.ca === null ? [] : [fake.ca],
    ...options,
  })
}
