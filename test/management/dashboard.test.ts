/** Invalid input, and the field that the error names. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { ProviderInput, RouterInput } from '../../src/shared/entities.ts'
import type { Dashboard } from '../../src/service/dashboard/dashboard.ts'
import { hello, startTestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let dashboard: Dashboard
const atEnd = endOfGroup()
beforeAll(async () => {
  const running = await startTestService({}, atEnd)
  dashboard = running.service.dashboard
})

const provider = (given: Partial<ProviderInput>): ProviderInput => ({
  id: 'mine',
  type: 'openai-compatible',
  baseUrl: 'https://api.example.com/v1',
  ...given,
})

const router = (given: Partial<RouterInput>): RouterInput => ({
  name: 'Mine',
  strategy: 'priority',
  models: ['fake:fake-model'],
  ...given,
})

/** The name, code and field, as the form and the command line use them. */
function refusal(code: string, field: string | null) {
  return expect.objectContaining({ name: 'DashboardError', code, field }) as unknown
}

describe('a provider', () => {
  test.each<[string, Partial<ProviderInput>, string, string | null]>([
    ['an id with capitals', { id: 'Mine' }, 'invalid', 'id'],
    ['a reserved id', { id: 'auto' }, 'invalid', 'id'],
    ['an id in use', { id: 'fake' }, 'conflict', 'id'],
    ['an unknown type', { type: 'nothing' }, 'invalid', 'type'],
    ['a missing address', { baseUrl: undefined }, 'invalid', 'baseUrl'],
    ['an invalid address', { baseUrl: 'example.com' }, 'invalid', 'baseUrl'],
    ['another protocol', { baseUrl: 'ftp://example.com' }, 'invalid', 'baseUrl'],
    ['plain http over a network', { baseUrl: 'http://example.com/v1' }, 'invalid', 'baseUrl'],
    [
      'a name that starts like a loopback address',
      { baseUrl: 'http://127.example.com' },
      'invalid',
      'baseUrl',
    ],
    ['a private address', { baseUrl: 'https://192.168.1.5/v1' }, 'invalid', 'baseUrl'],
    [
      'cloud metadata',
      { baseUrl: 'https://169.254.169.254', privateNetwork: true },
      'invalid',
      'baseUrl',
    ],
    ['a user in the address', { baseUrl: 'https://me:pw@example.com/v1' }, 'invalid', 'baseUrl'],
    ['a missing key', { type: 'openai', baseUrl: undefined }, 'invalid', 'apiKey'],
    ['an empty key', { apiKey: '' }, 'invalid', 'apiKey'],
    ['a blank key', { apiKey: '   ' }, 'invalid', 'apiKey'],
    ['a key with a line break in it', { apiKey: 'sk-one\nsk-two' }, 'invalid', 'apiKey'],
    ['a key with a typographic dash', { apiKey: 'sk–key' }, 'invalid', 'apiKey'],
  ])('with %s is refused', async (_what, given, code, field) => {
    await expect(dashboard.addProvider(provider(given))).rejects.toEqual(refusal(code, field))
  })

  test.each([
    'http://localhost:11434/v1',
    'http://127.0.0.1:1234/v1',
    'http://127.8.9.10/v1',
    'http://[::1]:8080',
  ])('on this computer may speak plain http: %s', async (baseUrl) => {
    const added = await dashboard.addProvider(provider({ id: 'here', baseUrl }))
    await dashboard.removeProvider('here')

    expect(added).toMatchObject({ id: 'here', baseUrl })
  })

  test('added twice at once is stored once, and the second call is refused', async () => {
    const outcomes = await Promise.allSettled([
      dashboard.addProvider(provider({ id: 'twice' })),
      dashboard.addProvider(provider({ id: 'twice' })),
    ])

    const refused = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    )
    expect(refused).toEqual([refusal('conflict', 'id')])
    await dashboard.removeProvider('twice')
  })

  test('used by a router cannot be removed', async () => {
    await expect(dashboard.removeProvider('fake')).rejects.toEqual(refusal('in_use', null))
    await expect(dashboard.removeProvider('fake')).rejects.toThrow('"Test"')
  })

  test('that does not exist is not found', async () => {
    const absent = refusal('not_found', 'id')

    await expect(dashboard.removeProvider('gone')).rejects.toEqual(absent)
    await expect(dashboard.testProvider('gone')).rejects.toEqual(absent)
    await expect(dashboard.setProviderKey('gone', 'sk-key')).rejects.toEqual(absent)
  })

  test('that does not exist is not found when there are no routers either', async () => {
    const { service } = await startTestService()
    for (const { id } of await service.dashboard.routers()) await service.dashboard.removeRouter(id)

    await expect(service.dashboard.removeProvider('gone')).rejects.toEqual(
      refusal('not_found', 'id'),
    )
  })

  test.each(['', '  ', 'sk-\u200Bkey'])('does not accept %j as a new key', async (apiKey) => {
    const refused = dashboard.setProviderKey('fake', apiKey)

    await expect(refused).rejects.toEqual(refusal('invalid', 'apiKey'))
  })

  test('shows the time of its last answer, also after one for a caller', async () => {
    const { service, post } = await startTestService({
      models: { 'fake-model': { firstByteDelayMs: 50 } },
    })
    await (await post('chat/completions', hello)).text()

    const [fake] = (await service.dashboard.providers()).filter(({ id }) => id === 'fake')
    expect(fake?.health).toMatchObject({ status: 'ok' })
    expect(fake?.health.status === 'ok' && fake.health.latencyMs).toBeGreaterThanOrEqual(45)
  })

  test('lists its models when it is tested, and reports the problem when it cannot be reached', async () => {
    const { service, fake } = await startTestService()
    expect(await service.dashboard.testProvider('fake')).toMatchObject({
      ok: true,
      models: ['fake-model'],
    })
    await fake.close()

    expect(await service.dashboard.testProvider('fake')).toMatchObject({
      ok: false,
      problem: 'unreachable',
    })
  })
})

