import { expect, test } from 'vitest'
import { StorageConflict, type Storage } from '../../src/service/storage/storage.ts'
import { sampleApiKey, sampleProvider, sampleRouter } from './samples.ts'

type Use = () => Storage

export function describeConfiguration(storage: Use): void {
  const read = () => storage().configuration.read()

  test('returns providers, models, routers, keys and settings as they were stored', async () => {
    const { configuration } = storage()
    const provider = sampleProvider({
      baseUrl: 'https://x.test/v1',
      options: { organization: 'o' },
    })
    const model = {
      id: 'openai:gpt-5',
      inputUsdPerMtok: 0.0375,
      outputUsdPerMtok: 0.15,
      contextTokens: 128_000,
      refuses: ['temperature' as const],
      capabilities: ['tools' as const, 'json' as const],
    }
    await configuration.insertProvider(provider)
    await configuration.saveModel(model)
    await configuration.insertRouter(sampleRouter())
    await configuration.insertApiKey(sampleApiKey({ routers: ['router_a'], metrics: true }))
    await configuration.setSetting('port', 7000)
    const found = await read()
    expect(found.providers).toEqual([provider])
    expect(found.models).toEqual([model])
    expect(found.routers).toEqual([sampleRouter()])
    expect(found.apiKeys).toEqual([sampleApiKey({ routers: ['router_a'], metrics: true })])
    expect(found.settings).toEqual({ port: 7000 })
  })

  test('records what changed in a router, in the same write, and forgets it with the router', async () => {
    const { configuration } = storage()
    const router = sampleRouter({ strategy: 'priority' })
    await configuration.insertRouter(router)
    expect(await configuration.routerChanges(router.id)).toEqual([])
    await configuration.updateRouter({ ...router, name: 'Renamed', updatedAtMs: 2 })
    await configuration.updateRouter({ ...router, strategy: 'balanced', updatedAtMs: 3 })
    const [changed = router] = (await read()).routers
    const models = [...changed.models, 'openai:gpt-5-mini']
    const none = { save: [], remove: [] }
    await configuration.apply({
      version: await configuration.version(),
      providers: none,
      models: none,
      routers: { save: [{ ...changed, models, updatedAtMs: 4 }], remove: [] },
      agents: none,
      settings: { save: {}, remove: [] },
    })
    expect(await configuration.routerChanges(router.id)).toEqual([
      { atMs: 4, fields: [{ field: 'model', from: null, to: 'openai:gpt-5-mini' }] },
      { atMs: 3, fields: [{ field: 'strategy', from: 'priority', to: 'balanced' }] },
    ])
    await configuration.removeRouter(router.id)
    expect(await configuration.routerChanges(router.id)).toEqual([])
  })

  test('starts empty at version 0, which identifies a first start', async () => {
    expect(await read()).toEqual({
      version: 0,
      providers: [],
      models: [],
      listedModels: {},
      routers: [],
      apiKeys: [],
      agents: [],
      settings: {},
    })
  })

  test('increases its version by at least one with every change', async () => {
    const { configuration } = storage()
    const before = await configuration.version()
    await configuration.insertRouter(sampleRouter())
    await configuration.setSetting('theme', 'dark')
    const after = await configuration.version()
    expect(after).toBeGreaterThanOrEqual(before + 2)
    expect((await read()).version).toBe(after)
  })

  test('keeps its version when nothing changed', async () => {
    const { configuration } = storage()
    const before = await configuration.version()
    await configuration.removeRouter('router_none')
    await configuration.touchApiKeys({})
    expect(await configuration.version()).toBe(before)
  })

  test('refuses a second provider with the same id, and keeps the first', async () => {
    const { configuration } = storage()
    await configuration.insertProvider(sampleProvider())
    const second = configuration.insertProvider(sampleProvider({ type: 'groq' }))
    await expect(second).rejects.toBeInstanceOf(StorageConflict)
    expect((await read()).providers).toEqual([sampleProvider()])
  })

  test('keeps the other changes when one of them fails', async () => {
    const { configuration } = storage()
    const outcomes = await Promise.allSettled([
      configuration.insertProvider(sampleProvider({ id: 'a' })),
      configuration.insertProvider(sampleProvider({ id: 'a' })),
      configuration.insertProvider(sampleProvider({ id: 'b' })),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await read()).providers.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('deletes the model list of a removed provider', async () => {
    const { configuration } = storage()
    await configuration.insertProvider(sampleProvider())
    await configuration.setListedModels('openai', ['gpt-5', 'gpt-5-mini'])
    expect((await read()).listedModels).toEqual({ openai: ['gpt-5', 'gpt-5-mini'] })
    expect(await configuration.removeProvider('openai')).toBe(true)
    expect((await read()).listedModels).toEqual({})
    expect(await configuration.removeProvider('openai')).toBe(false)
  })

  test('raises the key revision of a provider, and keeps it when the provider is saved', async () => {
    const { configuration } = storage()
    await configuration.insertProvider(sampleProvider())
    const before = await configuration.version()
    expect(await configuration.raiseKeyRevision('openai')).toBe(true)
    const version = await configuration.version()
    expect(version).toBeGreaterThan(before)
    const none = { save: [], remove: [] }
    const changed = sampleProvider({ options: { organization: 'o' } })
    await configuration.apply({
      version,
      providers: { save: [changed], remove: [] },
      models: none,
      routers: none,
      agents: none,
      settings: { save: {}, remove: [] },
    })
    expect((await read()).providers).toEqual([{ ...changed, keyRevision: 1 }])
    expect(await configuration.raiseKeyRevision('none')).toBe(false)
  })

  test('changes the address of a provider, and raises its key revision', async () => {
    const { configuration } = storage()
    await configuration.insertProvider(sampleProvider())
    const before = await configuration.version()
    const changed = sampleProvider({ baseUrl: 'https://gateway.test/v1', privateNetwork: true })
    expect(await configuration.updateProvider(changed)).toBe(true)
    expect((await read()).providers).toEqual([{ ...changed, keyRevision: 1 }])
    expect(await configuration.version()).toBeGreaterThan(before)
    expect(await configuration.updateProvider(sampleProvider({ id: 'none' }))).toBe(false)
  })

  test('replaces the list of a provider that was tested again', async () => {
    const { configuration } = storage()
    await configuration.setListedModels('openai', ['gpt-4'])
    await configuration.setListedModels('openai', ['gpt-5'])
    expect((await read()).listedModels).toEqual({ openai: ['gpt-5'] })
  })

  test('replaces the figures of a model that is saved again', async () => {
    const { configuration } = storage()
    const model = { id: 'a:b', inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 1000 }
    await configuration.saveModel({ ...model, quality: 0.5 })
    await configuration.saveModel({ ...model, inputUsdPerMtok: 3 })
    expect((await read()).models).toEqual([{ ...model, inputUsdPerMtok: 3, capabilities: [] }])
  })

  test('updates and removes a router, and reports when there is none', async () => {
    const { configuration } = storage()
    const changed = sampleRouter({
      name: 'Fast',
      models: ['a:b'],
      tier: 'enterprise',
      dailyLimit: 5,
      cacheTtlSeconds: 3600,
      timeLimits: { firstTokenMs: 9_000 },
      hedge: { afterMs: 'auto' as const, maxExtraPercent: 2.5 },
      requestsPerMinute: 60,
      budgetUsdPerDay: 0.000000001,
      budgetUsdPerMonth: 999_999.999999999,
    })
    expect(await configuration.updateRouter(changed)).toBe(false)
    await configuration.insertRouter(sampleRouter())
    expect(await configuration.updateRouter(changed)).toBe(true)
    expect((await read()).routers).toEqual([changed])
    expect(await configuration.removeRouter(changed.id)).toBe(true)
    expect(await configuration.removeRouter(changed.id)).toBe(false)
  })

  test('keeps settings of every JSON form', async () => {
    const { configuration } = storage()
    await configuration.setSetting('httpPort', null)
    await configuration.setSetting('allowedOrigins', ['https://a.test'])
    await configuration.setSetting('httpPort', 8080)
    expect((await read()).settings).toEqual({ allowedOrigins: ['https://a.test'], httpPort: 8080 })
  })
}

export function describeApiKeys(storage: Use): void {
  const stored = async () => (await storage().configuration.read()).apiKeys[0]

  test('refuses a key with an existing hash', async () => {
    const { configuration } = storage()
    await configuration.insertApiKey(sampleApiKey())
    const second = configuration.insertApiKey(sampleApiKey({ id: 'key-2' }))
    await expect(second).rejects.toBeInstanceOf(StorageConflict)
  })

  test('stores each switch of a key', async () => {
    const { configuration } = storage()
    const switches = { acceptAnyModel: true, metrics: true, explain: true, keepAlive: false }
    await configuration.insertApiKey(sampleApiKey(switches))
    expect(await stored()).toEqual(sampleApiKey(switches))
  })

  test('keeps the time a key was first revoked', async () => {
    const { configuration } = storage()
    await configuration.insertApiKey(sampleApiKey())
    expect(await configuration.revokeApiKey('key-1', 50)).toBe(true)
    expect(await configuration.revokeApiKey('key-1', 60)).toBe(true)
    expect((await stored())?.revokedAtMs).toBe(50)
    expect(await configuration.revokeApiKey('key-none', 50)).toBe(false)
  })

  test('never extends the life of a key with a grace period', async () => {
    const { configuration } = storage()
    await configuration.insertApiKey(sampleApiKey({ expiresAtMs: 100 }))
    expect(await configuration.expireApiKey('key-1', 500)).toBe(true)
    expect((await stored())?.expiresAtMs).toBe(100)
    await configuration.expireApiKey('key-1', 40)
    expect((await stored())?.expiresAtMs).toBe(40)
  })

  test('stores the latest use of a key without a new version', async () => {
    const { configuration } = storage()
    await configuration.insertApiKey(sampleApiKey())
    const before = await configuration.version()
    await configuration.touchApiKeys({ 'key-1': 70 })
    await configuration.touchApiKeys({ 'key-1': 60, 'key-none': 80 })
    expect((await stored())?.lastUsedAtMs).toBe(70)
    expect(await configuration.version()).toBe(before)
  })
}
