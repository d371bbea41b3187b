import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoginItemSettings, Settings } from 'electron'
import { expect, onTestFinished, test } from 'vitest'
import { createLoginItem, isHiddenStart, type LoginItemOptions } from './login-item.ts'

/** Login items of Windows or macOS, by their arguments. */
function fakeApp(): LoginItemOptions['app'] & { disable(): void; wasOpenedAtLogin: boolean } {
  let item: { args: string; isEnabled: boolean } | null = null
  const app = {
    wasOpenedAtLogin: false,
    disable: () => {
      if (item) item.isEnabled = false
    },
    getLoginItemSettings: ({ args = [] }: { args?: string[] } = {}) => {
      const openAtLogin = item !== null && item.args === args.join(' ')
      const executableWillLaunchAtLogin = openAtLogin && item?.isEnabled === true
      const { wasOpenedAtLogin } = app
      return { openAtLogin, executableWillLaunchAtLogin, wasOpenedAtLogin } as LoginItemSettings
    },
    setLoginItemSettings: ({ openAtLogin = false, args = [] }: Settings) => {
      item = openAtLogin ? { args: args.join(' '), isEnabled: true } : null
    },
  }
  return app
}

function start(platform: NodeJS.Platform) {
  const configDir = mkdtempSync(join(tmpdir(), 'modelport-autostart-'))
  onTestFinished(() => rmSync(configDir, { recursive: true }))
  let startsHidden = false
  const app = fakeApp()
  const options: LoginItemOptions = {
    app,
    platform,
    env: { XDG_CONFIG_HOME: configDir },
    command: ['/opt/Modelport/modelport'],
    remembered: {
      startsHidden: () => startsHidden,
      setStartsHidden: (value) => (startsHidden = value),
    },
  }
  const file = join(configDir, 'autostart', 'modelport.desktop')
  return { app, options, file, loginItem: createLoginItem(options) }
}

test.each(['linux', 'win32', 'darwin'] as const)(
  'on %s the item reads as the user set it, until it is removed',
  (platform) => {
    const { loginItem } = start(platform)
    expect(loginItem.read()).toEqual({ launchesAtLogin: false, startsHidden: false })

    loginItem.write({ launchesAtLogin: true, startsHidden: true })
    expect(loginItem.read()).toEqual({ launchesAtLogin: true, startsHidden: true })

    loginItem.write({ launchesAtLogin: true, startsHidden: false })
    expect(loginItem.read()).toEqual({ launchesAtLogin: true, startsHidden: false })

    loginItem.write({ launchesAtLogin: false, startsHidden: false })
    expect(loginItem.read()).toEqual({ launchesAtLogin: false, startsHidden: false })
  },
)

test('an entry that the desktop turned off stays as it is when it is read', () => {
  const { loginItem, file } = start('linux')
  loginItem.write({ launchesAtLogin: true, startsHidden: true })
  const off = readFileSync(file, 'utf8').replace('enabled=true', 'enabled=false')
  writeFileSync(file, off)

  expect(loginItem.read().launchesAtLogin).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe(off)
})

test('an item that was turned off in the Task Manager is off', () => {
  const { app, loginItem } = start('win32')
  loginItem.write({ launchesAtLogin: true, startsHidden: true })
  app.disable()

  expect(loginItem.read().launchesAtLogin).toBe(false)
})

test('a start is hidden with the switch', () => {
  const { options } = start('linux')

  expect(isHiddenStart(['/opt/Modelport/modelport', '--hidden'], options)).toBe(true)
  expect(isHiddenStart(['/opt/Modelport/modelport'], options)).toBe(false)
})

test('on macOS a start at login is hidden if the user chose that, and a start by hand is not', () => {
  const { app, options, loginItem } = start('darwin')
  loginItem.write({ launchesAtLogin: true, startsHidden: true })

  expect(isHiddenStart([], options)).toBe(false)
  app.wasOpenedAtLogin = true
  expect(isHiddenStart([], options)).toBe(true)
})
