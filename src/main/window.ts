/** The main window: creates it, restores its position and sends it messages. */
import { join } from 'node:path'
import { nativeTheme, screen, type BrowserWindow } from 'electron'
import type { IpcEventName, IpcEvents } from '../shared/ipc.ts'
import type { Settings } from '../shared/app/settings.ts'
import { reportBug } from './bugs.ts'
import { openWindow, reloadPages, sendToPages } from './own-windows.ts'
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
  /** Sends an event to this window and to the quick entry. */
  send<Name extends IpcEventName>(name: Name, payload: IpcEvents[Name]): void
  remembered(): Remembered
  remember(changes: Partial<Remembered>): void
  /** Light, dark or the system's; stored for the first frame of the next start. */
  setTheme(theme: Settings['theme']): void
  /** Stored for the next start. Another language than before loads the pages again, with its texts. */
  setLanguage(language: Settings['language']): void
}

type Remembered = Pick<
  WindowState,
  'startsHidden' | 'hasExplainedTray' | 'language' | 'quickEntryShortcut'
>

/** @param dataDir  the folder of `window.json` */
export function createMainWindow(dataDir: string, onClosed: () => void): MainWindow {
  const stateFile = join(dataDir, 'window.json')
  let state = readWindowState(stateFile)
  let window: BrowserWindow | null = null
  nativeTheme.themeSource = state.theme

  function remember(changes: Partial<WindowState>): void {
    state = { ...state, ...changes }
    writeWindowState(stateFile, state, (error) => reportBug('window state', error))
  }

  function open(path: string, isMinimized = false): BrowserWindow {
    const workAreas = screen.getAllDisplays().map((display) => display.workArea)
    const bounds = reachableBounds(state.bounds, workAreas) ?? { width: 1_280, height: 820 }
    const opened = openWindow({ ...bounds, minWidth: 720, minHeight: 480 }, `/#${path}`)
    if (state.isMaximized) opened.maximize()
    opened.once('ready-to-show', () => (isMinimized ? opened.minimize() : opened.show()))
    opened.on('close', () => remember(placeOf(opened, state.page)))
    opened.once('closed', () => {
      window = null
      onClosed()
    })
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
    send: sendToPages,
    setTheme(theme) {
      nativeTheme.themeSource = theme
      if (theme !== state.theme) remember({ theme })
    },
    setLanguage(language) {
      if (language === state.language) return
      remember({ language })
      reloadPages()
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
