// A message is previewed before it is sent: the model that would answer, the expected figures, and why.
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'

/** A router named Everyday with four models behind this address, chosen in the chat. */
async function addRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    const apiKey = 'sk-not-a-real-key'
    await modelport.call('providers:add', { id: 'openai', type: 'openai', baseUrl: url, apiKey })
    const names = ['gpt-5.4-nano', 'gpt-5.4-mini', 'gpt-5.4', 'gpt-5.6-sol']
    const models = names.map((name) => `openai:${name}`)
    const strategy = 'cost_optimized' as const
    await modelport.call('routers:create', { name: 'Everyday', strategy, models })
  }, baseUrl)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Everyday' }).click()
}

test('a message is previewed by keyboard, nothing is sent, and then the same model answers', async ({
  launchApp,
}) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await launchApp()
  await addRouter(window, upstream.url)
  const message = window.getByRole('textbox', { name: 'Message' })
  const preview = window.getByRole('status', { name: 'Preview' })
  await expect(window.getByRole('button', { name: 'Preview' })).toBeDisabled()

  await message.fill('Write a Python function that merges two sorted lists.')
  await window.keyboard.press('Control+Shift+Enter')
  await expect(preview).toContainText(/≈ \$0\.\d+ · ≈ .*s · quality \d+ \(\d+–\d+\)/)
  const model = /openai:[\w.-]+/.exec((await preview.textContent()) ?? '')?.[0] ?? 'no model'
  await expect(message).toBeFocused()
  await window.screenshot({ path: 'test-results/screenshots/preview.png' })

  await window.keyboard.press('Shift+Tab')
  await window.keyboard.press('Shift+Tab')
  await window.keyboard.press('Enter')
  const why = window.getByRole('dialog', { name: 'Which model would answer?' })
  const rows = why.getByRole('region', { name: 'Candidates' }).getByRole('row')
  // A header, four models, and five other efforts of three of them.
  await expect(rows).toHaveCount(10)
  await expect(rows.filter({ hasText: 'gpt-5.4-mini at medium effort' })).toHaveCount(1)
  await expect(why).toContainText(model)
  await expect(why).toContainText('no model was asked')
  await window.screenshot({ path: 'test-results/screenshots/preview-why.png' })
  await window.keyboard.press('Escape')

  expect(upstream.requestCount()).toBe(0)
  const lists = await window.evaluate(async () => [
    await modelport.call('conversations:list', undefined),
    await modelport.call('requests:count', {}),
  ])
  expect(lists).toEqual([
    { ok: true, value: [] },
    { ok: true, value: 0 },
  ])

  await message.focus()
  await window.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText(model)
  await expect(preview).toBeEmpty()
  await upstream.close()
})

test('a preview disappears with the text that it is about', async ({ launchApp }) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await launchApp()
  await addRouter(window, upstream.url)
  const message = window.getByRole('textbox', { name: 'Message' })
  const preview = window.getByRole('status', { name: 'Preview' })

  await message.fill('What is the capital of France?')
  await window.getByRole('button', { name: 'Preview' }).click()
  await expect(preview).toContainText('Would go to')
  await message.fill('What is the capital of Italy?')
  await expect(preview).toBeEmpty()

  await window.getByRole('button', { name: 'Preview' }).click()
  await expect(preview).toContainText('Would go to')
  await preview.getByRole('button', { name: 'Close the preview' }).click()
  await expect(preview).toBeEmpty()
  await expect(message).toBeFocused()
  await upstream.close()
})
