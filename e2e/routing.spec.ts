// Routing options: set by keyboard, then visible in an answer.
import type { Locator, Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

/** The local model is small and this computer may be busy. */
const answered = { timeout: 120_000 }

/** Presses Tab until the control has the focus. */
async function tabTo(window: Page, control: Locator): Promise<void> {
  const isFocused = () => control.evaluate((element) => element === document.activeElement)
  for (let steps = 0; steps < 120 && !(await isFocused()); steps += 1) {
    await window.keyboard.press('Tab')
  }
  await expect(control).toBeFocused()
}

function partLink(window: Page, name: string): Locator {
  return window.getByRole('navigation', { name: 'Parts of the router' }).getByRole('link', { name })
}

test('a strategy and its settings are chosen by keyboard, and an answer is explained', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await tabTo(window, window.getByRole('link', { name: 'Routers' }))
  await window.keyboard.press('Enter')
  await tabTo(window, window.getByRole('link', { name: 'Local', exact: true }))
  await window.keyboard.press('Enter')

  const form = window.getByRole('form', { name: 'Router' })
  await tabTo(window, partLink(window, 'Strategy'))
  await window.keyboard.press('Enter')
  await tabTo(window, form.getByRole('radio', { name: 'Priority' }))
  await window.keyboard.press('ArrowLeft')
  await expect(form.getByRole('radio', { name: 'Adaptive' })).toBeChecked()
  await tabTo(window, form.getByRole('radio', { name: /^On average/ }))
  await window.keyboard.press('ArrowRight')
  await expect(form.getByRole('radio', { name: /^For every prompt/ })).toBeChecked()
  await window.keyboard.press('ArrowRight')
  await tabTo(window, form.getByRole('slider', { name: 'Quality tolerance' }))
  await window.keyboard.press('ArrowRight')
  await expect(form.getByText('67–71 %')).toBeVisible()
  await savePicture(window, 'strategy')
  await tabTo(window, form.locator('summary', { hasText: 'Advanced' }))
  await window.keyboard.press('Enter')
  await tabTo(window, form.getByRole('checkbox', { name: 'Keep conversations on one model' }))
  await window.keyboard.press('Space')
  await tabTo(window, window.getByRole('button', { name: 'Save', exact: true }))
  await window.keyboard.press('Enter')

  await expect(window.getByText('Saved. Applies')).toBeVisible()
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  expect(routers).toMatchObject({
    value: [
      {
        strategy: 'adaptive',
        routing: { qualityTolerance: 0.06, limitEachPrompt: false, sticky: false },
      },
    ],
  })

  await window.getByRole('link', { name: 'Chat' }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('What is the capital of France?')
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Why this model?' }).click(answered)
  const why = window.getByRole('dialog', { name: 'Why this model?' })
  await expect(why).toContainText('The router’s only model.')
  await expect(why.getByRole('region', { name: 'Attempts' })).toContainText('answered')
  await savePicture(window, 'why')

  await window.keyboard.press('Escape')
  await window.getByRole('button', { name: 'Good answer' }).click()
  await expect(window.getByRole('button', { name: 'Good answer' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})

/** A router with two models that answered three questions, whose page is open. */
async function openUsedRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl: url })
    const models = ['team:large', 'team:small']
    for (const [index, id] of models.entries()) {
      const usd = index === 0 ? 10 : 1
      const facts = { inputUsdPerMtok: usd, outputUsdPerMtok: usd, contextTokens: 8_000 }
      await modelport.call('models:save', { id, ...facts, quality: 0.8 })
    }
    const router = { name: 'Shop', strategy: 'priority' as const, models }
    const created = await modelport.call('routers:create', router)
    const routerId = created.ok ? created.value.id : ''
    for (const text of ['One?', 'Two?', 'Three?']) {
      await modelport.call('chat:send', { conversationId: null, routerId, text })
    }
  }, baseUrl)
  const count = () =>
    window.evaluate(async () => {
      const answer = await modelport.call('requests:count', {})
      return answer.ok ? answer.value : 0
    })
  await expect.poll(count, answered).toBe(3)
  await window.getByRole('link', { name: 'Routers', exact: true }).click()
  await window.getByRole('link', { name: 'Shop', exact: true }).click()
  await expect(window.getByRole('radio', { name: 'Priority' })).toBeChecked()
}

/** Counts what the user does from now on. */
async function countInput(window: Page): Promise<() => Promise<{ clicks: number; keys: number }>> {
  await window.evaluate(() => {
    const input = { clicks: 0, keys: 0 }
    addEventListener('pointerdown', () => (input.clicks += 1), true)
    addEventListener('keydown', () => (input.keys += 1), true)
    Object.assign(globalThis, { countedInput: input })
  })
  return () =>
    window.evaluate((): { clicks: number; keys: number } => Reflect.get(globalThis, 'countedInput'))
}

function savedStrategy(window: Page) {
  return window.evaluate(async () => {
    const answer = await modelport.call('routers:list', undefined)
    return answer.ok ? answer.value.find(({ name }) => name === 'Shop')?.strategy : undefined
  })
}

