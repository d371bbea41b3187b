/**
 * A day of the desktop app with every default: the first start, every page and section, an answer of the built-in model, and
 * all that the clock does. `npm run torture connections` runs it where every packet is recorded; here the sockets are read.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { watchSockets } from './open-sockets.ts'
import { openSettings } from './open-settings.ts'

/** A day takes 3 minutes with the clock of torture/connections; without it, an hour is enough to see the way. */
const hours = Number(process.env['MODELPORT_E2E_DAY_HOURS'] ?? '1')

test('a day with every default connects to nothing', async ({ launchApp, dataDir }) => {
  const dayMs = (hours * 3_600_000) / 480
  test.setTimeout(240_000 + dayMs)
  const clockFile = join(dataDir, 'fast-clock')
  const { app, window } = await launchApp({
    page: null,
    env: { MODELPORT_FAST_CLOCK: clockFile },
  })
  const stopWatching = watchSockets(app.process().pid ?? 0)

  const pages = window.getByRole('navigation', { name: 'Pages' })
  for (const link of await pages.getByRole('link').all()) {
    await link.click()
    await expect(window.getByRole('heading', { level: 1 }).first()).toBeAttached()
  }
  await openSettings(window, 'Privacy and retention')
  await expect(window.getByText('never used').first()).toBeVisible()
  await pages.getByRole('link', { name: 'Chat' }).click()
  const composer = window.getByRole('textbox', { name: 'Message' })
  await composer.pressSequentially('Say helo.')
  await composer.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('local:', {
    timeout: 120_000,
  })
  const begunMs = await app.evaluate(() => Date.now())
  writeFileSync(clockFile, '')
  await expect
    .poll(() => app.evaluate((_electron, from) => Date.now() - from, begunMs), {
      timeout: dayMs + 60_000,
      intervals: [2_000],
    })
    .toBeGreaterThan(hours * 3_600_000)

  expect(await stopWatching()).toEqual([])
})
