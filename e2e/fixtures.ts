// Every end-to-end test gets the built app in a real Electron with its own data folder. Run them with `npm run
// e2e`, which finds Electron and provides a display and a keyring.
import { fileURLToPath } from 'node:url'
import {
  _electron,
  expect,
  test as base,
  type ElectronApplication,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { newDataDir, removeDataDir, SharedApp, type LaunchedApp } from './shared-app.ts'

export { expect, type LaunchedApp }

const repositoryDir = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
/** Starts the app once Playwright is connected to it. */
const heldApp = fileURLToPath(new URL('held-app', import.meta.url))
/** Playwright's own limit, half a minute, is short for a busy machine. */
const startLimitMs = 120_000

/**
 * A virtual display has no GPU: Chromium would start a process for one, find none, and start another that draws in
 * software.
 */
const drawingSwitches = ['--disable-gpu', '--disable-software-rasterizer']

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
  /** The app with nothing in it, on the page Chat or on another: one that earlier tests have left, emptied. */
  readonly openApp: (page?: string) => Promise<LaunchedApp>
  /** Ends that app, if the test has not, and starts it again on its data. */
  readonly restartApp: (page?: string) => Promise<LaunchedApp>
  /** An empty folder: the data folder of all starts by `launchApp` within a test. */
  readonly dataDir: string
  /** Starts an app of the test's own, for what depends on its start, its switches or its data folder. The test's end closes it; closing it earlier is fine. */
  readonly launchApp: (options?: LaunchOptions) => Promise<LaunchedApp>
  /** The same for a start that opens no window. */
  readonly launchHidden: (options?: LaunchOptions) => Promise<ElectronApplication>
}

interface WorkerFixtures {
  readonly sharedApp: SharedApp
}

/** Playwright's `test` with apps. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedApp: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const sharedApp = new SharedApp(async (dataDir) => {
        const started = await launchWindow(dataDir)
        await untilCallsAreAnswered(started.window)
        return started
      })
      await use(sharedApp)
      await sharedApp.end()
    },
    { scope: 'worker' },
  ],

  openApp: async ({ sharedApp }, use, testInfo) => {
    let window: Page | null = null
    await use(async (page = '/chat') => {
      const opened = await sharedApp.open(page)
      window = opened.window
      return opened
    })
    await attachPicture(testInfo, window)
  },

  restartApp: async ({ sharedApp }, use, testInfo) => {
    let window: Page | null = null
    await use(async (page = '/chat') => {
      const restarted = await sharedApp.restart(page)
      window = restarted.window
      return restarted
    })
    await attachPicture(testInfo, window)
  },

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  dataDir: async ({}, use) => {
    const dataDir = await newDataDir()
    await use(dataDir)
    await removeDataDir(dataDir)
  },

  launchApp: async ({ dataDir, sharedApp }, use, testInfo) => {
    const launched: LaunchedApp[] = []
    await use(async (options) => {
      await sharedApp.rest()
      const started = await launchWindow(dataDir, options)
      launched.push(started)
      await untilReady(started.window, options)
      return started
    })
    for (const { app, window } of launched) {
      await attachPicture(testInfo, window)
      await app.close()
    }
  },

  launchHidden: async ({ dataDir, sharedApp }, use) => {
    const launched: ElectronApplication[] = []
    await use(async (options = {}) => {
      await sharedApp.rest()
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
  test.beforeAll(async ({ sharedApp }) => {
    await sharedApp.rest()
    dataDir = await newDataDir()
    started = await launchWindow(dataDir, options)
    await untilReady(started.window, options)
  })
  test.afterAll(async () => {
    await started?.app.close()
    await removeDataDir(dataDir)
  })
  return () => {
    if (started === null) throw new Error('The app has not started.')
    return started
  }
}

/** An action that ends the app, until the app is gone. Its own answer may be lost with the app. */
export async function untilEnded(
  app: ElectronApplication,
  action: () => Promise<unknown>,
): Promise<void> {
  const ended = app.waitForEvent('close')
  await action().catch(() => {})
  await ended
}

/** What a failed test has left on the screen. */
async function attachPicture(testInfo: TestInfo, window: Page | null): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus || !window || window.isClosed()) return
  await testInfo.attach('window', { body: await window.screenshot(), contentType: 'image/png' })
}

async function launchWindow(dataDir: string, options?: LaunchOptions): Promise<LaunchedApp> {
  const app = await launch(dataDir, options)
  return { app, window: await app.firstWindow({ timeout: startLimitMs }), dataDir }
}

async function untilReady(window: Page, options?: LaunchOptions): Promise<void> {
  await untilCallsAreAnswered(window)
  const page = options?.page === undefined ? '/chat' : options.page
  if (page !== null) await open(window, page)
}

/** A page of the window. A test's own app may have none. */
async function open(window: Page, page: string): Promise<void> {
  // An app that has started goes to Home, also after another page was opened.
  await window.waitForURL(/#\/./)
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
    args: [...drawingSwitches, ...switches, heldApp],
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
