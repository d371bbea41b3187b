// Backups in Settings, by mouse and by keyboard, and the way out of a damaged database.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openSettings } from './open-settings.ts'
import { savePicture } from './pictures.ts'
import { countInput } from './pointer-count.ts'

test('the database is backed up in two clicks and restored in three, and a damaged one at the start', async ({
  launchApp,
  dataDir,
}) => {
  const { app, window } = await launchApp()
  const copies = window.getByRole('region', { name: 'Copies of the database' })

  await openSettings(window, 'General')
  const backedUp = await countInput(window)
  await window.getByRole('navigation', { name: 'Settings' }).getByText('Data').click()
  await window.getByRole('button', { name: 'Back up now' }).click()
  await expect(window.getByText(/^Backed up 1 router, 0 keys/)).toBeVisible()
  expect(await backedUp()).toMatchObject({ clicks: 2, keys: 0 })
  await expect(copies.getByRole('row')).toHaveCount(2)

  await createRouter(window, 'Made later')
  await openSettings(window, 'General')
  const restored = await countInput(window)
  await window.getByRole('navigation', { name: 'Settings' }).getByText('Data').click()
  await copies.getByRole('button', { name: /^Restore the copy of/ }).click()
  const dialog = window.getByRole('alertdialog')
  await expect(dialog.getByRole('row', { name: /^Routers 2 1$/ })).toBeVisible()
  await expect(dialog).toContainText('Provider keys stay in your keychain')
  const counts = await restored()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(window.getByText(/^Restored the copy of .*: 1 router, 0 keys/)).toBeVisible()
  // The window has loaded again, so the last click is not counted any more.
  expect(counts).toMatchObject({ clicks: 2, keys: 0 })
  expect(await routerNames(window)).toEqual(['Local'])
  await expect(copies.getByRole('row', { name: /Before a restore/ })).toBeVisible()

  // The copy that the restore kept, by keyboard alone.
  const kept = copies.getByRole('row', { name: /Before a restore/ })
  const restore = kept.getByRole('button', { name: /^Restore the copy of/ })
  await window.getByRole('button', { name: 'Back up now' }).focus()
  for (let presses = 0; presses < 20; presses += 1) {
    if (await restore.evaluate((button) => button === document.activeElement)) break
    await window.keyboard.press('Tab')
  }
  await window.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(window.getByText(/^Restored the copy of .*: 2 routers, 0 keys/)).toBeVisible()
  expect(await routerNames(window)).toEqual(['Local', 'Made later'])
  const chat = await window.evaluate(() => modelport.call('conversations:list', undefined))
  expect(chat).toMatchObject({ ok: true })

  await app.close()
  await writeFile(join(dataDir, 'modelport.db'), Buffer.alloc(12_288, 7))
  const { window: damaged } = await launchApp({ page: null })
  await expect(damaged.getByRole('heading', { name: 'The database is damaged' })).toBeVisible()
  await expect(damaged.getByRole('button', { name: 'Start with an empty database' })).toBeVisible()
  await expect(damaged.getByRole('button', { name: /^Restore the copy of/ })).toHaveCount(3)
  await savePicture(damaged, 'damaged-start')
  await damaged
    .getByRole('button', { name: /^Restore the copy of .* \(0 requests\)$/ })
    .first()
    .click()
  await expect(
    damaged.getByText(/^Restored the copy of .* is kept as modelport\.damaged-\d{8}T\d{9}Z\.db\.$/),
  ).toBeVisible()
  expect((await routerNames(damaged)).length).toBeGreaterThan(0)
})

async function createRouter(window: Page, name: string): Promise<void> {
  const created = await window.evaluate(
    (given) =>
      modelport.call('routers:create', {
        name: given,
        strategy: 'priority',
        models: ['local:smollm2-135m-instruct'],
      }),
    name,
  )
  expect(created).toMatchObject({ ok: true })
}

async function routerNames(window: Page): Promise<unknown[]> {
  const listed = await window.evaluate(() => modelport.call('routers:list', undefined))
  return listed.ok ? listed.value.map(({ name }) => name) : []
}
