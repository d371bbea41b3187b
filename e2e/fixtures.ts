// Every end-to-end test gets the built app in a real Electron with its own data folder. Run them with `npm run
// e2e`, which finds Electron and provides a display and a keyring.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  _electron,
  expect,
  test as base,
  type ElectronApplication,
  type Page,
} from '@playwright/test'

export { expect }

const repositoryDir = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
/** Starts the app once Playwright is connected to it. */
const heldApp = fileURLToPath(new URL('held-app', import.meta.url))
/** Playwright's own limit, half a minute, is short for a busy machine. */
const startLimitMs = 120_000

/** The running app and its first window. */
export interface LaunchedApp {
  readonly app: ElectronApplication
  readonly window: Page
}

/** The options of a start of the app. */
export interface LaunchOptions {
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** Folder with a package.json of another app to start instead of Modelport. */
  readonly appDir?: string
  /** Command-line switches of Chromium and V8. */
  readonly switches?: readonly string[]
  /** The page that the test begins on; null for the one that a person sees first. */
  readonly page?: string | null
}

interface Fixtures {
  /** The app's data folder: new for every test, and the same for all starts within a test. */
  readonly dataDir: string
  /** Starts the app. The test's end closes it; closing it earlier is fine. */
  readonly launchApp: (options?: LaunchOptions) => Promise<LaunchedApp>
  /** The same for a start that opens no window. */
  readonly launchHidden: (options?: LaunchOptions) => Promise<ElectronApplication>
}

/** Playwright's `test` with `dataDir` and `launchApp`. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  dataDir: async ({}, use) => {
    const dataDir = await newDataDir()
    await use(dataDir)
    await removeDataDir(dataDir)
  },

  launchApp: async ({ dataDir }, use, testInfo) => {
    const launched: LaunchedApp[] = []
    await use(async (options) => {
      const started = await launchWindow(dataDir, options)
      launched.push(started)
      await untilReady(started.window, options)
      return started
    })
    const hasFailed = testInfo.status !== testInfo.expectedStatus
    for (const { app, window } of launched) {
      if (hasFailed && !window.isClosed()) {
        await testInfo.attach('window', {
          body: await window.screenshot(),
          contentType: 'image/png',
        })
      }
      await app.close()
    }
  },

  launchHidden: async ({ dataDir }, use) => {
    const launched: ElectronApplication[] = []
    await use(async (options = {}) => {
      const app = await launch(dataDir, {
        ...options,
        switches: [...(options.switches ?? []), '--hidden'],
      })
      launched.push(app)
      return app
    })
    for (const app of launched) await app.close()
  },
})

/**
 * One start of the app for all tests of a file or group that leave it as it was.
 * @returns the running app, within a test
 */
export function launchOnce(options?: LaunchOptions): () => LaunchedApp {
  let started: LaunchedApp | null = null
  let dataDir = ''
  base.beforeAll(async () => {
    dataDir = await newDataDir()
    started = await launchWindow(dataDir, options)
    await untilReady(started.window, options)
  })
  base.afterAll(async () => {
    await started?.app.close()
    await removeDataDir(dataDir)
  })
  return () => {
    if (started === null) throw new Error('The app has not started.')
    return started
  }
}

function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'modelport-data-'))
}

async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

async function launchWindow(dataDir: string, options?: LaunchOptions): Promise<LaunchedApp> {
  const app = await launch(dataDir, options)
  return { app, window: await app.firstWindow({ timeout: startLimitMs }) }
}

async function untilReady(window: Page, options?: LaunchOptions): Promise<void> {
  await untilCallsAreAnswered(window)
  const page = options?.page === undefined ? '/chat' : options.page
  if (page !== null) await open(window, page)
}

/** A page of the window. A test's own app may have none. */
async function open(window: Page, page: string): Promise<void> {
  await window.evaluate((hash) => {
    location.hash = hash
  }, page)
  // Pages load when they are opened; until then, Home is still shown.
  if (page !== '/home')
    await expect(window.getByRole('heading', { level: 1, name: 'Home' })).toHaveCount(0)
}

function launch(
  dataDir: string,
  { env = {}, appDir = repositoryDir, switches = [] }: LaunchOptions = {},
): Promise<ElectronApplication> {
  return _electron.launch({
    executablePath: findElectron(),
    args: [...switches, heldApp],
    timeout: startLimitMs,
    // Without this, Playwright starts Electron with --no-sandbox, and every test of the sandbox would be
    // invalid.
    chromiumSandbox: process.getuid?.() !== 0,
    env: {
      ...definedOnly(process.env),
      MODELPORT_DATA_DIR: dataDir,
      MODELPORT_E2E_APP_DIR: appDir,
      ...env,
    },
  })
}

function findElectron(): string {
  const path = process.env['MODELPORT_ELECTRON']
  if (path === undefined)
    throw new Error('MODELPORT_ELECTRON is not set: start the tests with `npm run e2e`.')
  return path
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The main process loads the service's code after the first page; `app.evaluate` can lose its answer meanwhile. */
async function untilCallsAreAnswered(window: Page): Promise<void> {
  await window.locator('main').first().waitFor()
  await window.evaluate(() => modelport.call('start:state', undefined))
}
