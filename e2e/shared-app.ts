/**
 * One running app for all tests that begin with an empty one. A start takes several times the work of emptying, which
 * restores a copy of the empty database: the service closes and starts again, and the page loads. Playwright ends its
 * process after a failed test, so the next test gets an app that nothing has used.
 */
import { readdirSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ElectronApplication, Page } from '@playwright/test'

/** The running app and its first window. */
export interface LaunchedApp {
  readonly app: ElectronApplication
  readonly window: Page
  readonly dataDir: string
}

/** Where an app's data is, and the copy of its database when it was empty. */
interface Folder {
  readonly dataDir: string
  readonly emptyCopy: string
}

export class SharedApp {
  readonly #start: (dataDir: string) => Promise<LaunchedApp>
  #running: LaunchedApp | null = null
  #folder: Folder | null = null

  /** @param start  resolves once the window's calls are answered */
  constructor(start: (dataDir: string) => Promise<LaunchedApp>) {
    this.#start = start
  }

  /** The app with nothing in it, on this page. */
  async open(page: string): Promise<LaunchedApp> {
    const running = this.#running
    if (running === null || this.#folder === null) return await this.#startEmpty(page)
    await resetWindow(running)
    await restore(running.app, this.#folder)
    return await showPage(running, page)
  }

  /** Ends the app, if the test has not, and starts it again on its data. */
  async restart(page: string): Promise<LaunchedApp> {
    if (this.#folder === null) throw new Error('No app was open.')
    await this.close()
    return await showPage(await this.#startIn(this.#folder.dataDir), page)
  }

  /** Leaves the endpoint's port and the screen to another app. */
  async rest(): Promise<void> {
    if (this.#running === null) return
    const { app, window } = this.#running
    await window.goto(blankPage())
    await callFromMain(app, 'endpoint:listen', { port: 0 })
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().forEach((one) => one.hide()),
    )
  }

  async close(): Promise<void> {
    await this.#running?.app.close()
    this.#running = null
  }

  /** Closes the app and deletes its data. */
  async end(): Promise<void> {
    await this.close()
    const dataDir = this.#folder?.dataDir
    this.#folder = null
    if (dataDir !== undefined) await removeDataDir(dataDir)
  }

  async #startEmpty(page: string): Promise<LaunchedApp> {
    await this.end()
    const dataDir = await newDataDir()
    const started = await this.#startIn(dataDir)
    // Answered by a service that has started, with its first router.
    await callFromMain(started.app, 'routers:list')
    const copy = (await callFromMain(started.app, 'backups:create')) as { name: string }
    this.#folder = { dataDir, emptyCopy: copy.name }
    return await showPage(started, page)
  }

  async #startIn(dataDir: string): Promise<LaunchedApp> {
    const started = await this.#start(dataDir)
    await keepUnreplaced(started.app)
    this.#running = started
    started.app.once('close', () => {
      if (this.#running === started) this.#running = null
    })
    return started
  }
}

export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'modelport-data-'))
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

async function showPage(running: LaunchedApp, page: string): Promise<LaunchedApp> {
  await running.window.goto(`app://modelport/#${page}`)
  await running.window.evaluate(() => modelport.call('start:state', undefined))
  return running
}

/** Puts the copy in place of the database. */
async function restore(app: ElectronApplication, { dataDir, emptyCopy }: Folder): Promise<void> {
  await withoutReloads(app, () => callFromMain(app, 'backups:restore', { name: emptyCopy }))
  // Read here, or the next page would announce the restore.
  const state = JSON.stringify(await callFromMain(app, 'start:state'))
  if (!state.includes('"restore":{"status":"done"'))
    throw new Error(`The app was not emptied: ${state}`)
  const files = await readdir(dataDir)
  const replaced = files.filter((name) => name.includes('.before-restore-'))
  await Promise.all(replaced.map((name) => rm(join(dataDir, name), { force: true })))
}

/** The page that is shown would only load again, perhaps in the middle of the next one. */
async function withoutReloads(app: ElectronApplication, work: () => Promise<unknown>) {
  await app.evaluate(({ BrowserWindow }) => {
    for (const { webContents } of BrowserWindow.getAllWindows()) webContents.reload = () => {}
  })
  await work()
  await app.evaluate(({ BrowserWindow }) => {
    for (const { webContents } of BrowserWindow.getAllWindows())
      Reflect.deleteProperty(webContents, 'reload')
  })
}

/** A file of the window that is no page: nothing of it calls the app. */
function blankPage(): string {
  const folder = fileURLToPath(new URL('../out/renderer/assets', import.meta.url))
  const name = readdirSync(folder).find((file) => file.startsWith('rolldown-runtime-'))
  if (name === undefined) throw new Error(`${folder} has no small script.`)
  return `app://modelport/assets/${name}`
}

/** What a call of the window does, without its page. @returns the value of the answer */
function callFromMain(app: ElectronApplication, name: string, input?: object): Promise<unknown> {
  return app.evaluate(
    async ({ ipcMain, BrowserWindow }, [called, given]) => {
      type Handler = (event: object, ...args: unknown[]) => Promise<{ ok: boolean; value: unknown }>
      // Electron's own list, because it has no public way to call a handler.
      const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, Handler>
      const [sender] = BrowserWindow.getAllWindows().map(({ webContents }) => webContents)
      const event = { sender, senderFrame: sender?.mainFrame }
      const answer = await handlers.get('modelport:call')?.(event, called, given)
      if (!answer?.ok) throw new Error(`${called}: ${JSON.stringify(answer)}`)
      return answer.value
    },
    [name, input] as const,
  )
}

/** Keeps what tests replace. */
async function keepUnreplaced(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog, shell }) => {
    const { showOpenDialog, showSaveDialog, showMessageBox } = dialog
    const { openExternal, openPath } = shell
    const kept = {
      dialog: { showOpenDialog, showSaveDialog, showMessageBox },
      shell: { openExternal, openPath },
    }
    Object.assign(globalThis, { unreplaced: kept })
  })
}

/** As after a start, with a page that does nothing. */
async function resetWindow({ app, window }: LaunchedApp): Promise<void> {
  window.removeAllListeners()
  await window.emulateMedia({
    colorScheme: 'light',
    reducedMotion: 'no-preference',
    forcedColors: 'none',
  })
  await window.mouse.move(0, 0)
  await app.evaluate(({ BrowserWindow, clipboard, dialog, shell }) => {
    const unreplaced = Reflect.get(globalThis, 'unreplaced') as { dialog: object; shell: object }
    Object.assign(dialog, unreplaced.dialog)
    Object.assign(shell, unreplaced.shell)
    clipboard.clear()
    for (const one of BrowserWindow.getAllWindows()) {
      // The quick entry, which a fresh app does not have.
      if (one.isAlwaysOnTop()) one.destroy()
      else {
        one.webContents.setZoomFactor(1)
        one.setBounds({ width: 1_280, height: 820 })
        one.show()
        one.focus()
      }
    }
  })
  await window.goto(blankPage())
  await window.evaluate(() => localStorage.clear())
}
