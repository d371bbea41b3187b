/**
 * Root cannot see Chromium's sandbox at work: it has to switch it off. So that the one test about it
 * runs everywhere, root lends a copy of the app and of Electron to the user `nobody`.
 */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** What the built app and its start under test consist of. */
const parts = [
  'out',
  'package.json',
  'e2e/held-app',
  'node_modules/better-sqlite3',
  'node_modules/keytar',
  'node_modules/playwright-core',
]

export interface LentApp {
  /** Starts Electron as `nobody`; to be given to Playwright as the executable. */
  executable: string
  appDir: string
  env: Record<string, string>
  remove(): Promise<void>
}

/** @param electron  the executable to copy, with the folder it is in */
export async function lendToNobody(repositoryDir: string, electron: string): Promise<LentApp> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-nobody-'))
  await chmod(folder, 0o755)
  const [appDir, home] = [join(folder, 'app'), join(folder, 'home')]
  await run('cp', ['-r', join(electron, '..'), join(folder, 'electron')])
  for (const part of parts) {
    await cp(join(repositoryDir, part), join(appDir, part), { recursive: true })
  }
  const binding = join(folder, 'better-sqlite3.node')
  const builtBinding = process.env['MODELPORT_SQLITE_BINDING']
  if (builtBinding !== undefined) await cp(builtBinding, binding)
  await mkdir(home)
  // What lets a program onto the display is the display's owner's alone.
  const displayKey = process.env['XAUTHORITY']
  if (displayKey !== undefined) await cp(displayKey, join(home, 'xauthority'))
  await run('chmod', ['-R', 'a+rX', folder])
  await run('chown', ['-R', 'nobody', home])
  const executable = join(folder, 'electron-as-nobody')
  await writeFile(
    executable,
    `#!/bin/sh\nexec setpriv --reuid=nobody --regid=nogroup --clear-groups ${join(folder, 'electron', 'electron')} "$@"\n`,
    { mode: 0o755 },
  )
  return {
    executable,
    appDir,
    env: {
      HOME: home,
      XDG_RUNTIME_DIR: home,
      XAUTHORITY: join(home, 'xauthority'),
      MODELPORT_DATA_DIR: join(home, 'data'),
      MODELPORT_CACHE_DIR: join(home, 'cache'),
      ...(builtBinding === undefined ? {} : { MODELPORT_SQLITE_BINDING: binding }),
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
