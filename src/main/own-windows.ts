/** The windows of the app: the main window and the quick entry. Only their pages may call, and all of them hear the events. */
import { join } from 'node:path'
import {
  BrowserWindow,
  nativeTheme,
  type BrowserWindowConstructorOptions,
  type WebContents,
} from 'electron'
import type { IpcEventName, IpcEvents } from '../shared/ipc.ts'
import { mayBeDebugged } from './debugging.ts'
import { windowOrigin } from './protocol.ts'

const windows = new Set<BrowserWindow>()

/** `--color-canvas` of the renderer's styles, shown before the page is. */
const canvas = { light: '#f4f5f4', dark: '#121615' }

/** Opens a window that is not shown yet. @param page  the part of its address after the origin */
export function openWindow(look: BrowserWindowConstructorOptions, page: string): BrowserWindow {
  const opened = new BrowserWindow({
    ...look,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? canvas.dark : canvas.light,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      // These are Electron's defaults, listed because a test checks them.
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // See permissions.ts.
      spellcheck: process.platform === 'darwin',
      devTools: mayBeDebugged,
    },
  })
  windows.add(opened)
  opened.once('closed', () => windows.delete(opened))
  const [start = ''] = page.split('#')
  opened.webContents.on('did-navigate', (_event, url) => {
    // No event precedes a navigation to about:blank.
    if (!url.startsWith(`${windowOrigin}/`)) void opened.loadURL(windowOrigin + start)
  })
  keepPage(opened)
  void opened.loadURL(windowOrigin + page)
  return opened
}

const crashPauseMs = 10_000

/** Loads the page again when its process has crashed or was killed. A page that crashes at once again stays as it is. */
function keepPage({ webContents }: BrowserWindow): void {
  let lastMs = -Infinity
  webContents.on('render-process-gone', (_event, { reason }) => {
    const nowMs = performance.now()
    if (reason === 'clean-exit' || nowMs - lastMs < crashPauseMs) return
    lastMs = nowMs
    webContents.reload()
  })
}

/** Whether a page is the one of a window of the app. */
export function isOwnPage(page: WebContents): boolean {
  return pages().includes(page)
}

/** The pages of the other windows. */
export function otherPages(page: WebContents): WebContents[] {
  return pages().filter((one) => one !== page)
}

/** Sends an event to all windows. */
export function sendToPages<Name extends IpcEventName>(name: Name, payload: IpcEvents[Name]): void {
  for (const page of pages()) page.send('modelport:event', name, payload)
}

export function reloadPages(): void {
  for (const page of pages()) page.reload()
}

function pages(): WebContents[] {
  return [...windows].map(({ webContents }) => webContents)
}
