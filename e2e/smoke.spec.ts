// The foundations: the window, SQLite and the keychain inside Electron's main process.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type Sqlite from 'better-sqlite3'
import type Keytar from 'keytar'
import { expect, launchOnce, test } from './fixtures.ts'

const launched = launchOnce()

test('the app opens a window', async () => {
  const { app, window } = launched()

  await expect(window.locator('body')).toBeVisible()
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('SQLite in the main process is new enough to have no WAL race', async () => {
  const { app } = launched()

  const version = await app.evaluate(({ app: electronApp }) => {
    const require = process
      .getBuiltinModule('module')
      .createRequire(`${electronApp.getAppPath()}/package.json`)
    const Database = require('better-sqlite3') as typeof Sqlite
    const nativeBinding = process.env['MODELPORT_SQLITE_BINDING']
    const database = new Database(':memory:', nativeBinding === undefined ? {} : { nativeBinding })
    return String(database.prepare('select sqlite_version()').pluck().get())
  })

  expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})

test('a secret can be stored in the real keychain and read back', async () => {
  const { app } = launched()

  const readBack = await app.evaluate(async ({ app: electronApp }) => {
    const require = process
      .getBuiltinModule('module')
      .createRequire(`${electronApp.getAppPath()}/package.json`)
    const keytar = require('keytar') as typeof Keytar
    await keytar.setPassword('modelport-smoke', 'account', 'a secret')
    const stored = await keytar.getPassword('modelport-smoke', 'account')
    const wasDeleted = await keytar.deletePassword('modelport-smoke', 'account')
    const afterDeletion = await keytar.getPassword('modelport-smoke', 'account')
    return { stored, wasDeleted, afterDeletion }
  })

  expect(readBack).toEqual({ stored: 'a secret', wasDeleted: true, afterDeletion: null })
})

test('the preload script is CommonJS and the page has no access to Node.js', async () => {
  const { window } = launched()

  const preloadFile = fileURLToPath(new URL('../out/preload/index.cjs', import.meta.url))
  const preload = await readFile(preloadFile, 'utf8')
  expect(preload).not.toMatch(/^\s*(import|export)\s/m)
  expect(
    await window.evaluate(() =>
      ['require', 'process', 'module'].filter((name) => name in globalThis),
    ),
  ).toEqual([])
})
