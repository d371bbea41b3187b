/** The source of prices: shown on the Settings page, updated on request, and restored. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { openSettings } from './open-settings.ts'
import { savePicture } from './pictures.ts'

const catalogFile = join(import.meta.dirname, '../resources/catalog.json')

test('a model’s rating is shown with its range, reasoning effort and source', async ({
  launchApp,
}) => {
  const { window } = await launchApp({ env: { HTTPS_PROXY: 'http://127.0.0.1:1' } })
  await window.evaluate(async () => {
    const apiKey = 'sk-or-test-key-0123456789'
    await modelport.call('providers:add', { id: 'openrouter', type: 'openrouter', apiKey })
    await modelport.call('providers:add', { id: 'mistral', type: 'mistral', apiKey })
  })
  await window.reload()
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local', exact: true }).click()
  await window
    .getByRole('navigation', { name: 'Parts of the router' })
    .getByRole('link', { name: 'Models' })
    .click()
  const search = window.getByRole('searchbox', { name: 'Search models to add' })
  const facts = window.getByRole('dialog')

  await search.fill('gpt-5.4-mini')
  await expect(window.getByRole('list', { name: 'Available models' })).toContainText(/quality \d+/)
  await window.getByRole('button', { name: 'About openrouter:openai/gpt-5.4-mini' }).press('Enter')
  await expect(facts).toContainText(/\d+ \(\d+–\d+\) of 100.*\d{4} ± \d+ points/)
  await expect(facts).toContainText('At reasoning effort “none”')
  await expect(facts).toContainText('LMArena (arena.ai), text leaderboard with style control, 20')
  await expect(facts).toContainText('LiveBench, release 20')
  await expect(facts.getByText('Quality by reasoning effort')).toBeVisible()
  await savePicture(window, 'rating')
  await window.keyboard.press('Escape')

  await search.fill('claude-opus-5.5')
  await window.getByRole('button', { name: 'About openrouter:anthropic/claude-opus-5.5' }).click()
  await expect(facts).toContainText('from a similar model')
  await expect(facts).toContainText('that of claude-opus-5')
  await savePicture(window, 'rating-sibling')
  await window.keyboard.press('Escape')

  await search.fill('codestral')
  await window.getByRole('button', { name: 'About mistral:codestral-2508' }).click()
  await expect(facts).toContainText('not rated')
  await savePicture(window, 'rating-unknown')
})

test('downloaded prices are labelled, and can be replaced with those that came with the app', async ({
  dataDir,
  launchApp,
}) => {
  const { asOf, models } = JSON.parse(await readFile(catalogFile, 'utf8'))
  const downloaded = { formatVersion: 1, asOf: '2099-12-31', models: models.slice(0, 5) }
  await writeFile(join(dataDir, 'catalog.json'), JSON.stringify(downloaded))
  // Nothing listens there, so no request can leave this computer, whatever its network.
  const { window } = await launchApp({ env: { HTTPS_PROXY: 'http://127.0.0.1:1' } })
  await openSettings(window, 'General')
  const section = window.getByRole('region', { name: 'Prices and models' })

  // Models that came with this version and are not in the download stay.
  const label = `${models.length} models, prices as of 2099-12-31, downloaded.`
  await expect(section).toContainText(label)
  await section.getByRole('button', { name: 'Check for updates' }).press('Enter')
  await expect(section.getByRole('alert')).toContainText('Nothing was changed.')

  await section.getByRole('button', { name: 'Restore included prices' }).press('Enter')
  await expect(section).toContainText(`prices as of ${asOf}, included in this version.`)
  await expect(section.getByRole('button', { name: 'Restore included prices' })).toHaveCount(0)
})