describe('a router', () => {
  test.each<[string, Partial<RouterInput>, string, string | null]>([
    ['no name', { name: '  ' }, 'invalid', 'name'],
    ['no model', { models: [] }, 'invalid', 'models'],
    ['a model without a provider', { models: ['nothing'] }, 'invalid', 'models.0'],
    ['an unknown provider', { models: ['gone:model'] }, 'invalid', 'models'],
    ['an unknown model', { models: ['fake:unknown'] }, 'invalid', 'models'],
    ['a model twice', { models: ['fake:fake-model', 'fake:fake-model'] }, 'invalid', 'models'],
    ['a custom limit in a fixed tier', { dailyLimit: 5 }, 'invalid', 'dailyLimit'],
    ['a limit of 0', { tier: 'enterprise', dailyLimit: 0 }, 'invalid', 'dailyLimit'],
  ])('with %s is refused', async (_what, given, code, field) => {
    await expect(dashboard.createRouter(router(given))).rejects.toEqual(refusal(code, field))
  })

  test('with a model without a price is refused, and the error asks for one', async () => {
    const { service, fake } = await startTestService()
    fake.setModel('unpriced', {})
    await service.dashboard.testProvider('fake')

    const refused = service.dashboard.createRouter(router({ models: ['fake:unpriced'] }))

    await expect(refused).rejects.toEqual(refusal('invalid', 'models'))
    await expect(refused).rejects.toThrow('has no price')
  })

  test('that does not exist cannot be changed or removed', async () => {
    const absent = refusal('not_found', 'id')

    await expect(dashboard.updateRouter('router_gone', router({}))).rejects.toEqual(absent)
    await expect(dashboard.removeRouter('router_gone')).rejects.toEqual(absent)
  })
})