test('a strategy is changed in two clicks with its effect shown first, and undone in one', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { large: {}, small: {} } })
  const { window } = await openApp()
  await openUsedRouter(window, upstream.url)
  const input = await countInput(window)
  const effect = window.getByText('Estimate for the last 3 requests')

  await window.getByRole('radio', { name: 'Cost optimized' }).click()
  await expect(effect).toContainText(/unsaved against saved settings: .*−\d+ % cost/)
  expect(await savedStrategy(window)).toBe('priority')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Saved. Applies')).toBeVisible()
  expect(await savedStrategy(window)).toBe('cost_optimized')
  expect(await input()).toEqual({ clicks: 2, keys: 0 })

  // The offer follows to other pages, and the undo brings the unsaved change back.
  await openPlace(window, 'Connect')
  await expect(window.getByText('Shop saved')).toBeVisible()
  await window.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => savedStrategy(window)).toBe('priority')
  await window.getByRole('link', { name: 'Routers', exact: true }).click()
  await expect(window.getByRole('row', { name: /^Shop/ })).toContainText('unsaved')
  await window.getByRole('link', { name: 'Shop', exact: true }).click()
  await expect(window.getByText('Unsaved changes · Strategy')).toBeVisible()
  await window.getByRole('button', { name: 'Discard' }).click()
  await expect(window.getByRole('radio', { name: 'Priority' })).toBeChecked()
  await upstream.close()
})

test('a strategy is compared on past requests, saved and undone by keyboard alone', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { large: {}, small: {} } })
  const { window } = await openApp()
  await openUsedRouter(window, upstream.url)
  const input = await countInput(window)

  await tabTo(window, partLink(window, 'Strategy'))
  await window.keyboard.press('Enter')
  const whatIf = window.getByRole('region', { name: 'What if?' })
  const figures = whatIf.getByRole('table', { name: 'Figures of the replayed requests' })
  await expect(figures.getByRole('columnheader')).toHaveText(['Figure', 'Actual', 'Estimate'])
  await tabTo(window, window.getByRole('radio', { name: 'Priority' }))
  await window.keyboard.press('ArrowRight')
  await expect(whatIf).toContainText('3 of 3 requests (100 %)')
  await expect(figures.getByRole('columnheader')).toHaveText([
    'Figure',
    'Saved',
    'Unsaved',
    'Change',
  ])
  await expect(whatIf.getByRole('table', { name: 'Requests per model' })).toContainText('3 → 0')
  await savePicture(window, 'router-strategy')
  await tabTo(window, window.getByRole('button', { name: 'Save', exact: true }))
  await window.keyboard.press('Enter')
  await expect(window.getByText('Saved. Applies')).toBeVisible()
  expect(await savedStrategy(window)).toBe('cost_optimized')

  await window.keyboard.press('Control+z')
  await expect.poll(() => savedStrategy(window)).toBe('priority')
  expect(await input()).toMatchObject({ clicks: 0 })
  await upstream.close()
})

test('an error opens its part beside its field, and its text stays while a router is created', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local', exact: true }).click()
  await partLink(window, 'Rules').click()
  const field = window.getByLabel('Maximum cost per request (US dollars)')
  await field.fill('little')
  await partLink(window, 'Models').click()

  await window.getByRole('button', { name: 'Save', exact: true }).click()

  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(/Enter a number above 0, up to 1,000/)

  // The unsaved text stays while a router is created from a preset, in two clicks.
  await window.getByRole('link', { name: 'All routers' }).click()
  const input = await countInput(window)
  await window.getByRole('link', { name: /^Cheapest/ }).click()
  await window.getByRole('button', { name: 'Create router' }).click()
  await expect(window.getByRole('heading', { name: 'Cheapest', level: 1 })).toBeVisible()
  expect(await input()).toEqual({ clicks: 2, keys: 0 })
  await window.getByRole('link', { name: 'All routers' }).click()
  await window.getByRole('link', { name: 'Local', exact: true }).click()
  await partLink(window, 'Rules').click()
  await expect(field).toHaveValue('little')
})

test('a new router gets its tier and its daily limit where it is created', async ({ openApp }) => {
  const { window } = await openApp()
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: /^Cheapest/ }).click()
  const perDay = window.getByRole('textbox', { name: 'Requests per day' })
  const limits = window.getByRole('group', { name: 'Requests per day' })
  await expect(limits.getByRole('radio')).toHaveCount(4)
  await expect(limits.getByRole('radio', { name: /^10,000/ })).toBeChecked()
  await expect(limits.getByRole('radio', { name: /^100/ })).toHaveAccessibleDescription('Free tier')
  await expect(perDay).toBeHidden()

  await window.getByRole('radio', { name: /^Custom/ }).check()
  await perDay.fill('2.5')
  await window.getByRole('button', { name: 'Create router' }).click()
  await expect(perDay).toHaveAccessibleDescription(/Enter a whole number/)
  await perDay.fill('250')
  await savePicture(window, 'router-new-tier')
  await window.getByRole('button', { name: 'Create router' }).click()

  await expect(window.getByRole('heading', { name: 'Cheapest', level: 1 })).toBeVisible()
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  expect(routers.ok && routers.value.find(({ name }) => name === 'Cheapest')).toMatchObject({
    tier: 'enterprise',
    dailyLimit: 250,
  })
})
