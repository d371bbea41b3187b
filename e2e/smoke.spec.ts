// The ground everything stands on: the window, SQLite and the keychain inside Electron's main process.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from './fixtures.ts'

test('the app opens a window', async ({ launchApp }) => {
  const { app, window } = await launchApp()

  await expect(window.locator('body')).toBeVisible()
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('SQLite in the main process is new enough to have no WAL race', async ({ launchApp }) => {
  const { app } = await launchApp()

  const version = await app.evaluate(({ app: electronApp }) => {
    const require = process.getBuiltinModule('module').createRequire(`${electronApp.getAppPath()}/package.json`)
    const Database = require('better-sqlite3')
    const nativeBinding = process.env['MODELPORT_SQLITE_BINDING']
    const database = new Database(':memory:', nativeBinding === undefined ? {} : { nativeBinding })
    return String(database.prepare('select sqlite_version()').pluck().get())
  })

  expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})

test('a secret goes into the real keychain and comes back', async ({ launchApp }) => {
  const { app } = await launchApp()

  const readBack = await app.evaluate(async ({ app: electronApp }) => {
    const require = process.getBuiltinModule('module').createRequire(`${electronApp.getAppPath()}/package.json`)
    const keytar = require('keytar')
    await keytar.setPassword('modelport-smoke', 'account', 'a secret')
    const stored: unknown = await keytar.getPassword('modelport-smoke', 'account')
    const wasDeleted: unknown = await keytar.deletePassword('modelport-smoke', 'account')
    const afterDeletion: unknown = await keytar.getPassword('modelport-smoke', 'account')
    return { stored, wasDeleted, afterDeletion }
  })

  expect(readBack).toEqual({ stored: 'a secret', wasDeleted: true, afterDeletion: null })
})

test('the preload script is sandboxed CommonJS', async ({ launchApp }) => {
  const { app, window } = await launchApp()

  const preload = await readFile(fileURLToPath(new URL('../out/preload/index.cjs', import.meta.url)), 'utf8')
  expect(preload).not.toMatch(/^\s*(import|export)\s/m)
  // A renderer outside the sandbox, or one with Node in it, would have these.
  expect(await window.evaluate(() => [typeof globalThis.require, typeof globalThis.process])).toEqual([
    'undefined',
    'undefined',
  ])
  const preferences = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => contents.getLastWebPreferences()),
  )
  expect(preferences).toMatchObject([{ sandbox: true, contextIsolation: true, nodeIntegration: false }])
})