describe('a key', () => {
  test.each([
    ['no name', { name: '', routers: 'all' as const }, 'name'],
    ['no router', { name: 'k', routers: [] }, 'routers'],
    ['an unknown router', { name: 'k', routers: ['router_gone'] }, 'routers'],
    [
      'an expiry in the past',
      { name: 'k', routers: 'all' as const, expiresAtMs: 1 },
      'expiresAtMs',
    ],
  ])('with %s is refused', async (_what, input, field) => {
    await expect(dashboard.createApiKey(input)).rejects.toEqual(refusal('invalid', field))
  })

  test('that does not exist cannot be revoked or rotated', async () => {
    const absent = refusal('not_found', 'id')

    await expect(dashboard.revokeApiKey('key_gone')).rejects.toEqual(absent)
    await expect(dashboard.rotateApiKey('key_gone', 0)).rejects.toEqual(absent)
  })

  test('that is revoked cannot be rotated, and keeps the first time of revocation', async () => {
    const { apiKey } = await dashboard.createApiKey({ name: 'old', routers: 'all' })
    const first = await dashboard.revokeApiKey(apiKey.id)
    const again = await dashboard.revokeApiKey(apiKey.id)

    expect(again.revokedAtMs).toBe(first.revokedAtMs)
    await expect(dashboard.rotateApiKey(apiKey.id, 0)).rejects.toEqual(refusal('invalid', 'id'))
  })

  test('that is rotated has a successor with its rights, and ends after the grace period', async () => {
    const rights = {
      name: 'tool',
      routers: 'all' as const,
      environment: 'prod' as const,
      acceptAnyModel: true,
      metrics: true,
      explain: true,
      keepAlive: false,
      expiresAtMs: Date.now() + 30 * 86_400_000,
      budgetUsdPerDay: 5,
      budgetUsdPerMonth: 50,
    }
    const { apiKey } = await dashboard.createApiKey(rights)

    const created = await dashboard.rotateApiKey(apiKey.id, 3_600_000)

    expect(created.apiKey).toMatchObject(rights)
    const old = (await dashboard.apiKeys()).find(({ id }) => id === apiKey.id)
    expect(old?.expiresAtMs).toBeGreaterThan(Date.now() + 3_500_000)
    expect(old?.expiresAtMs).toBeLessThanOrEqual(Date.now() + 3_600_000)
  })

  test('that was rotated cannot be rotated again, and the error names its successor', async () => {
    const { apiKey } = await dashboard.createApiKey({ name: 'tool', routers: 'all' })
    const successor = await dashboard.rotateApiKey(apiKey.id, 3_600_000)

    const again = dashboard.rotateApiKey(apiKey.id, 0)

    await expect(again).rejects.toEqual(refusal('invalid', 'id'))
    await expect(again).rejects.toThrow(successor.apiKey.id)
  })

  test('is listed without its hash', async () => {
    for (const key of await dashboard.apiKeys()) expect(Object.keys(key)).not.toContain('sha256')
    expect((await dashboard.apiKeys()).length).toBeGreaterThan(0)
  })
})

describe('a model', () => {
  const figures = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 1_000 }

  test.each([
    ['no provider in its id', { ...figures, id: 'nothing' }, 'id'],
    ['an unknown provider', { ...figures, id: 'gone:model' }, 'id'],
    ['a negative price', { ...figures, id: 'fake:m', inputUsdPerMtok: -1 }, 'inputUsdPerMtok'],
    ['no context', { ...figures, id: 'fake:m', contextTokens: 0 }, 'contextTokens'],
    ['a quality above 1', { ...figures, id: 'fake:m', quality: 2 }, 'quality'],
  ])('with %s is refused', async (_what, input, field) => {
    await expect(dashboard.saveModel(input)).rejects.toEqual(refusal('invalid', field))
  })
})

describe('a setting', () => {
  test.each([
    ['port', 70_000],
    ['port', '6778'],
    ['theme', 'pink'],
    ['bodyLimitMib', 0],
  ] as const)('%s of %j is refused', async (name, value) => {
    await expect(dashboard.setSetting(name, value)).rejects.toEqual(refusal('invalid', null))
  })

  test.each(['nothing', 'toString', '__proto__'])('%s is not a setting', async (name) => {
    // Any word, as the command line passes it on.
    const refused = dashboard.setSetting(name as 'port', 1)

    await expect(refused).rejects.toEqual(refusal('invalid', 'name'))
  })
})
