/** The built app in real Electron on a display of its own, with a data folder of the bench. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { z } from 'zod'
import { ensureBuild } from '../../scripts/setup/build.mjs'
import { prepare } from '../../scripts/setup/prepare.mjs'
import { step } from '../../scripts/setup/progress.mjs'
import { sandboxArguments } from '../../scripts/setup/sandbox.mjs'
import { seededKeys } from '../../test/usage-seed/usage-seed.ts'

const repositoryDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const heldApp = fileURLToPath(new URL('../../e2e/held-app', import.meta.url))
const watchedApp = fileURLToPath(new URL('watched-app', import.meta.url))
const timesSchema = z.strictObject({ interactiveAtMs: z.number(), figuresAtMs: z.number() })

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

/** Starts the app under a test driver. */
export async function launchApp({ electron, env }: Place, dataDir: string): Promise<RunningApp> {
  const app = await _electron.launch({
    executablePath: electron,
    args: [heldApp],
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...env, ...folders(dataDir) },
  })
  return { app, window: await app.firstWindow() }
}

/** A start without a test driver. */
export interface WatchedStart {
  child: ChildProcess
  pid: number
  /** Time from the start until the first page can be used. */
  interactiveMs: number
  /** Time until Home shows the service's figures. */
  figuresMs: number
}

/** @throws Error when the app ends before Home shows its figures */
export async function watchStart(place: Place, dataDir: string): Promise<WatchedStart> {
  const env = { ...place.env, ...folders(dataDir) }
  const startedAtMs = Date.now()
  const args = [...sandboxArguments(), watchedApp]
  const child = spawn(place.electron, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('{')) continue
    const { interactiveAtMs, figuresAtMs } = timesSchema.parse(JSON.parse(line))
    return {
      child,
      pid: child.pid ?? Number.NaN,
      interactiveMs: interactiveAtMs - startedAtMs,
      figuresMs: figuresAtMs - startedAtMs,
    }
  }
  throw new Error('the app ended before Home showed its figures')
}

export async function quit({ child }: WatchedStart): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

function folders(dataDir: string): Record<string, string> {
  return { MODELPORT_DATA_DIR: dataDir, MODELPORT_E2E_APP_DIR: repositoryDir }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
