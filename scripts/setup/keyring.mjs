import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Wraps a command so that it runs in a separate D-Bus session with a real, unlocked keyring, as after a desktop
 * login. The session and the keyring's daemon end with the command.
 * @param {readonly [string, ...string[]]} command
 * @returns {[string, ...string[]]}
 */
export function inKeyringSession(command) {
  const unlockAndRun = `printf 'test\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"`
  return ['dbus-run-session', '--', 'sh', '-c', unlockAndRun, 'sh', ...command]
}

/**
 * Runs the work with an empty home folder, so that neither the user's keyring nor their data is touched.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work gets the environment that points there
 * @returns {Promise<T>}
 */
export async function withFreshHome(work) {
  const home = await mkdtemp(join(tmpdir(), 'modelport-e2e-'))
  const runtimeDir = join(home, 'run')
  await mkdir(runtimeDir, { mode: 0o700 })
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: runtimeDir }
  for (const name of [
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_CACHE_HOME',
    'DBUS_SESSION_BUS_ADDRESS',
    'WAYLAND_DISPLAY',
  ]) {
    Reflect.deleteProperty(env, name)
  }
  try {
    return await work(env)
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
