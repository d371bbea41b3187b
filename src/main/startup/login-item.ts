/**
 * Launching at login, as the operating system has it: a login item on macOS and Windows, an autostart entry on Linux.
 * It is read each time and written only when the user asks for it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from 'electron'
import type { StartupInput } from '../../shared/app/startup.ts'
import { autostartEntry, hiddenSwitch, readAutostart } from './autostart-file.ts'

export interface LoginItem {
  read(): StartupInput
  /** @throws an error of the file system */
  write(wanted: StartupInput): void
}

export interface LoginItemOptions {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** The program and its arguments. */
  command: readonly string[]
  /** macOS passes no arguments at login, so the app remembers there whether it starts hidden. */
  remembered: { startsHidden(): boolean; setStartsHidden(startsHidden: boolean): void }
}

export function createLoginItem(options: LoginItemOptions): LoginItem {
  switch (options.platform) {
    case 'darwin':
      return macLoginItem(options)
    case 'win32':
      return windowsLoginItem(options)
    default:
      return linuxLoginItem(options)
  }
}

/** Whether this start shows no window. @param argv  the arguments of this process */
export function isHiddenStart(argv: readonly string[], options: LoginItemOptions): boolean {
  if (argv.includes(hiddenSwitch)) return true
  const { platform, app, remembered } = options
  if (platform !== 'darwin' || !remembered.startsHidden()) return false
  return app.getLoginItemSettings().wasOpenedAtLogin
}

function linuxLoginItem({ env, command }: LoginItemOptions): LoginItem {
  const configDir = env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const file = join(configDir, 'autostart', 'modelport.desktop')
  return {
    read: () => readAutostart(readIfThere(file)),
    write({ launchesAtLogin, startsHidden }) {
      if (!launchesAtLogin) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, autostartEntry(command, startsHidden))
    },
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A file that cannot be read is none for the desktop either.
    return null
  }
}

/** Windows looks an item up by its command, so the one with the switch is another one. */
function windowsLoginItem({ app, command: [path = '', ...rest] }: LoginItemOptions): LoginItem {
  const argsOf = (startsHidden: boolean) => (startsHidden ? [...rest, hiddenSwitch] : rest)
  const isOn = (startsHidden: boolean) => {
    const item = app.getLoginItemSettings({ path, args: argsOf(startsHidden) })
    // The user can turn an item off in the Task Manager.
    return item.openAtLogin && item.executableWillLaunchAtLogin
  }
  return {
    read() {
      const startsHidden = isOn(true)
      return { launchesAtLogin: startsHidden || isOn(false), startsHidden }
    },
    write({ launchesAtLogin, startsHidden }) {
      app.setLoginItemSettings({ openAtLogin: launchesAtLogin, path, args: argsOf(startsHidden) })
    },
  }
}

function macLoginItem({ app, remembered }: LoginItemOptions): LoginItem {
  return {
    read: () => ({
      launchesAtLogin: app.getLoginItemSettings().openAtLogin,
      startsHidden: remembered.startsHidden(),
    }),
    write({ launchesAtLogin, startsHidden }) {
      app.setLoginItemSettings({ openAtLogin: launchesAtLogin })
      remembered.setStartsHidden(startsHidden)
    },
  }
}
