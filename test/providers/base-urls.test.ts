/** A provider's address can be changed, and its key stays with the scheme, host and port it was entered for. */
import { expect, onTestFinished, test } from 'vitest'
import { startFakeProvider, type FakeProvider } from '../fake-provider.ts'
import { startTestService } from '../test-service.ts'

const firstKey = 'first-key-of-openai-1'
const secondKey = 'second-key-of-openai-2'

async function startGateway(): Promise<FakeProvider> {
  const gateway = await startFakeProvider({ tls: false, models: { 'gpt-5-mini': {} } })
  onTestFinished(() => gateway.close())
  return gateway
}

async function startWith(options: { env?: Record<string, string>; type?: string } = {}) {
  const { env = {}, type = 'openai' } = options
  const { service } = await startTestService({ service: { env } })
  const { dashboard } = service
  const [old, gateway] = await Promise.all([startGateway(), startGateway()])
  const apiKey = Object.keys(env).length > 0 ? {} : { apiKey: firstKey }
  await dashboard.addProvider({ id: 'team', type, baseUrl: old.url, ...apiKey })
  expect(await dashboard.testProvider('team')).toMatchObject({ ok: true })
  const shown = async () => (await dashboard.providers()).find(({ id }) => id === 'team')
  return { dashboard, old, gateway, shown }
}

const keysAt = ({ requests }: FakeProvider) => requests.map(({ headers }) => headers.authorization)

test('at another address the provider has no key until one is entered', async () => {
  const { dashboard, old, gateway, shown } = await startWith()

  const changed = await dashboard.updateProvider('team', { baseUrl: gateway.url })
  const tested = await dashboard.testProvider('team')

  const belongsTo = new URL(old.url).origin
  expect(changed).toMatchObject({ baseUrl: gateway.url, hasKey: false, keyBelongsTo: belongsTo })
  const message = `its key belongs to ${belongsTo}, so enter the key for ${new URL(gateway.url).origin}`
  expect(tested).toEqual({ ok: false, problem: 'key_missing', message })
  expect((await shown())?.health).toMatchObject({ status: 'failing', problem: 'key_missing' })
  expect(gateway.requests).toEqual([])

  await dashboard.setProviderKey('team', secondKey)

  expect(await dashboard.testProvider('team')).toMatchObject({ ok: true })
  expect(keysAt(gateway)).toEqual([`Bearer ${secondKey}`])
  expect(await shown()).toMatchObject({ hasKey: true, keyBelongsTo: null })
})

test('a key given with the new address is sent there, and the old key nowhere', async () => {
  const { dashboard, old, gateway } = await startWith()
  const before = old.requests.length

  await dashboard.updateProvider('team', { baseUrl: gateway.url, apiKey: secondKey })
  await dashboard.testProvider('team')

  expect(keysAt(gateway)).toEqual([`Bearer ${secondKey}`])
  expect(old.requests).toHaveLength(before)
})

test('another path at the same host keeps the key', async () => {
  const { dashboard, old } = await startWith()

  const changed = await dashboard.updateProvider('team', { baseUrl: `${old.url}/` })

  expect(changed).toMatchObject({ hasKey: true, keyBelongsTo: null })
})

test('the old key is used again at its own address', async () => {
  const { dashboard, old, gateway } = await startWith()

  await dashboard.updateProvider('team', { baseUrl: gateway.url })
  await dashboard.updateProvider('team', { baseUrl: old.url })

  expect(await dashboard.testProvider('team')).toMatchObject({ ok: true })
  expect(new Set(keysAt(old))).toEqual(new Set([`Bearer ${firstKey}`]))
})

test('a server that needs no key is asked without the key of the old address', async () => {
  const { dashboard, gateway } = await startWith({ type: 'openai-compatible' })

  await dashboard.updateProvider('team', { baseUrl: gateway.url })

  expect(await dashboard.testProvider('team')).toMatchObject({ ok: true })
  expect(keysAt(gateway)).toEqual([undefined])
})

test.each([
  ['another scheme', 'https://127.0.0.1:1/v1'],
  ['another name of the same host', 'http://localhost:1/v1'],
  ['another port', 'http://127.0.0.1:2/v1'],
  ['the address of the type', null],
])('%s is another address', async (_what, baseUrl) => {
  const { service } = await startTestService()
  const { dashboard } = service
  const given = { id: 'team', type: 'openai', apiKey: firstKey }
  await dashboard.addProvider({ ...given, baseUrl: 'http://127.0.0.1:1/v1' })

  const changed = await dashboard.updateProvider('team', { baseUrl })

  expect(changed).toMatchObject({ hasKey: false, keyBelongsTo: 'http://127.0.0.1:1' })
})

test('a key from a variable stays with its address until the user names it for the new one', async () => {
  const { dashboard, gateway } = await startWith({ env: { MODELPORT_KEY_TEAM: firstKey } })

  await dashboard.updateProvider('team', { baseUrl: gateway.url })
  expect(await dashboard.testProvider('team')).toMatchObject({ problem: 'key_missing' })
  expect(gateway.requests).toEqual([])
  await expect(dashboard.setProviderKey('team', secondKey)).rejects.toThrow('MODELPORT_KEY_TEAM')
  await dashboard.setProviderKey('team', firstKey)

  expect(await dashboard.testProvider('team')).toMatchObject({ ok: true })
  expect(keysAt(gateway)).toEqual([`Bearer ${firstKey}`])
})

test.each([
  ['http://example.com/v1', 'baseUrl'],
  ['https://169.254.169.254/v1', 'baseUrl'],
  ['https://10.0.0.1/v1', 'baseUrl'],
  ['https://user:password@example.com/v1', 'baseUrl'],
  ['ftp://example.com/v1', 'baseUrl'],
])('an update to %s is refused, and changes nothing', async (baseUrl, field) => {
  const { dashboard, old, shown } = await startWith()

  await expect(dashboard.updateProvider('team', { baseUrl })).rejects.toMatchObject({ field })
  expect(await shown()).toMatchObject({ baseUrl: old.url, hasKey: true })
})

test('the built-in model has no address to change', async () => {
  const { service } = await startTestService()

  await expect(
    service.dashboard.updateProvider('local', { baseUrl: 'https://a.test/v1' }),
  ).rejects.toThrow('no address')
})
