// From an empty data folder to a first routed answer of a vendor's model: four clicks and one paste.
import { expect, test } from './fixtures.ts'
import { startFakeVendor } from '../test/fake-vendor.ts'
import { clicksBy, countInput, reach, use, ways } from './pointer-count.ts'

const key = 'sk-first-0123456789'

test('the first routed answer takes four clicks and one paste', async ({ launchApp, dataDir }) => {
  const models = { 'gpt-5-mini': {} }
  const vendor = await startFakeVendor('api.openai.com', { folder: dataDir, apiKey: key, models })
  try {
    const startedAt = performance.now()
    const { app, window } = await launchApp({ env: vendor.env, page: null })
    await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), key)
    const counts = await countInput(window)

    await window.getByRole('link', { name: 'Add provider' }).click()
    await window.getByRole('button', { name: 'OpenAI', exact: true }).click()
    await expect(window.getByLabel(/^Key/)).toBeFocused()
    await window.keyboard.press('ControlOrMeta+V')
    await window.getByRole('button', { name: /^Create router “Balanced”/ }).click()
    await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await window.keyboard.insertText('Hello')
    await window.getByRole('button', { name: 'Send' }).click()

    await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('openai:')
    expect(await counts()).toMatchObject({ clicks: 4, pastes: 1 })
    const tookMs = performance.now() - startedAt
    expect(tookMs).toBeLessThan(60_000)
  } finally {
    await vendor.close()
  }
})

for (const way of ways)
  test(`with a key in the environment, the first routed answer takes three clicks, by ${way}`, async ({
    launchApp,
    dataDir,
  }) => {
    const models = { 'gpt-5-mini': {} }
    const vendor = await startFakeVendor('api.openai.com', { folder: dataDir, apiKey: key, models })
    try {
      const env = { ...vendor.env, OPENAI_API_KEY: key }
      const { window } = await launchApp({ env, page: null })
      const counts = await countInput(window)

      const found = window.getByRole('list', { name: 'Keys in the environment' })
      await expect(found).toContainText('OPENAI_API_KEY found')
      await use(found.getByRole('button', { name: 'Use OPENAI_API_KEY' }), way)
      await use(window.getByRole('button', { name: /^Create router “Balanced”/ }), way)
      await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await window.keyboard.insertText('Hello')
      await use(window.getByRole('button', { name: 'Send' }), way)

      await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('openai:')
      expect(await counts()).toMatchObject(clicksBy(way, 3))
    } finally {
      await vendor.close()
    }
  })

test('the first routed answer needs no mouse', async ({ launchApp, dataDir }) => {
  const models = { 'gpt-5-mini': {} }
  const vendor = await startFakeVendor('api.openai.com', { folder: dataDir, apiKey: key, models })
  try {
    const { app, window } = await launchApp({ env: vendor.env, page: null })
    await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), key)
    const add = window.getByRole('link', { name: 'Add provider' })
    await expect(add).toBeVisible()
    await expect(window.getByRole('region', { name: 'Models on this computer' })).toContainText(
      /download of .* needs about .* of memory\. It would write about [\d.,]+ tokens per second\./,
    )
    const counts = await countInput(window)

    await reach(add)
    await expect(window.getByLabel('Search providers')).toBeFocused()
    await window.keyboard.type('openai')
    await window.keyboard.press('Enter')
    await expect(window.getByLabel(/^Key/)).toBeFocused()
    await window.keyboard.press('ControlOrMeta+V')
    const create = window.getByRole('button', { name: /^Create router “Balanced”/ })
    await expect(create).toBeVisible()
    await reach(create)
    await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await window.keyboard.type('Hello')
    await window.keyboard.press('Enter')

    await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('openai:')
    expect(await counts()).toMatchObject({ clicks: 0, pastes: 1 })
  } finally {
    await vendor.close()
  }
})
