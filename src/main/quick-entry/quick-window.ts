/** The window of the quick entry: created at its first use, and hidden afterwards. */
import { screen, type BrowserWindow } from 'electron'
import { openWindow } from '../own-windows.ts'

export interface QuickWindow {
  show(): void
  hide(): void
  /** Hides it if it has the focus, else shows it. */
  toggle(): void
  /** A hidden window would keep the app running. */
  closeIfHidden(): void
}

const size = { width: 680, height: 460 }

/** @param mayStayHidden  whether the app is reachable without this window */
export function createQuickWindow(mayStayHidden: () => boolean): QuickWindow {
  let window: BrowserWindow | null = null

  function open(): BrowserWindow {
    const opened = openWindow(
      {
        ...placeAtPointer(),
        minWidth: 480,
        minHeight: 360,
        frame: false,
        alwaysOnTop: true,
        skipTaskbar: true,
        maximizable: false,
        fullscreenable: false,
      },
      '/?quick-entry',
    )
    opened.once('ready-to-show', () => opened.show())
    opened.once('closed', () => (window = null))
    return opened
  }

  function show(): void {
    if (window === null) {
      window = open()
      return
    }
    if (!window.isVisible()) {
      const { x, y } = placeAtPointer()
      window.setPosition(x, y)
      window.webContents.send('modelport:event', 'quick-entry-shown', null)
    }
    window.show()
    window.focus()
  }

  function hide(): void {
    if (mayStayHidden()) window?.hide()
    else window?.close()
  }

  return {
    show,
    hide,
    toggle: () => (window?.isFocused() ? hide() : show()),
    closeIfHidden() {
      if (window?.isVisible() === false) window.close()
    },
  }
}

/** In the upper part of the display that the person looks at. */
function placeAtPointer(): Electron.Rectangle {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint())
  return {
    ...size,
    x: Math.round(workArea.x + (workArea.width - size.width) / 2),
    y: Math.round(workArea.y + (workArea.height - size.height) / 5),
  }
}
