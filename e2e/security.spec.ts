// Electron's security checklist, item by item, in the running app: what a page could do if a model's answer, a
// provider's name or a bug brought a script into it.
import { createServer, type Server } from 'node:http'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ElectronApplication } from '@playwright/test'
import { expect, launchOnce, test } from './fixtures.ts'
import {
  changeBridge,
  injectScripts,
  navigationWays,
  openLink,
  openWindows,
  outsideLinks,
  queryPermissions,
  reachNetwork,
  readGlobals,
  readPolicy,
  requestPermissions,
  strictPolicy,
} from './page-attempts.ts'

/** A server that must not be reached, and a counter of its requests. */
async function startCanary(): Promise<{ url: string; hits: () => number; server: Server }> {
  let hits = 0
  const server = createServer((_request, response) => {
    hits++
    response.end('reached')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return { url: `http://127.0.0.1:${address.port}/`, hits: () => hits, server }
}

/** Records the app's questions instead of showing them, and answers Cancel. */
async function recordQuestions(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (...args: unknown[]) => {
      asked.push(JSON.stringify(args.at(-1)))
      return Promise.resolve({ response: 1, checkboxChecked: false })
    }
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked') as string[])
}

/** Opens a second page with the app's preload, as a bug might, and evaluates the script in it. */
function inForeignWindow(app: ElectronApplication, script: string): Promise<unknown> {
  return app.evaluate(async ({ BrowserWindow, app: electronApp }, code) => {
    const foreign = new BrowserWindow({
      show: false,
      webPreferences: { preload: `${electronApp.getAppPath()}/out/preload/index.cjs` },
    })
    await foreign.loadURL('about:blank')
    const value: unknown = await foreign.webContents.executeJavaScript(code)
    foreign.destroy()
    return value
  }, script)
}

function pageAddresses(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((page) => page.getURL()),
  )
}

/** The app for the tests that do not change it. */
const launched = launchOnce()

test('the page is the app’s own, has a real origin and no access to Node.js', async () => {
  const { window } = launched()

  const globals = await window.evaluate(readGlobals)

  expect(globals).toEqual({ origin: 'app://modelport', isSecure: true, node: [] })
})

test('the page cannot change the bridge', async () => {
  const { window } = launched()

  const result = await window.evaluate(changeBridge)

  expect(result).toEqual({
    keys: ['call', 'on'],
    isChanged: false,
    isReplaced: false,
    isAnswered: true,
  })
})

test('every file has the content security policy', async () => {
  const { window } = launched()

  expect(await window.evaluate(readPolicy)).toEqual(strictPolicy)
})

test('the app itself does not violate its policy', async () => {
  const { window } = launched()
  const violations: string[] = []
  window.on('console', (message) => {
    if (/content security policy|trusted ?type/i.test(message.text()))
      violations.push(message.text())
  })

  // A reload has no effect while the window's first page is loading.
  await expect(window.locator('body')).not.toBeEmpty()
  await window.waitForLoadState('load')
  await window.reload()
  await expect(window.locator('body')).not.toBeEmpty()

  expect(violations).toEqual([])
})

test('a script injected into the page does not run', async () => {
  const { window } = launched()

  const outcome = await window.evaluate(injectScripts)

  expect(outcome).toEqual({
    isPwned: false,
    errors: {
      innerHTML: 'TypeError',
      Function: 'EvalError',
      'script text': 'TypeError',
      'script address': 'TypeError',
      attribute: 'TypeError',
    },
  })
})

test('only files of the built renderer are served', async () => {
  const { window } = launched()

  const statuses = await window.evaluate(
    async (paths) => {
      const answers = paths.map(async (path) => [path, (await fetch(path)).status] as const)
      return Object.fromEntries(await Promise.all(answers))
    },
    [
      '/',
      '/index.html',
      '/missing.js',
      '/..%2f..%2fpackage.json',
      '/%2e%2e%2f%2e%2e%2fpackage.json',
      '/assets',
      '/%00',
      '/%zz',
    ],
  )

  expect(statuses).toEqual({
    '/': 200,
    '/index.html': 200,
    '/missing.js': 404,
    '/..%2f..%2fpackage.json': 404,
    '/%2e%2e%2f%2e%2e%2fpackage.json': 404,
    '/assets': 404,
    '/%00': 404,
    '/%zz': 404,
  })
})

test('the page cannot reach the network', async () => {
  const { window } = launched()
  const canary = await startCanary()

  await window.evaluate(reachNetwork, canary.url)

  expect(canary.hits()).toBe(0)
  canary.server.close()
})

test('a page without a policy cannot reach the network either', async () => {
  const { app } = launched()
  const canary = await startCanary()
  await fetch(canary.url)

  const outcome = await inForeignWindow(
    app,
    `fetch(${JSON.stringify(canary.url)}, { mode: 'no-cors' }).then(() => 'reached', () => 'refused')`,
  )

  expect(outcome).toBe('refused')
  // The only request is the test's own, which shows that the server can be reached.
  expect(canary.hits()).toBe(1)
  canary.server.close()
})

test.describe('the page cannot be navigated elsewhere:', () => {
  for (const [name, way] of Object.entries(navigationWays)) {
    test(name, async ({ openApp }) => {
      const { app, window } = await openApp()
      await expect(window.locator('body')).not.toBeEmpty()
      const canary = await startCanary()

      for (const url of [canary.url, 'file:///etc/passwd', 'data:text/html,x', 'app://other/']) {
        await window.evaluate(way, url)
        // A navigation that is not blocked takes a moment to appear.
        await sleep(200)
      }

      expect(await pageAddresses(app)).toEqual([expect.stringMatching(/^app:\/\/modelport\//)])
      expect(canary.hits()).toBe(0)
      canary.server.close()
    })
  }

  test('a navigation to about:blank, which no event precedes, returns to the app’s page', async ({
    openApp,
  }) => {
    const { window } = await openApp()

    await window.evaluate(() => {
      location.href = 'about:blank'
    })

    await expect.poll(() => window.url()).toMatch(/^app:\/\/modelport\//)
    await expect(window.locator('body')).not.toBeEmpty()
  })
})

test('no window, frame or webview opens', async () => {
  const { app, window } = launched()
  await recordQuestions(app)

  const opened = await window.evaluate(openWindows)

  expect(opened).toEqual([null, null, null])
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
})

test('the user sees the full address of an outside link and may decline; only https is offered', async () => {
  const { app, window } = launched()
  const questions = await recordQuestions(app)
  await app.evaluate(({ shell }) => {
    shell.openExternal = () => Promise.reject(new Error('opened without consent'))
  })

  for (const url of outsideLinks) await window.evaluate(openLink, url)

  await expect
    .poll(questions)
    .toEqual([expect.stringContaining('"detail":"https://example.com/path?query#hash"')])
})

test('no permission is granted except copying', async () => {
  const { app, window } = launched()
  await window.locator('body').click({ position: { x: 1, y: 1 }, force: true })

  const outcome = await window.evaluate(requestPermissions)

  expect(outcome).toEqual({
    notifications: 'denied',
    position: 'code 1',
    read: 'NotAllowedError',
    write: 'given',
  })
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('copied')
})

test('the page learns that it has no permission', async () => {
  const { window } = launched()

  const states = await window.evaluate(queryPermissions)

  expect(new Set(states)).toEqual(new Set(['denied']))
})

test('a call from any page but the window is refused', async () => {
  const { app } = launched()

  const answer = await inForeignWindow(app, `modelport.call('app:state', undefined)`)

  expect(answer).toEqual({
    ok: false,
    error: { code: 'forbidden', message: 'This page may not call Modelport.', field: null },
  })
})

test('a call is checked before it does anything', async () => {
  const { window } = launched()

  const answers = await window.evaluate(() => {
    // A compromised page does not respect the types.
    const call = modelport.call as (name: unknown, input?: unknown) => Promise<unknown>
    return Promise.all([
      call('no:such-call'),
      call('constructor'),
      call('__proto__'),
      call(null),
      call('providers:remove', { id: 7 }),
      call('providers:remove', { id: 'openai', extra: true }),
      call('endpoint:listen', { port: 70_000 }),
      call('settings:set', { name: 'constructor', value: 1 }),
    ])
  })

  const codes = answers.map((answer) => (answer as { error: { code: string } }).error.code)
  const unknown = ['unknown_call', 'unknown_call', 'unknown_call', 'unknown_call']
  expect(codes).toEqual([...unknown, 'invalid', 'invalid', 'invalid', 'invalid'])
})

test('only the user can read what the app writes', async ({ launchApp, dataDir }) => {
  const { app, window } = await launchApp()
  // Answered once the service has started.
  await window.evaluate(() => modelport.call('app:state', undefined))
  await app.close()

  const mode = async (path: string) => ((await stat(join(dataDir, path))).mode & 0o777).toString(8)

  expect(await mode('modelport.db')).toBe('600')
  expect(await mode('window.json')).toBe('600')
  expect(await mode('browser')).toBe('700')
  expect(await mode('tls/ca-key.pem')).toBe('600')
})
