/** Two nodes of the real service on one PostgreSQL database. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openPostgresStorage } from '../../src/service/storage/postgres/open-postgres-storage.ts'
import type { Preview } from '../../src/shared/routers/preview.ts'
import { startService } from '../../src/service/service.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { startCatalogSources } from '../management/fake-catalog-sources.ts'
import { openMetrics } from '../figures/open-metrics.ts'
import { readExposition } from '../figures/read-exposition.ts'
import { centPerToken, outcomeOf, price, usage } from '../limits/start-budgeted.ts'
import { postgresDatabase } from './postgres-database.ts'
import { createClient, hello, startTestService, trustEndpoint } from '../test-service.ts'

let database = ''
beforeEach(async () => {
  database = await postgresDatabase()
})

/** The key with which both nodes open the vault in the database. */
const env = { MODELPORT_VAULT_KEY: Buffer.alloc(32, 7).toString('base64') }

async function startNodes(
  model: FakeModelScript = {},
  router: { tier?: 'free'; budgetUsdPerDay?: number } = {},
  firstEnv: Record<string, string> = {},
) {
  const first = await startTestService({
    models: { model },
    router,
    service: { database, env: { ...env, ...firstEnv } },
  })
  await price(first, 'model', centPerToken)
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-test-'))
  const service = await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: false,
    database,
    env,
    holder: 'serve',
    port: 0,
    extraCa: first.fake.ca === null ? [] : [first.fake.ca],
  })
  const { origin, dispatcher } = await trustEndpoint(service)
  onTestFinished(async () => {
    await dispatcher.close()
    await service.close()
    await rm(dataDir, { recursive: true, maxRetries: 5 })
  })
  const routerUrl = `${origin}/api/router/${first.routerId}`
  return {
    first,
    second: {
      service,
      dataDir,
      origin,
      dispatcher,
      ...createClient({ routerUrl, key: first.apiKey, dispatcher }),
    },
  }
}

test('nodes on one database share routers, keys, the vault and the ledger', async () => {
  const { first, second } = await startNodes()

  const answers = await Promise.all(
    [first, second, second].map((node) => node.post('chat/completions', hello)),
  )

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await expect.poll(() => first.service.usage.requests({ limit: 10 })).toHaveLength(3)
  expect(await second.service.usage.requests({ limit: 10 })).toEqual(
    await first.service.usage.requests({ limit: 10 }),
  )
})

/** Outcomes of simultaneous requests, sent to both nodes in turn. */
async function outcomes({ first, second }: Awaited<ReturnType<typeof startNodes>>, count: number) {
  const nodes = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? first : second))
  const all = await Promise.all(nodes.map((node) => outcomeOf(node)))
  return (outcome: string) => all.filter((one) => one === outcome).length
}

test('two nodes together answer exactly the daily limit', async () => {
  const nodes = await startNodes({}, { tier: 'free' })
  const countOf = await outcomes(nodes, 300)
  expect(countOf('served')).toBe(100)
  expect(countOf('429 daily_limit_exceeded')).toBe(200)
})

test('two nodes spend all of a budget, and never more', async () => {
  const nodes = await startNodes({ usage: usage(10) }, { budgetUsdPerDay: 5 })
  const { first } = nodes
  const metrics = await openMetrics(first)
  const leasedUsd = async () => (await metrics.read()).valueOf('modelport_leased_usd')
  expect(await leasedUsd()).toBe(0)
  expect(await outcomeOf(first)).toBe('served')
  expect(await leasedUsd()).toBeGreaterThan(0)
  const countOf = await outcomes(nodes, 120)
  let served = 1 + countOf('served')
  expect(served - 1 + countOf('402 budget_exceeded')).toBe(120)
  // What the nodes leased and did not use is free again.
  await expect
    .poll(async () => (served += (await outcomeOf(nodes.second)) === 'served' ? 1 : 0))
    .toBe(50)
  expect(await outcomeOf(nodes.first)).toBe('402 budget_exceeded')
  await nodes.first.ledger(50)
  const rows = await nodes.second.service.usage.requests({ limit: 500 })
  expect(rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)).toBe(5_000_000_000)
})

test('a key that one node revoked is refused by the other, and its streams end', async () => {
  // A character each second: the last word would come long after the other node has heard of it.
  const text = 'one .......... two'
  const { first, second } = await startNodes({ text, chunks: text.length, chunkDelayMs: 1_000 })
  const stream = await second.post('chat/completions', { ...hello, stream: true })
  const [key] = await first.service.dashboard.apiKeys()

  await first.service.dashboard.revokeApiKey(key?.id ?? '')

  expect(await stream.text().catch(() => '')).not.toContain('"content":"w"')
  expect((await second.post('chat/completions', hello)).status).toBe(401)
})

