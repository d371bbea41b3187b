/**
 * Keeps the window from leaving its page, opening another, asking for a permission and using the network, whatever it
 * shows. A content security policy alone does not block links and meta refresh (tested).
 */
import { app, type Session } from 'electron'
import { askToOpen } from './external-links.ts'
import { mayBeDebugged } from './debugging.ts'
import { devServerUrl, windowOrigin } from './protocol.ts'

/** What the pages of a session may do. */
interface Allowed {
  permission: string | null
  mayRequest(url: string): boolean
}

/** Permission to copy a key or an address. All others (camera, notifications, USB, …) are refused. */
const allowedToWindows: Allowed = { permission: 'clipboard-sanitized-write', mayRequest }

/** Blocks a session's permissions and requests; call this when Electron is ready. */
export function restrictSession(session: Session, allowed = allowedToWindows): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(permission === allowed.permission)
  })
  session.setPermissionCheckHandler((_contents, permission) => permission === allowed.permission)
  session.setDevicePermissionHandler(() => false)
  // Except on macOS, the spelling checker downloads its dictionary from a server of Google.
  if (process.platform !== 'darwin') session.setSpellCheckerLanguages([])
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !allowed.mayRequest(url) })
  })
}

/** Keeps every page from navigating, also one that a bug opens. */
export function restrictNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-frame-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      void askToOpen(url)
      return { action: 'deny' }
    })
  })
}

function mayRequest(url: string): boolean {
  if (url.startsWith(`${windowOrigin}/`) || url.startsWith('blob:') || url.startsWith('data:'))
    return true
  if (!mayBeDebugged) return false
  return url.startsWith('devtools://') || isDevServer(url)
}

function isDevServer(url: string): boolean {
  return devServerUrl !== null && new URL(url).host === new URL(devServerUrl).host
}
