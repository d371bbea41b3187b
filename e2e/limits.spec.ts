/** The limits of a router and of a key, set in the window and applied by the service. */
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

test('a router gets a burst limit and budgets, a key a budget', async ({ openApp }) => {
  const { window } = await openApp()
  const savedRouter = async () => {
    const answer = await window.evaluate(() => modelport.call('routers:list', undefined))
    return answer.ok ? answer.value[0] : undefined
  }

  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local', exact: true }).click()
  await window.getByRole('link', { name: 'Rules' }).click()
  await window.getByRole('textbox', { name: 'Requests per minute' }).fill('0')
  await window.getByRole('textbox', { name: 'Daily budget' }).fill('2.50')
  await window.getByRole('textbox', { name: 'Monthly budget' }).fill('a lot')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Enter 1 or more, or leave empty for no limit')).toBeVisible()

  await window.getByRole('textbox', { name: 'Requests per minute' }).fill('60')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Enter an amount in US dollars, such as 2.50')).toBeVisible()
  await savePicture(window, 'limits-router-form')
  await window.getByRole('textbox', { name: 'Monthly budget' }).fill('')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Saved.')).toBeVisible()
  expect(await savedRouter()).toMatchObject({
    requestsPerMinute: 60,
    budgetUsdPerDay: 2.5,
    budgetUsdPerMonth: null,
  })
  await window.getByRole('link', { name: 'All routers' }).click()
  await expect(window.getByRole('row', { name: /^Local/ })).toContainText('$0 of $2.50 today')

  await openPlace(window, 'Connect')
  await window.getByRole('button', { name: 'Create key' }).first().click()
  await window.getByRole('textbox', { name: 'Name' }).fill('Thrifty')
  await window.getByText('Tag, budget and options').click()
  await window.getByRole('textbox', { name: 'Monthly budget' }).fill('20')
  await savePicture(window, 'limits-key-form')
  await window.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await window.getByRole('button', { name: 'Copy and close' }).click()
  await expect(window.getByText('$20.00 per month')).toBeVisible()
  await savePicture(window, 'limits-keys')
  const keys = await window.evaluate(() => modelport.call('keys:list', undefined))
  expect(keys.ok && keys.value[0]).toMatchObject({ budgetUsdPerDay: null, budgetUsdPerMonth: 20 })
})
