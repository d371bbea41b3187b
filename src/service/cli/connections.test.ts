import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { startCatalogSources } from '../../../test/management/fake-catalog-sources.ts'
import { connectionEntries } from '../../shared/app/connections.ts'

test('lists every connection with its state, and when it was last used', async () => {
  const { env } = await startCatalogSources()
  const { json, run } = newModelport()

  const before = await json('connections')
  expect(before.map(({ id }) => id)).toEqual(connectionEntries.map(([id]) => id))
  expect(before.filter(({ lastUsedAtMs }) => lastUsedAtMs !== null)).toEqual([])
  expect(before.find(({ id }) => id === 'providers')).toMatchObject({ isOn: false })
  const startedAtMs = Date.now()
  await run(['catalog', 'refresh', '--yes'], { env })

  const used = (await json('connections')).find(({ id }) => id === 'catalog')
  expect(used).toMatchObject({ isOn: true })
  expect(Number(used?.['lastUsedAtMs'])).toBeGreaterThanOrEqual(startedAtMs)
  expect((await run(['connections'])).stdout).toContain('raw.githubusercontent.com models.dev')
})

test('a connection that is switched off is refused, with the way to switch it on', async () => {
  const { env } = await startCatalogSources()
  const { json, run } = newModelport()
  await run(['settings', 'set', 'connectionsOff', '["catalog"]'])

  const { code, stderr } = await run(['catalog', 'refresh', '--yes'], { env })

  expect(code).toBe(1)
  expect(stderr).toContain('“Prices and facts of models” is switched off in Settings, Privacy')
  const catalog = (await json('connections')).find(({ id }) => id === 'catalog')
  expect(catalog).toMatchObject({ isOn: false, lastUsedAtMs: null })
})

test('only connections with a switch can be switched off', async () => {
  const { json, run } = newModelport()
  const { code } = await run(['settings', 'set', 'connectionsOff', '["ownPort"]'])
  expect(code).toBe(2)
  expect(await json('settings', 'get', 'connectionsOff')).toMatchObject([{ value: [] }])
})
