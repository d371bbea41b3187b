// Routing options: set by keyboard, then visible in an answer.
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The local model is small and this computer may be busy. */
const answered = { timeout: 60_000 }

/** Presses Tab until the control has the focus. */
async function tabTo(window: Page, control: Locator): Promise<void> {
  const isFocused = () => control.evaluate((element) => element === document.activeElement)
  for (let steps = 0; steps < 120 && !(await isFocused()); steps += 1) {
    await window.keyboard.press('Tab')
  }
  await expect(control).toBeFocused()
}

test('a strategy and its settings are chosen by keyboard, and an answer is explained', async ({
  launchApp,
}) => {
  test.setTimeout(120_000)
  const { window } = await launchApp()
  await tabTo(window, window.getByRole('link', { name: 'Routers' }))
  await window.keyboard.press('Enter')
  await tabTo(window, window.getByRole('link', { name: 'Local', exact: true }))
  await window.keyboard.press('Enter')

  const form = window.getByRole('form', { name: 'Router' })
  await tabTo(window, form.getByRole('radio', { name: 'Priority' }))
  await window.keyboard.press('ArrowLeft')
  await expect(form.getByRole('radio', { name: 'Adaptive' })).toBeChecked()
  await tabTo(window, form.locator('summary', { hasText: 'Routing options' }))
  await window.keyboard.press('Enter')
  await tabTo(window, form.getByRole('slider', { name: 'Quality tolerance' }))
  await window.keyboard.press('ArrowRight')
  await expect(form.getByText('67–71 %')).toBeVisible()
  await tabTo(window, form.getByRole('checkbox', { name: 'Keep conversations on one model' }))
  await window.keyboard.press('Space')
  await tabTo(window, form.getByRole('button', { name: 'Save changes' }))
  await window.keyboard.press('Enter')

  await expect(form.getByRole('status')).toHaveText(/Saved/)
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  expect(routers).toMatchObject({
    value: [{ strategy: 'adaptive', routing: { qualityTolerance: 0.09, sticky: false } }],
  })

  await window.getByRole('link', { name: 'Chat' }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('What is the capital of France?')
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Why this model?' }).click(answered)
  const why = window.getByRole('dialog', { name: 'Why this model?' })
  await expect(why).toContainText('The router’s only model.')
  await expect(why.getByRole('region', { name: 'Attempts' })).toContainText('answered')
  await window.screenshot({ path: 'test-results/screenshots/why.png' })

  await window.keyboard.press('Escape')
  await window.getByRole('button', { name: 'Good answer' }).click()
  await expect(
    window.getByText('Feedback affects only routers with the Adaptive strategy'),
  ).toBeVisible()
})

test('a router’s requests are replayed with another strategy, which is selected in the form but not saved', async ({
  launchApp,
}) => {
  test.setTimeout(120_000)
  const { window } = await launchApp()
  await window.getByRole('textbox', { name: 'Message' }).fill('What is the capital of France?')
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Why this model?' }).waitFor(answered)
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local', exact: true }).click()

  await window.getByRole('tab', { name: 'Requests' }).click()
  await expect(window.getByRole('region', { name: 'Requests' }).getByRole('row')).toHaveCount(2)
  await window.getByRole('tab', { name: 'What if?' }).click()
  await expect(window.getByText('0 of 1 requests (0 %)')).toBeVisible()
  await expect(window.getByText('No models are called')).toBeVisible()
  await window.getByRole('combobox', { name: 'Strategy' }).click()
  await window.getByRole('option', { name: 'Balanced' }).click()
  const figures = window.getByRole('region', { name: 'Actual and estimated figures' })
  await expect(figures.getByRole('columnheader', { name: 'Balanced' })).toBeVisible()
  await window.getByRole('button', { name: 'Use this strategy' }).click()

  const form = window.getByRole('form', { name: 'Router' })
  await expect(form.getByRole('radio', { name: 'Balanced' })).toBeFocused()
  await expect(form.getByRole('status')).toHaveText(/not saved yet/)
  const strategies = () =>
    window.evaluate(async () => {
      const answer = await modelport.call('routers:list', undefined)
      return answer.ok ? answer.value.map(({ strategy }) => strategy) : []
    })
  expect(await strategies()).toEqual(['priority'])
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(form.getByRole('status')).toHaveText(/Saved/)
  expect(await strategies()).toEqual(['balanced'])
})

test('an error in a routing option appears beside its field', async ({ launchApp }) => {
  const { window } = await launchApp()
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local' }).first().click()
  const form = window.getByRole('form', { name: 'Router' })
  await form.getByText('Routing options').click()
  await form.getByLabel('Maximum cost per request (US dollars)').fill('little')
  await form.getByText('Routing options').click()

  await form.getByRole('button', { name: 'Save changes' }).click()

  await expect(
    form.getByLabel('Maximum cost per request (US dollars)'),
  ).toHaveAccessibleDescription(/Enter a number above 0, up to 1,000/)
  await expect(form.getByRole('alert')).toBeVisible()
})
