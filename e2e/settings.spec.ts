/** The Settings page determines how requests are recorded and served, and what is learnt from their answers. */
import { expect, test } from './fixtures.ts'

test('durability and the fast path are changed on the Settings page', async ({ launchApp }) => {
  const { window } = await launchApp()
  await window.getByRole('link', { name: 'Settings' }).click()
  const section = window.getByRole('region', { name: 'Requests' })
  const fastPath = section.getByRole('checkbox', { name: /fast path/ })
  await expect(section.getByRole('radio', { name: 'Fast' })).toBeChecked()
  await expect(fastPath).toBeChecked()

  await section.getByRole('radio', { name: 'Strict' }).press('Space')
  await expect(section.getByRole('radio', { name: 'Strict' })).toBeChecked()
  await fastPath.press('Space')
  await expect(fastPath).not.toBeChecked()

  const saved = await window.evaluate(() => modelport.call('settings:get', undefined))
  expect(saved).toMatchObject({ ok: true, value: { durability: 'strict', fastLane: false } })
})

test('each signal of an answer has a switch on the Settings page', async ({ launchApp }) => {
  const { window } = await launchApp()
  await window.getByRole('link', { name: 'Settings' }).click()
  const section = window.getByRole('region', { name: 'What answers show by themselves' })
  await expect(section.getByRole('checkbox')).toHaveCount(7)
  const refusals = section.getByRole('checkbox', { name: 'Refusals' })
  const repeats = section.getByRole('checkbox', { name: 'Questions that are asked again' })
  await expect(refusals).toBeChecked()
  await expect(repeats).not.toBeChecked()

  await refusals.press('Space')
  await expect(refusals).not.toBeChecked()
  await repeats.press('Space')
  await expect(repeats).toBeChecked()

  const saved = await window.evaluate(() => modelport.call('settings:get', undefined))
  expect(saved).toMatchObject({ ok: true, value: { signalRefused: false, signalAskedAgain: true } })
})
