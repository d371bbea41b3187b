/**
 * Whether the desktop shows tray icons. Windows and macOS always do. On Linux it takes a StatusNotifier host on the
 * session bus, which GNOME has only with an extension; without one, Electron creates an icon that nobody sees.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const watcher = 'org.kde.StatusNotifierWatcher'
/** Seconds to wait after a login, when the panel can start later than this app. */
const waitS = 60

export interface TrayHostOptions {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** Runs `gdbus` with these arguments; resolves to its output. @throws when it fails or is missing */
  runGdbus(args: readonly string[]): Promise<string>
}

/** Resolves true once there is one; false if none appears within a minute. */
export async function findTrayHost({ platform, env, runGdbus }: TrayHostOptions): Promise<boolean> {
  if (platform !== 'linux') return true
  // Without a bus, gdbus would start one.
  if (!hasSessionBus(env)) return false
  try {
    await runGdbus(['wait', '--session', '--timeout', String(waitS), watcher])
    const get = ['org.freedesktop.DBus.Properties.Get', watcher, 'IsStatusNotifierHostRegistered']
    const place = ['--dest', watcher, '--object-path', '/StatusNotifierWatcher', '--method']
    return (await runGdbus(['call', '--session', ...place, ...get])).includes('true')
  } catch {
    return false
  }
}

/** @param signal  ends a wait when the app quits */
export function gdbusRunner(signal: AbortSignal): TrayHostOptions['runGdbus'] {
  const run = promisify(execFile)
  return async (args) => (await run('gdbus', args, { signal, timeout: (waitS + 5) * 1_000 })).stdout
}

function hasSessionBus(env: TrayHostOptions['env']): boolean {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return true
  const runtimeDir = env['XDG_RUNTIME_DIR']
  return runtimeDir !== undefined && existsSync(join(runtimeDir, 'bus'))
}
