/**
 * Loaded into the main process of the packaged app by `npm run package:check -- checklist`, which writes input.json
 * beside this file. Runs what a hostile page would try, writes what happened to observed.json in the home folder and
 * quits the app. checklist-points.mjs judges it.
 */
const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
const { join } = process.getBuiltinModule('node:path')
const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises')

/** A navigation that is not blocked takes a moment to appear. */
const navigationMs = 200
const pollMs = 300
const attemptMs = 10_000
const hasStarted = `modelport.call('start:state').then(({ value }) => value?.status === 'started')`

// The process of the built-in model loads this file too.
if (process.type === 'browser') void report()

async function report() {
  const file = join(process.env['HOME'] ?? '', 'observed.json')
  try {
    writeFileSync(file, JSON.stringify(await observe()))
  } catch (error) {
    writeFileSync(file, JSON.stringify({ failure: String(error) }))
  }
  electron().app.quit()
}

/** Electron's module exists only after this file is loaded. */
function electron() {
  return require('electron')
}

async function observe() {
  const input = JSON.parse(readFileSync(join(__dirname, 'input.json'), 'utf8'))
  const contents = await startedPage()
  const inPage = pageRunner(contents, input.attempts)
  const before = {
    electron: process.versions.electron,
    address: contents.getURL(),
    // Electron's types leave it out.
    preferences: Reflect.get(contents, 'getLastWebPreferences').call(contents),
    canOpenDevTools: openDevTools(contents),
    globals: await inPage('readGlobals'),
    bridge: await inPage('changeBridge'),
    policy: await inPage('readPolicy'),
    permissions: await inPage('requestPermissions'),
    permissionStates: await inPage('queryPermissions'),
    calls: await foreignCalls(contents),
  }
  await inPage('reachNetwork', input.canaryUrl)
  const reach = `fetch(${JSON.stringify(input.canaryUrl)}, { mode: 'no-cors' }).then(() => 'reached', () => 'refused')`
  const links = await openLinks(inPage, input.links)
  return {
    ...before,
    pageWithoutPolicy: await inForeignWindow(reach),
    navigations: await navigate(contents, input),
    opened: await inPage('openWindows'),
    pageCount: electron().webContents.getAllWebContents().length,
    links,
    injection: await inPage('injectScripts'),
  }
}

/** The window's page once the service has started. */
async function startedPage() {
  for (;;) {
    await sleep(pollMs)
    const contents = electron().BrowserWindow.getAllWindows()[0]?.webContents
    if (!contents || contents.isLoading()) continue
    if (await contents.executeJavaScript(hasStarted)) return contents
  }
}

/**
 * @param {Electron.WebContents} contents
 * @param {Record<string, string>} attempts  the functions of e2e/page-attempts.ts as text
 */
function pageRunner(contents, attempts) {
  /** @param {string} name @param {unknown} [argument] */
  return (name, argument) =>
    within(
      name,
      contents.executeJavaScript(`(${attempts[name]})(${JSON.stringify(argument)})`, true),
    )
}

/**
 * @template Value
 * @param {string} name
 * @param {Promise<Value>} attempt
 * @returns {Promise<Value>}
 */
function within(name, attempt) {
  const tooLate = sleep(attemptMs).then(() => {
    throw new Error(`${name} did not end within ${attemptMs} ms`)
  })
  return Promise.race([attempt, tooLate])
}

/** @param {Electron.WebContents} contents */
function openDevTools(contents) {
  contents.openDevTools()
  return contents.isDevToolsOpened()
}

/** Opens a second page with the app's preload, as a bug might. @param {string} code  runs in it */
async function inForeignWindow(code) {
  const { app, BrowserWindow } = electron()
  const foreign = new BrowserWindow({
    show: false,
    webPreferences: { preload: `${app.getAppPath()}/out/preload/index.cjs` },
  })
  await foreign.loadURL('about:blank')
  const value = await foreign.webContents.executeJavaScript(code)
  foreign.destroy()
  return value
}

/**
 * The frame in the window's own page has no bridge, so its call is made here, with the frame as its sender.
 * @param {Electron.WebContents} contents
 */
async function foreignCalls(contents) {
  await contents.executeJavaScript(`void document.body.append(document.createElement('iframe'))`)
  const senderFrame = contents.mainFrame.frames[0]
  // Electron's own list of handlers: nothing else reaches them with another sender.
  const receive = Reflect.get(electron().ipcMain, '_invokeHandlers').get('modelport:call')
  /** @param {unknown} frame */
  const call = (frame) => receive({ sender: contents, senderFrame: frame }, 'app:state', undefined)
  const ownPage = await call(contents.mainFrame)
  return {
    ownPage: ownPage.ok,
    frame: senderFrame ? (await call(senderFrame)).error?.code : 'there is no frame',
    otherWindow: (await inForeignWindow(`modelport.call('app:state', undefined)`)).error?.code,
  }
}

/**
 * @param {Electron.WebContents} contents
 * @param {{ ways: Record<string, string>, targets: string[] }} input
 * @returns {Promise<string[]>} the page's addresses after each attempt
 */
async function navigate(contents, { ways, targets }) {
  const addresses = []
  for (const way of Object.values(ways)) {
    for (const url of targets) {
      await contents.executeJavaScript(`void (${way})(${JSON.stringify(url)})`, true)
      await sleep(navigationMs)
      addresses.push(contents.getURL())
    }
  }
  return addresses
}

/**
 * First the user declines every question, then agrees to one.
 * @param {(name: string, argument?: unknown) => Promise<unknown>} inPage
 * @param {string[]} links
 */
async function openLinks(inPage, links) {
  const { dialog, shell } = electron()
  /** @type {string[]} */
  const asked = []
  /** @type {string[]} */
  const opened = []
  let response = 1
  Reflect.set(dialog, 'showMessageBox', (/** @type {unknown[]} */ ...args) => {
    const { detail } = /** @type {{ detail: string }} */ (args.at(-1))
    asked.push(detail)
    return Promise.resolve({ response, checkboxChecked: false })
  })
  shell.openExternal = (url) => Promise.resolve(void opened.push(url))
  for (const link of links) await inPage('openLink', link)
  await sleep(navigationMs)
  const declined = { asked: [...asked], opened: [...opened] }
  response = 0
  await inPage('openLink', links[0])
  await sleep(navigationMs)
  response = 1
  return { declined, agreed: [...opened] }
}
