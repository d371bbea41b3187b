import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { startCatalogSources } from '../../../test/management/fake-catalog-sources.ts'

test('shows the catalog’s source', async () => {
  const { json } = newModelport()

  const [state] = await json('catalog', 'show')

  expect(state).toMatchObject({ origin: 'bundled', asOf: expect.stringMatching(/^\d{4}-/) })
})

test('refreshes only after confirmation, and resets', async () => {
  const { env } = await startCatalogSources()
  const { run, json } = newModelport()

  const refused = await run(['catalog', 'refresh'], { env, stdin: 'n\n' })
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/dearer +openai:gpt-5\.4 +\$2\.50 in · \$15\.00 out +\$3\.00 in/)
  expect(refused.stderr).toContain('Nothing was changed')
  expect(await json('catalog', 'show')).toMatchObject([{ origin: 'bundled' }])

  const agreed = await run(['catalog', 'refresh'], { env, stdin: 'y\n' })
  expect(agreed).toMatchObject({ code: 0, stderr: expect.stringContaining('Applied') })
  expect(await json('catalog', 'show')).toMatchObject([{ origin: 'downloaded' }])

  const again = await run(['catalog', 'refresh', '--yes'], { env })
  expect(again.stderr).toContain('Nothing changes')

  expect(await json('catalog', 'reset')).toMatchObject([{ origin: 'bundled' }])
})

test('says that the sources cannot be reached', async () => {
  const { run } = newModelport()

  const { code, stderr } = await run(['catalog', 'refresh', '--yes'], {
    env: { HTTPS_PROXY: 'http://127.0.0.1:1' },
  })

  expect(code).toBe(1)
  expect(stderr).toMatch(/Nothing was changed/)
})
