// What the window shows when the service cannot start, and how it goes on.
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { expect, test } from './fixtures.ts'

test('a locked database is waited for, a newer one is named, and Try again starts the app', async ({
  launchApp,
  dataDir,
}) => {
  const file = join(dataDir, 'modelport.db')
  const db = new Sqlite(file)
  db.pragma('user_version = 999990')
  db.exec('BEGIN EXCLUSIVE')
  const { window } = await launchApp()

  await expect(window.getByRole('heading', { name: 'Waiting for the database' })).toBeVisible()
  db.exec('ROLLBACK')
  db.close()

  const newer = window.getByRole('heading', { name: 'This database needs a newer Modelport' })
  await expect(newer).toBeVisible()
  await expect(window.getByText('schema 999990')).toBeVisible()
  await expect(window.getByText(dataDir, { exact: true })).toBeVisible()
  await window.getByRole('button', { name: 'Try again' }).click()
  await expect(newer).toBeVisible()

  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
  await window.getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByRole('navigation', { name: 'Pages' })).toBeVisible()
})

const rendererDir = fileURLToPath(new URL('../out/renderer', import.meta.url))

/** A page that is no longer loaded on demand adds 50 kB or more. */
const firstScriptLimit = 800_000

test('the first frame needs one script; other pages have their own', async () => {
  const page = await readFile(join(rendererDir, 'index.html'), 'utf8')
  const scripts = page.match(/[\w/.-]+\.js(?=")/g) ?? []
  expect(scripts).toHaveLength(1)
  expect((await stat(join(rendererDir, scripts[0] ?? ''))).size).toBeLessThan(firstScriptLimit)

  const files = await readdir(join(rendererDir, 'assets'))
  for (const name of ['activity', 'chat', 'models', 'router', 'settings']) {
    expect(files).toContainEqual(expect.stringMatching(`^${name}-page-`))
  }
})
