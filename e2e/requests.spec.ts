// "Why was this slow or expensive?": two clicks from a number to the timeline of a request, and the same by keyboard.
import type { Locator, Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'

/** A router whose first model always fails, with one request that the second model answered. */
async function sendThroughFallback(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    const team = { id: 'team', type: 'openai-compatible', baseUrl: url, apiKey: 'key-of-the-team' }
    await modelport.call('providers:add', team)
    const models = ['team:broken', 'team:works']
    for (const id of models) {
      const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 4, contextTokens: 8_000 }
      await modelport.call('models:save', { id, ...price })
    }
    const router = { name: 'Web shop', strategy: 'priority' as const, models }
    const created = await modelport.call('routers:create', router)
    const routerId = created.ok ? created.value.id : ''
    const text = 'What is a lighthouse?'
    await modelport.call('chat:send', { conversationId: null, routerId, agent: null, text })
  }, baseUrl)
}

test('a slow request is explained in two clicks, and by keyboard alone', async ({ openApp }) => {
  const models = {
    broken: { reply: { status: 503, body: '{"error":{"message":"Busy"}}' } },
    works: { text: 'A tower with a light.' },
  }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp('/home')
  await sendThroughFallback(window, upstream.url)
  const timeline = window.getByRole('list', { name: 'Timeline' })
  const grid = window.getByRole('grid', { name: 'Requests' })

  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const row = window.getByRole('row', { name: /^Web shop/ })
  await click(row.getByRole('link', { name: '1', exact: true }))
  await expect(window.getByRole('button', { name: 'Change filter Router: Web shop' })).toBeVisible()
  await click(grid.getByText('Fallback'))
  await expect(timeline).toContainText(/Try 1 · team:broken.*503.*Try 2 · team:works.*First token/s)
  expect(clicks).toBe(2)

  await window.getByRole('button', { name: 'Replay on router…' }).click()
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Web shop' }).click()
  const replay = window.getByRole('dialog', { name: 'Replay on another router' })
  await expect(replay.getByRole('region', { name: 'Candidates' })).toContainText('team:broken')
  await expect(replay).toContainText('Then: team:works.')
  await window.keyboard.press('Escape')
  await expect(replay).toBeHidden()
  await window.goBack()
  await expect(timeline).toBeHidden()
  await expect(grid).toBeVisible()

  const palette = window.getByRole('combobox', { name: 'Search' })
  await window.keyboard.press('Control+K')
  await expect(palette).toBeFocused()
  await window.keyboard.type('Home')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await window.keyboard.press('Control+K')
  await expect(palette).toBeFocused()
  await window.keyboard.type('Activity')
  await window.keyboard.press('Enter')
  await tabTo(window, window.getByRole('button', { name: 'Add filter' }))
  await window.keyboard.press('Enter')
  await expect(window.getByRole('menu')).toBeVisible()
  await window.keyboard.type('Status')
  await window.keyboard.press('ArrowRight')
  await window.keyboard.type('Answered by')
  await window.keyboard.press('Enter')
  await expect(window.getByText('Status: Answered by a fallback')).toBeVisible()
  await tabTo(window, grid)
  await window.keyboard.press('ArrowDown')
  await window.keyboard.press('Enter')
  await expect(timeline).toContainText('Try 2 · team:works')
  await window.keyboard.press('Escape')
  await expect(timeline).toBeHidden()
  await expect(grid).toBeFocused()

  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Open in chat' }).click()
  await expect(window.getByText('A tower with a light.')).toBeVisible()
  await upstream.close()
})

/** Presses the Tab key until the element has the focus. */
async function tabTo(window: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 40 && !(await hasFocus()); presses += 1) {
    await window.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
