/**
 * The window in other languages: chosen in Settings or by the system, and nothing cut in any view. `npm test` looks at
 * German, which has the longest texts; `MODELPORT_E2E_LANGUAGES=de,es,fr,ja,zh npm run e2e -- languages` at all.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { setTranslation } from '../src/shared/strings/strings.ts'
import { addTools, examine, type Pass } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { resizeWindow } from './layout.ts'
import { openSettings } from './open-settings.ts'
import { seed, show, viewsOf } from './views.ts'

const languages = (process.env['MODELPORT_E2E_LANGUAGES'] ?? 'de').split(',')

test.afterEach(() => setTranslation({ language: 'en', texts: {} }))

/** Lets the test find elements by their texts in this language. */
async function speak(language: string): Promise<void> {
  const file = new URL(`../src/shared/strings/${language}.json`, import.meta.url)
  setTranslation({ language, texts: JSON.parse(await readFile(file, 'utf8')) })
}

async function changeLanguage(window: Page, language: string): Promise<void> {
  const loaded = window.waitForEvent('load')
  await window.evaluate(
    (value) => void modelport.call('settings:set', { name: 'language', value }),
    language,
  )
  await loaded
  await expect(window.locator('html')).toHaveAttribute('lang', language)
  await speak(language)
}

test('Settings change the language of the window at once and for every later start', async ({
  launchApp,
}) => {
  const { app, window } = await launchApp()
  await expect(window.locator('html')).toHaveAttribute('lang', 'en')
  await openSettings(window, 'Appearance')
  await window.getByRole('radio', { name: 'Deutsch' }).press('Space')

  await expect(window.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible()
  await expect(window.getByRole('radio', { name: 'Deutsch' })).toBeChecked()
  await expect(window.locator('html')).toHaveAttribute('lang', 'de')
  await app.close()

  const { app: restarted, window: later } = await launchApp({ page: '/settings/appearance' })
  await expect(later.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible()
  const menus = await restarted.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()?.items.map(({ label }) => label),
  )
  expect(menus).toContain('Datei')
  await later.getByRole('radio', { name: '日本語' }).press('Space')
  await expect(later.getByRole('heading', { level: 1, name: '設定' })).toBeVisible()
})

test('the window has the language of the system', async ({ launchApp }) => {
  const { window } = await launchApp({ env: { LANG: 'fr_FR.UTF-8', LC_ALL: 'fr_FR.UTF-8' } })
  await expect(window.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(window.getByRole('textbox', { name: 'Message' })).toBeVisible()
})

const pass: Pass = {
  size: { width: 1280, height: 820 },
  // Only a look has pictures, and axe, which takes most of the time, is no matter of language.
  looks:
    process.env['MODELPORT_UPDATE_PICTURES'] === '1'
      ? [{ theme: 'light', density: 'comfortable' }]
      : [],
  hasForcedColors: false,
}

test(`nothing is cut, covered or squeezed in ${languages.join(', ')}`, async ({ openApp }) => {
  test.setTimeout(60_000 + languages.length * 120_000)
  const models = { small: { text: 'A lighthouse.' }, large: { text: 'A lighthouse.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { app, window } = await openApp()
  await window.emulateMedia({ reducedMotion: 'reduce' })
  const seeded = await seed(window, upstream.url)
  await resizeWindow(app, window, pass.size)
  const problems: string[] = []

  for (const language of languages) {
    await changeLanguage(window, language)
    await show({ name: 'chat', path: '/chat', window })
    await window.getByRole('button', { name: 'What is a lighthouse?' }).first().click()
    await addTools(window)
    for (const view of viewsOf(seeded)) {
      const found = await examine(window, { ...view, name: `${language}-${view.name}` }, pass)
      problems.push(...found)
    }
  }

  expect(problems).toEqual([])
  await upstream.close()
})
