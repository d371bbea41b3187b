/** The source of prices: shown on the Settings page, updated on request, and restored. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

const catalogFile = join(import.meta.dirname, '../resources/catalog.json')

test('downloaded prices are labelled, and can be replaced with those that came with the app', async ({
  dataDir,
  launchApp,
}) => {
  const { asOf, models } = JSON.parse(await readFile(catalogFile, 'utf8'))
  const downloaded = { formatVersion: 1, asOf: '2099-12-31', models: models.slice(0, 5) }
  await writeFile(join(dataDir, 'catalog.json'), JSON.stringify(downloaded))
  // Nothing listens there, so no request can leave this computer, whatever its network.
  const { window } = await launchApp({ env: { HTTPS_PROXY: 'http://127.0.0.1:1' } })
  await window.getByRole('link', { name: 'Settings' }).click()
  const section = window.getByRole('region', { name: 'Prices and models' })

  await expect(section).toContainText('5 models, prices as of 2099-12-31, downloaded.')
  await section.getByRole('button', { name: 'Check for updates' }).press('Enter')
  await expect(section.getByRole('alert')).toContainText('Nothing was changed.')

  await section.getByRole('button', { name: 'Restore included prices' }).press('Enter')
  await expect(section).toContainText(`prices as of ${asOf}, included in this version.`)
  await expect(section.getByRole('button', { name: 'Restore included prices' })).toHaveCount(0)
})
