/** The built app in real Electron on a display of its own, with a data folder of the bench. */
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { ensureBuild } from '../../scripts/setup/build.mjs'
import { prepare } from '../../scripts/setup/prepare.mjs'
import { step } from '../../scripts/setup/progress.mjs'
import { seededKeys } from '../../test/usage-seed/usage-seed.ts'

const repositoryDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const heldApp = fileURLToPath(new URL('../../e2e/held-app', import.meta.url))

/** What every start needs. */
export interface Place {
  electron: string
  env: Record<string, string>
}

export interface RunningApp {
  app: ElectronApplication
  window: Page
}

/** Builds the app. @param home  the home folder of its processes */
export async function preparePlace(home: string, display: string): Promise<Place> {
  const { desktop } = await prepare({ window: true, tests: true })
  await step('Build', () => ensureBuild())
  if (desktop === null) throw new Error('there is no Electron')
  const { WAYLAND_DISPLAY: _wayland, DBUS_SESSION_BUS_ADDRESS: _bus, ...env } = desktop.env
  return {
    electron: desktop.electron,
    env: { ...definedOnly(env), ...seededKeys, HOME: home, DISPLAY: display },
  }
}

export async function launchApp({ electron, env }: Place, dataDir: string): Promise<RunningApp> {
  const app = await _electron.launch({
    executablePath: electron,
    args: [heldApp],
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...env, MODELPORT_DATA_DIR: dataDir, MODELPORT_E2E_APP_DIR: repositoryDir },
  })
  return { app, window: await app.firstWindow() }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
