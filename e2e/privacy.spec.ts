/** Settings, Privacy: the list of all connections, with their switches, for the mouse, the keyboard and screen readers. */
import axeCore from 'axe-core'
import { connectionEntries } from '../src/shared/app/connections.ts'
import { setLook } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { openSettings } from './open-settings.ts'
import { savePicture } from './pictures.ts'

test('every connection is listed, and switched off with the mouse and on with the keyboard', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await openSettings(window, 'Privacy and retention')
  const card = window.getByRole('region', { name: 'Connections' })
  for (const [, { title }] of connectionEntries) {
    await expect(card.getByRole('listitem', { name: title, exact: true })).toBeVisible()
  }
  const catalog = card.getByRole('listitem', { name: 'Prices and facts of models' })
  await expect(catalog).toContainText('never used')
  await expect(catalog).toContainText('models.dev')
  const provider = card.getByRole('listitem', { name: 'Requests to providers' })
  await expect(provider).toContainText('Not in use')

  await catalog.getByRole('checkbox').click()
  await expect(catalog).toContainText('Off')
  const refused = await window.evaluate(() => modelport.call('catalog:check', undefined))
  expect(refused).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is switched off in Settings, Privacy') },
  })
  await expect(catalog).toContainText('never used')
  await catalog.getByRole('checkbox').focus()
  await window.keyboard.press('Space')
  await expect(catalog).toContainText('On')

  const offline = card.getByRole('checkbox', { name: 'Work offline' })
  await offline.focus()
  await window.keyboard.press('Space')
  await expect(offline).toBeChecked()
  for (const box of await card.getByRole('list').getByRole('checkbox').all())
    await expect(box).not.toBeChecked()
  const downloads = card.getByRole('listitem', { name: 'Downloads of local models' })
  await downloads.getByRole('checkbox').click()
  await expect(offline).not.toBeChecked()

  await card.getByRole('link', { name: 'Change in Settings, Updates' }).click()
  await expect(window.getByRole('heading', { level: 2, name: 'Updates' })).toBeVisible()
})

test('the list has no problem of accessibility in light and dark', async ({ openApp }) => {
  const { window } = await openApp()
  await openSettings(window, 'Privacy and retention')
  await window.getByText('never used').first().waitFor()
  await window.evaluate(axeCore.source)
  for (const theme of ['light', 'dark'] as const) {
    await setLook(window, { theme, density: 'comfortable' })
    await savePicture(window, `privacy-${theme}`)
    const violations = await window.evaluate(async () => (await axe.run(document)).violations)
    expect(violations).toEqual([])
  }
})