test('each node has metrics of its own about the database', async () => {
  const { first, second } = await startNodes()
  const { key } = await first.service.dashboard.createApiKey({
    name: 'prometheus',
    routers: 'all',
    metrics: true,
  })
  const init = { headers: { authorization: `Bearer ${key}` } }
  await expect.poll(async () => (await second.get('/metrics', init)).status).toBe(200)

  const texts = await Promise.all(
    [first, second].map(async (node) => (await node.get('/metrics', init)).text()),
  )

  const [one, other] = texts.map((text) => readExposition(text))
  const nodes = [one, other].map((read) => read?.samplesOf('modelport_node_info')[0]?.labels)
  expect(nodes).toMatchObject([{ engine: 'postgres' }, { engine: 'postgres' }])
  expect(nodes[0]?.['node']).not.toBe(nodes[1]?.['node'])
  expect(Number(nodes[0]?.['schema'])).toBeGreaterThan(0)
  const states = one
    ?.samplesOf('modelport_database_connections')
    .map(({ labels }) => labels['state'])
  expect(states).toEqual(['used', 'idle', 'waiting'])
  expect(one?.valueOf('modelport_leased_budgets')).toBe(0)
  expect(one?.valueOf('modelport_configuration_version')).toBe(
    other?.valueOf('modelport_configuration_version'),
  )
})

test('a catalog that one node refreshes prices the requests of the other', async () => {
  const sources = await startCatalogSources()
  const { first, second } = await startNodes({ usage: usage(10) }, {}, sources.env)
  const { dashboard } = first.service
  await dashboard.addProvider({
    id: 'team',
    type: 'openai-compatible',
    baseUrl: first.fake.url,
    apiKey: 'sk-fake-provider-key',
    options: { 'model.model': 'openai:gpt-5.4' },
  })
  const router = await dashboard.createRouter({
    name: 'Team',
    strategy: 'priority',
    models: ['team:model'],
  })
  const { post } = createClient({
    routerUrl: `${second.origin}/api/router/${router.id}`,
    key: first.apiKey,
    dispatcher: second.dispatcher,
  })
  const costNanoUsd = async () => {
    const answer = await post('chat/completions', hello)
    await answer.text()
    const id = answer.headers.get('x-request-id')
    let cost: number | undefined
    await expect
      .poll(async () => {
        const rows = await second.service.usage.requests({ limit: 500 })
        return (cost = rows.find((row) => row.id === id)?.costNanoUsd)
      })
      .toBeDefined()
    return cost
  }
  await expect.poll(async () => (await post('chat/completions', hello)).status).toBe(200)
  // Five tokens of prompt and ten of answer.
  expect(await costNanoUsd()).toBe(5 * 2_500 + 10 * 15_000)

  await dashboard.catalog.apply((await dashboard.catalog.check()).token)
  const states = () => second.service.dashboard.catalog.state()
  await expect.poll(async () => (await states()).origin).toBe('downloaded')
  expect(await costNanoUsd()).toBe(5 * 3_000 + 10 * 18_000)

  const storage = await openPostgresStorage({ url: database })
  await storage.downloadedCatalog.save('{"formatVersion":1')
  await storage.close()
  const errors = async () => {
    const log = await readFile(join(second.dataDir, 'logs/modelport.log'), 'utf8').catch(() => '')
    return log.split('\n').filter((line) => line.includes('"where":"catalog"'))
  }
  await expect.poll(errors).toHaveLength(1)
  expect(await states()).toMatchObject({ origin: 'downloaded' })
  expect(await costNanoUsd()).toBe(5 * 3_000 + 10 * 18_000)

  await dashboard.catalog.reset()
  await expect.poll(async () => (await states()).origin).toBe('bundled')
  expect(await costNanoUsd()).toBe(5 * 2_500 + 10 * 15_000)
})

test('a node follows the choice which routers learn from a run of another node', async () => {
  const { first, second } = await startNodes()
  const quality = async () => {
    const headers = { 'x-modelport-preview': 'true' }
    const answer = await second.post('chat/completions', hello, { headers })
    const { expected } = (await answer.json()) as Preview
    return expected.quality.toFixed(4)
  }
  const before = await quality()
  const words = ['tides', 'bridges', 'verbs', 'taxes', 'violins', 'glaciers', 'bread', 'comets']
  const lines = Array.from({ length: 12 }, (_item, index) => {
    const topics = words.filter((_word, bit) => ((index + 1) >> bit) & 1).join(' and ')
    const check = { type: 'exact', expected: ['nothing that the model says'] }
    return JSON.stringify({ prompt: `What is known about ${topics}?`, check })
  })
  const prompts = { from: 'file' as const, name: 'own.jsonl', text: lines.join('\n') }
  const { routerId } = first
  const { id } = await first.service.tuning.start({ routerId, prompts, count: 12, capUsd: 100 })
  await first.service.tuning.ended(id)
  await expect.poll(quality).not.toBe(before)

  await first.service.tuning.apply({ id, to: 'none' })
  await expect.poll(quality).toBe(before)
  expect(await second.service.tuning.get(id)).toMatchObject({ appliesTo: 'none' })
  await second.service.tuning.apply({ id, to: 'router' })
  await expect.poll(quality).not.toBe(before)
})
