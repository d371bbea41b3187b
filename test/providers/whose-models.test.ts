/** The catalogue's prices and facts apply to a provider's models by name, wherever its address is. */
import { expect, onTestFinished, test } from 'vitest'
import { startFakeProvider } from '../fake-provider.ts'
import { startTestService } from '../test-service.ts'

const models = { 'gpt-5-mini': {}, 'our-large': {}, 'our-own': {} }

async function startWith(type: string, options: Record<string, string> = {}) {
  const { service } = await startTestService()
  const gateway = await startFakeProvider({ tls: false, models })
  onTestFinished(() => gateway.close())
  const { dashboard } = service
  const given = { id: 'team', type, baseUrl: gateway.url, apiKey: 'key-of-the-gateway', options }
  await dashboard.addProvider(given)
  await dashboard.testProvider('team')
  const modelOf = async (id: string) => (await dashboard.models()).find((model) => model.id === id)
  return { dashboard, modelOf }
}

async function catalogPrice(catalogId: string) {
  const { service } = await startTestService()
  const given = { id: 'openai', type: 'openai', apiKey: 'key-of-openai-itself' }
  await service.dashboard.addProvider(given)
  const known = (await service.dashboard.models()).find(({ id }) => id === catalogId)
  return known && pricesOf(known)
}

function pricesOf(model: {
  inputUsdPerMtok: number | null
  outputUsdPerMtok: number | null
  cacheReadUsdPerMtok: number | null
  priceSource: unknown
}) {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, priceSource } = model
  return { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, priceSource }
}

test('prices of a vendor’s models apply behind a changed address', async () => {
  const { modelOf } = await startWith('openai')

  expect(await modelOf('team:gpt-5-mini')).toMatchObject(
    (await catalogPrice('openai:gpt-5-mini')) ?? {},
  )
  expect(await modelOf('team:our-own')).toMatchObject({ inputUsdPerMtok: null, priceSource: null })
})

test('a compatible server’s models have no price unless the user says whose they are', async () => {
  const unknown = await startWith('openai-compatible')
  const known = await startWith('openai-compatible', { 'models-of': 'openai' })

  expect(await unknown.modelOf('team:gpt-5-mini')).toMatchObject({ inputUsdPerMtok: null })
  const price = await catalogPrice('openai:gpt-5-mini')
  expect(price?.inputUsdPerMtok).toBeGreaterThan(0)
  expect(await known.modelOf('team:gpt-5-mini')).toMatchObject(price ?? {})
})

test('a deployment under another name has the price and the facts of its model', async () => {
  const { dashboard, modelOf } = await startWith('litellm', {
    'model.our-large': 'openai:gpt-5-mini',
    'model.not-listed': 'openai:gpt-5-mini',
  })

  const price = (await catalogPrice('openai:gpt-5-mini')) ?? {}
  expect(await modelOf('team:our-large')).toMatchObject(price)
  expect(await modelOf('team:not-listed')).toMatchObject(price)
  const capabilities = (await modelOf('team:our-large'))?.capabilities
  expect(capabilities).toEqual(expect.arrayContaining(['tools', 'vision']))

  const figures = { inputUsdPerMtok: 7, outputUsdPerMtok: 9, contextTokens: 1_000 }
  await dashboard.saveModel({ id: 'team:our-large', ...figures })
  expect(await modelOf('team:our-large')).toMatchObject({ inputUsdPerMtok: 7, capabilities: [] })
})

test.each([
  [{ 'models-of': 'openai-compatible' }, 'options.models-of'],
  [{ 'models-of': 'none' }, 'options.models-of'],
  [{ 'model.our-large': 'openai:no-such-model' }, 'options.model.our-large'],
])('%j is refused, because it names nothing in the catalogue', async (options, field) => {
  await expect(startWith('litellm', options)).rejects.toMatchObject({ field })
})

test('an import may name a model that this catalogue lacks; it has no price', async () => {
  const { dashboard, modelOf } = await startWith('litellm')
  const document = await dashboard.exportConfiguration()
  const options = { 'model.our-large': 'openai:a-model-of-tomorrow' }
  const providers = document.providers.map((each) =>
    each.id === 'team' ? { ...each, options } : each,
  )

  const plan = await dashboard.planImport(JSON.stringify({ ...document, providers }), {
    replaces: false,
  })
  await plan.apply()

  expect(await modelOf('team:our-large')).toMatchObject({ inputUsdPerMtok: null })
})
