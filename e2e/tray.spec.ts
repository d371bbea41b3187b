// The app without its window: the tray, closing, and starts at login.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ElectronApplication } from '@playwright/test'
import { clickTray, notices, trayMenu, withTrayHost } from './desktop-parts.ts'
import { expect, test, untilEnded } from './fixtures.ts'
import { openPlace } from './places.ts'

const commandLine = fileURLToPath(new URL('../bin/modelport.mjs', import.meta.url))

/** Sets a free port, because another program may use the usual one. */
async function takeAnyPort(dataDir: string): Promise<void> {
  const set = ['settings', 'set', 'port', '0', '--data-dir', dataDir]
  await promisify(execFile)(process.execPath, [commandLine, ...set])
}

const windowCount = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

/** Waits for the window, closes it, and waits for its end. */
async function closeWindow(app: ElectronApplication): Promise<void> {
  await expect.poll(() => windowCount(app)).toBe(1)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await expect.poll(() => windowCount(app)).toBe(0)
}

test('a hidden start serves from the tray, which opens, pauses, and keeps serving after a close', async ({
  launchHidden,
  dataDir,
}) => {
  await takeAnyPort(dataDir)
  await withTrayHost(async (env) => {
    const app = await launchHidden({ env })
    // Playwright can lose an answer of the main process while it starts.
    await expect(async () => {
      expect(await trayMenu(app)).toContain('Today: $0 · 0 requests')
    }).toPass()
    expect(await trayMenu(app)).toEqual([
      expect.stringMatching(/^Serving at localhost:\d+$/),
      'Today: $0 · 0 requests',
      'Open Modelport',
      'Quick entry',
      'Pause serving',
      'Quit Modelport',
    ])
    expect(await windowCount(app)).toBe(0)

    const opened = app.waitForEvent('window')
    await clickTray(app, 'Open Modelport')
    const window = await opened
    await clickTray(app, 'Pause serving')
    await expect(window.getByText('Serving is paused.')).toBeVisible()
    await expect.poll(async () => (await trayMenu(app))[0]).toBe('Serving is paused')
    await window.getByRole('button', { name: 'Resume serving' }).click()
    await expect(window.getByText('Serving is paused.')).toBeHidden()

    await closeWindow(app)
    await clickTray(app, 'Open Modelport')
    await closeWindow(app)
    await expect.poll(async () => (await trayMenu(app))[0]).toMatch(/^Serving at/)
    await expect
      .poll(() => notices(app))
      .toEqual([
        'Modelport keeps serving: It stays in the system tray. Quit it there, or click here to change this.',
      ])
  })
})

test('without a session bus, a start works: no tray, no keyring, and closing the window quits', async ({
  launchHidden,
}) => {
  const app = await launchHidden({ env: { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' } })
  const window = await app.firstWindow()

  expect(await trayMenu(app)).toEqual([])
  await openPlace(window, 'Models', 'Providers')
  const note = window
    .getByRole('alert')
    .filter({ has: window.getByRole('button', { name: 'Try again' }) })
  await expect(note).toBeVisible()
  await untilEnded(app, () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
  )
})

test('Settings turn launching at login on and off, as the system has it', async ({
  launchApp,
  dataDir,
}) => {
  const env = { XDG_CONFIG_HOME: dataDir }
  const { window } = await launchApp({ env })
  const entry = join(dataDir, 'autostart', 'modelport.desktop')
  await window.goto('app://modelport/#/settings')
  await window.getByLabel('Start Modelport when you log in').check()
  await window.getByLabel('Start without a window').check()

  await expect(async () => {
    expect(await readFile(entry, 'utf8')).toMatch(/^Exec=.* --hidden$/m)
  }).toPass()
  await window.getByLabel('Start Modelport when you log in').uncheck()
  await expect(async () => {
    await expect(readFile(entry, 'utf8')).rejects.toThrow('ENOENT')
  }).toPass()
})
