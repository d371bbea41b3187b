// The routing line: the model that would answer a message, the expected figures, and why, before it is sent.
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'

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

test('the line under the message names the model that then answers, and nothing is sent before', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  const message = window.getByRole('textbox', { name: 'Message' })
  const line = window.getByRole('status', { name: 'Routing line' })
  await expect(line).toContainText('Enter to send')

  await message.fill('Write a Python function that merges two sorted lists.')
  await expect(line).toContainText(/openai:[\w.-]+.*≈ \$0\.\d+, ≈ .*s/)
  const model = /openai:[\w.]+(-[a-z]+)?/.exec((await line.textContent()) ?? '')?.[0] ?? 'no model'
  await expect(message).toBeFocused()
  await savePicture(window, 'routing-line')

  await line.getByRole('button').first().press('Enter')
  const why = window.getByRole('dialog', { name: 'Which model would answer?' })
  const rows = why.getByRole('region', { name: 'Candidates' }).getByRole('row')
  // A header, four models, and five other efforts of three of them.
  await expect(rows).toHaveCount(10)
  await expect(rows.filter({ hasText: 'gpt-5.4-mini at medium effort' })).toHaveCount(1)
  await expect(why).toContainText(model)
  await expect(why).toContainText('no model was asked')
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
  await expect(line).toContainText('Enter to send')
  await upstream.close()
})

test('the line follows the text, and says why a message cannot be sent', async ({ openApp }) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await openApp()
  const message = window.getByRole('textbox', { name: 'Message' })
  const line = window.getByRole('status', { name: 'Routing line' })

  // Without an account, the model is the built-in one.
  await message.fill('word '.repeat(20_000))
  await expect(line).toContainText('has a context of 4096 tokens; the messages take at least')
  await message.fill('')
  await expect(line).toContainText('Enter to send')

  await addRouter(window, upstream.url)
  await message.fill('Hi')
  await expect(line).toContainText('≈ $')
  const short = await line.textContent()
  await message.fill('word '.repeat(20_000))
  await expect(line).not.toHaveText(short ?? '')
  await expect(line).toContainText('≈ $')
  await message.fill('')
  await expect(line).toContainText('Enter to send')
  await upstream.close()
})

test('a message above the limit is sent by the second Enter, and asked about once per text', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await window.getByRole('link', { name: 'Settings' }).click()
  const limit = window.getByRole('textbox', { name: /^Ask before a message costs more than/ })
  await limit.fill('0.000001')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  await window.getByRole('link', { name: 'Chat', exact: true }).click()
  const message = window.getByRole('textbox', { name: 'Message' })
  const line = window.getByRole('status', { name: 'Routing line' })

  await message.fill('Write a Python function that merges two sorted lists.')
  await window.keyboard.press('Enter')
  await expect(line).toContainText('More than $0.000001: send again to confirm.')
  await savePicture(window, 'ask-first')
  await message.fill('Write a Python function that merges three sorted lists.')
  await expect(line).not.toContainText('send again')
  await window.keyboard.press('Enter')
  await expect(line).toContainText('send again to confirm')
  expect(upstream.requestCount()).toBe(0)

  await window.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('openai:')
  await expect(line).toContainText('Enter to send')
  expect(upstream.requestCount()).toBe(1)
  await upstream.close()
})

test('Tab takes the runner-up for one message, and its way back is beside it', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  const message = window.getByRole('textbox', { name: 'Message' })
  const line = window.getByRole('status', { name: 'Routing line' })
  const usedModels = () => upstream.requests.map(({ body }) => body?.['model'])

  await message.fill('Write a Python function that merges two sorted lists.')
  const offer = line.getByRole('button', { name: /^or gpt/ })
  await expect(offer).toContainText(/[+−]\$?\d/)
  const runnerUp = /^or ([\w.-]+?),/.exec((await offer.textContent()) ?? '')?.[1]
  await savePicture(window, 'runner-up-offered')
  await window.keyboard.press('Tab')
  await expect(message).toBeFocused()
  await expect(line.getByRole('button').first()).toContainText(`openai:${runnerUp}`)
  await expect(line).toContainText('your choice')
  await savePicture(window, 'runner-up-taken')
  await window.keyboard.press('Tab')
  await expect(message).not.toBeFocused()
  await line.getByRole('button', { name: /^back to gpt/ }).press('Enter')
  await expect(offer).toBeVisible()

  await message.focus()
  await window.keyboard.press('Tab')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText(`${runnerUp}`)
  expect(usedModels()).toEqual([runnerUp])
  await message.fill('Write a Python function that merges two sorted lists.')
  await expect(offer).toBeVisible()
  await upstream.close()
})
