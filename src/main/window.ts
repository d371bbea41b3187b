/** The main window: creates it, restores its position and sends it messages. */
import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import type { IpcEventName, IpcEvents } from '../shared/ipc.ts'
import type { Settings } from '../shared/app/settings.ts'
import { mayBeDebugged } from './debugging.ts'
import { windowOrigin } from './protocol.ts'
import { whenLoaded } from './when-loaded.ts'
import {
  reachableBounds,
  readWindowState,
  writeWindowState,
  type WindowState,
  withoutDialog,
} from './window-state.ts'

export interface MainWindow {
  /**
   * Opens the window, or brings it to the front.
   * @param path  the page to show, such as `/models`
   */
  show(path?: string): void
  /** Opens the window minimised, if there is none. */
  showMinimized(): void
  isFocused(): boolean
  /** The open window; null while there is none. */
  current(): BrowserWindow | null
  send<Name extends IpcEventName>(name: Name, payload: IpcEvents[Name]): void
  remembered(): Remembered
  remember(changes: Partial<Remembered>): void
  /** Light, dark or the system's; stored for the first frame of the next start. */
  setTheme(theme: Settings['theme']): void
  /** Stored for the next start. Another language than before loads the page again, with its texts. */
  setLanguage(language: Settings['language']): void
}

type Remembered = Pick<WindowState, 'startsHidden' | 'hasExplainedTray' | 'language'>

/** `--color-canvas` of the renderer's styles, shown before the page is. */
const canvas = { light: '#f4f5f4', dark: '#121615' }

/** @param dataDir  the folder of `window.json` */
export function createMainWindow(dataDir: string): MainWindow {
  const stateFile = join(dataDir, 'window.json')
  let state = readWindowState(stateFile)
  let window: BrowserWindow | null = null
  nativeTheme.themeSource = state.theme

  function remember(changes: Partial<WindowState>): void {
    state = { ...state, ...changes }
    writeWindowState(stateFile, state)
  }

  function open(path: string, isMinimized = false): BrowserWindow {
    const workAreas = screen.getAllDisplays().map((display) => display.workArea)
    const opened = createWindow(reachableBounds(state.bounds, workAreas))
    if (state.isMaximized) opened.maximize()
    opened.once('ready-to-show', () => (isMinimized ? opened.minimize() : opened.show()))
    opened.on('close', () => remember(placeOf(opened, state.page)))
    opened.once('closed', () => (window = null))
    opened.webContents.on('did-navigate', (_event, url) => {
      // No event precedes a navigation to about:blank.
      if (!url.startsWith(`${windowOrigin}/`)) void opened.loadURL(`${windowOrigin}/`)
    })
    void opened.loadURL(`${windowOrigin}/#${path}`)
    return opened
  }

  return {
    show(path) {
      if (window === null) {
        window = open(path ?? state.page)
        return
      }
      const { webContents } = window
      if (path !== undefined) {
        whenLoaded(webContents, () => webContents.send('modelport:event', 'open-page', { path }))
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    showMinimized: () => void (window ??= open(state.page, true)),
    isFocused: () => window?.isFocused() ?? false,
    remembered: () => state,
    remember,
    current: () => window,
    send: (name, payload) => window?.webContents.send('modelport:event', name, payload),
    setTheme(theme) {
      nativeTheme.themeSource = theme
      if (theme !== state.theme) remember({ theme })
    },
    setLanguage(language) {
      if (language === state.language) return
      remember({ language })
      window?.webContents.reload()
    },
  }
}

/** @param page  of a window that is still loading */
function placeOf(opened: BrowserWindow, page: string) {
  return {
    bounds: opened.getNormalBounds(),
    isMaximized: opened.isMaximized(),
    page: pageOf(opened.webContents.getURL()) ?? page,
  }
}

/** @returns null while the page is still loading: it has no address then */
function pageOf(url: string): string | null {
  return URL.canParse(url) ? withoutDialog(new URL(url).hash.slice(1)) : null
}

function createWindow(bounds: Electron.Rectangle | null): BrowserWindow {
  return new BrowserWindow({
    ...(bounds ?? { width: 1_280, height: 820 }),
    minWidth: 720,
    minHeight: 480,
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
}
