/** Options of a provider, from the dashboard to the request the upstream receives, and in files. */
import { expect, test } from 'vitest'
import { startTestService } from '../test-service.ts'

async function startWith(options: Record<string, string>) {
  const running = await startTestService()
  const { dashboard } = running.service
  const add = (given: Record<string, string>) =>
    dashboard.addProvider({
      id: 'mine',
      type: 'openai-compatible',
      baseUrl: running.fake.url,
      apiKey: 'key-of-mine-1234',
      options: given,
    })
  await add(options)
  return { ...running, dashboard, add }
}

test('are sent to the upstream as headers and as part of the address', async () => {
  const { dashboard, fake } = await startWith({
    'header.X-Team': 'search',
    'api-version': '2024-10-21',
    'key-header': 'Api-Key',
  })

  await dashboard.testProvider('mine')

  const asked = fake.requests.at(-1)
  expect(asked?.path).toBe('/v1/models?api-version=2024-10-21')
  expect(asked?.headers).toMatchObject({ 'x-team': 'search', 'api-key': 'key-of-mine-1234' })
  expect(asked?.headers.authorization).toBeUndefined()
})

test('are shown, and unchanged after export and import', async () => {
  const options = { 'header.X-Team': 'search', 'api-version': 'v1' }
  const { dashboard } = await startWith(options)
  const other = await startTestService()

  const exported = await dashboard.exportConfiguration()
  const mine = exported.providers.filter(({ id }) => id === 'mine')
  const text = JSON.stringify({ ...exported, providers: mine, routers: [], models: [] })
  const plan = await other.service.dashboard.planImport(text, { replaces: false })
  await plan.apply()

  const shown = (await dashboard.providers()).find(({ id }) => id === 'mine')
  const imported = (await other.service.dashboard.providers()).find(({ id }) => id === 'mine')
  expect([shown?.options, imported?.options]).toEqual([options, options])
})

test('that are invalid are refused by name, from a form and from a file', async () => {
  const { dashboard, add } = await startWith({})

  await expect(add({ 'header.Authorization': 'x' })).rejects.toMatchObject({
    code: 'invalid',
    field: 'options.header.Authorization',
  })
  const { providers, ...rest } = await dashboard.exportConfiguration()
  const wrong = providers.map((provider) => ({ ...provider, options: { nonsense: 'x' } }))
  const text = JSON.stringify({ ...rest, providers: wrong })
  await expect(dashboard.planImport(text, { replaces: false })).rejects.toMatchObject({
    field: 'providers.0.options.nonsense',
    message: expect.stringContaining('takes'),
  })
})
