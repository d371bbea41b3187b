/** A provider from its tile to a first answer: a wrong key, the right one, its models, a router, a message. */
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { startFakeProvider, type FakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { openPlace } from './places.ts'

const rightKey = 'sk-right-0123456789'

async function paste(app: ElectronApplication, field: Locator, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), text)
  await field.focus()
  await field.press('ControlOrMeta+A')
  await field.press('ControlOrMeta+V')
}

/** The dialog of the type, with the address of the fake upstream. */
async function chooseOpenAi(window: Page, upstream: FakeProvider): Promise<Locator> {
  await openPlace(window, 'Models', 'Providers')
  await window.getByRole('button', { name: 'Add provider' }).first().click()
  const dialog = window.getByRole('dialog')
  await expect(dialog.getByLabel('Search providers')).toBeFocused()
  await window.keyboard.type('openai')
  await dialog.getByRole('button', { name: 'OpenAI', exact: true }).click()
  await dialog.getByText('More', { exact: true }).click()
  await dialog.getByText('Company gateway or region').click()
  await dialog.getByLabel('Base URL').fill(upstream.url)
  return dialog
}

test('a wrong key keeps everything typed, the right one leads to a router and an answer', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({
    tls: false,
    apiKey: rightKey,
    models: { 'gpt-5-mini': {}, 'own-model': {} },
  })
  try {
    const { app, window } = await openApp()
    const dialog = await chooseOpenAi(window, upstream)
    const key = dialog.getByLabel(/^Key/)

    await paste(app, key, 'sk-wrong')
    await expect(key).toHaveAccessibleDescription(/key/i)
    await expect(key).toHaveAttribute('aria-invalid', 'true')
    await expect(key).toHaveValue('sk-wrong')
    await expect(dialog.getByLabel('Base URL')).toHaveValue(upstream.url)
    const stored = await window.evaluate(() => modelport.call('providers:list', undefined))
    expect(stored.ok && stored.value.map(({ id }) => id)).not.toContain('openai')

    await paste(app, key, rightKey)
    await expect(dialog.getByRole('checkbox', { name: /^gpt-5-mini/ })).toBeChecked()
    // A vendor's model without a price is not free, and not offered.
    await expect(dialog.getByText('One model has no price')).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Free: my own server/ })).toBeHidden()
    await expect(dialog.getByRole('checkbox', { name: /^own-model/ })).toBeHidden()
    await dialog.getByRole('button', { name: 'Create router “Balanced” with 1 model' }).click()

    await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Balanced')
    await window.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await window.getByRole('button', { name: 'Send' }).click()
    await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('openai:')
  } finally {
    await upstream.close()
  }
})

test('a test says how many of the listed models can be used, and their number leads to them', async ({
  openApp,
}) => {
  const models = { priced: {}, unknown: {}, other: {} }
  const upstream = await startFakeProvider({ tls: false, models })
  try {
    const { window } = await openApp()
    await window.evaluate(async (baseUrl) => {
      await modelport.call('providers:add', { id: 'own', type: 'openai-compatible', baseUrl })
      const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2 }
      await modelport.call('models:save', { id: 'own:priced', ...price })
    }, upstream.url)
    await openPlace(window, 'Models', 'Providers')
    const card = window.getByRole('listitem', { name: 'own' })
    await card.getByRole('button', { name: 'Test' }).click()
    await expect(card.getByRole('status')).toContainText('1 of 3 models can be used: ')
    await card.getByRole('link', { name: '3 models' }).click()
    await expect(window.getByRole('rowheader')).toContainText(['other', 'priced', 'unknown'])
  } finally {
    await upstream.close()
  }
})

test('a key that a variable gives is shown with the variable’s name', async ({ launchApp }) => {
  const { window } = await launchApp({ env: { MODELPORT_KEY_MISTRAL: 'key-of-the-variable' } })
  await window.evaluate(() => modelport.call('providers:add', { id: 'mistral', type: 'mistral' }))

  await openPlace(window, 'Models', 'Providers')

  const card = window.getByRole('listitem', { name: 'mistral' })
  await expect(card).toContainText('From the variable MODELPORT_KEY_MISTRAL')
})
