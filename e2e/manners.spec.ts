// How the window behaves at each step: sizes of rows, what a click in a row does, and what hover, focus and choice look like.
import type { Locator, Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { openPlace } from './places.ts'

const onEnd: (() => Promise<void>)[] = []

test.afterEach(async () => {
  for (const end of onEnd.splice(0)) await end()
})

const agent = `name: short-answer
description: A short answer to any question.
steps:
  - id: answer
    type: prompt
    user: "{{ input }}"
`

/** A provider, a router, an agent and one answered request. */
async function fill(window: Page): Promise<void> {
  const upstream = await startFakeProvider({ tls: false, models: { small: {} } })
  onEnd.push(() => upstream.close())
  await window.evaluate(
    async ({ url, source }) => {
      await modelport.call('endpoint:listen', { port: 0 })
      await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl: url })
      const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8_000 }
      await modelport.call('models:save', { id: 'team:small', ...price })
      const router = { name: 'Web shop', strategy: 'priority' as const, models: ['team:small'] }
      await modelport.call('routers:create', router)
      const saved = await modelport.call('agents:save', { source })
      if (!saved.ok) throw new Error(saved.error.message)
    },
    { url: upstream.url, source: agent },
  )
  await window.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toHaveCount(1)
}

const heightOf = async (row: Locator) => Math.round((await row.boundingBox())?.height ?? 0)
const lookOf = (row: Locator) =>
  row.evaluate((element) => {
    const { backgroundColor, outlineStyle } = getComputedStyle(element)
    return `${backgroundColor} ${outlineStyle}`
  })

test('compact rows are 26 and 34 pixels, and a row opens wherever it is clicked', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await fill(window)
  const request = window.getByRole('grid').getByRole('row').filter({ hasText: 'team:small' })
  const model = window.getByRole('row').nth(1)

  for (const [density, heights] of [
    ['comfortable', [32, 44]],
    ['compact', [26, 34]],
  ] as const) {
    await window.evaluate(
      (value) => modelport.call('settings:set', { name: 'density', value }),
      density,
    )
    await openPlace(window, 'Activity')
    await expect.poll(() => heightOf(request)).toBe(heights[0])
    await openPlace(window, 'Models')
    await expect.poll(() => heightOf(model)).toBe(heights[1])
  }

  // The row's link lies over its cells.
  await openPlace(window, 'Routers')
  const router = window.getByRole('row', { name: /^Web shop/ })
  await router
    .getByRole('cell')
    .last()
    .click({ position: { x: 4, y: 4 }, force: true })
  await expect(window.getByRole('heading', { level: 1, name: 'Web shop' })).toBeVisible()
  await openPlace(window, 'Routers', 'Agents')
  await window
    .getByRole('row', { name: /^short-answer/ })
    .getByRole('cell')
    .nth(1)
    .click({ force: true })
  await expect(window.getByRole('heading', { level: 1, name: 'short-answer' })).toBeVisible()
})

test('a hovered, a focused and an open row look different, as do the sections of Settings', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await fill(window)
  await openPlace(window, 'Activity')
  const row = window.getByRole('grid').getByRole('row').filter({ hasText: 'team:small' })
  const plain = await lookOf(row)
  await row.hover()
  const hovered = await lookOf(row)
  await window.getByRole('heading', { level: 1 }).hover()
  await window.getByRole('grid').focus()
  await window.keyboard.press('ArrowDown')
  const focused = await lookOf(row)
  await window.keyboard.press('Enter')
  await expect(window.getByRole('complementary', { name: /^Request/ })).toBeVisible()
  const open = await lookOf(row)
  expect(new Set([plain, hovered, focused, open]).size).toBe(4)

  await openPlace(window, 'Settings')
  const sections = window.getByRole('navigation', { name: 'Settings' })
  const current = sections.locator('[aria-current=page]')
  const other = sections.getByRole('link', { name: 'Privacy' })
  await other.hover()
  expect(await lookOf(other)).not.toBe(await lookOf(current))
})

test('the order of a router’s models is shown only where its strategy uses it', async ({
  openApp,
}) => {
  const { window } = await openApp('/routers/new?preset=cheapest')
  const models = window.locator('legend').filter({ hasText: /^Models/ })
  await expect(models).toHaveText('Models')
  await window.getByRole('radio', { name: 'Priority' }).check()
  await expect(models).toHaveText('Models, most preferred first')
})
