/**
 * What the window may never do, whatever it shows: leave its page, open another, ask for a permission,
 * talk to the network. A content security policy alone leaves links and meta refresh open (tried).
 */
import { app, type Session } from 'electron'
import { askToOpen } from './external-links.ts'
import { mayBeDebugged } from './debugging.ts'
import { devServerUrl, windowOrigin } from './protocol.ts'

/** Copying a key or an address; everything else (camera, notifications, USB, …) is refused. */
const allowedPermission = 'clipboard-sanitized-write'

/** Shuts every session's ways out; to be called once Electron is ready. */
export function restrictSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(permission === allowedPermission)
  })
  session.setPermissionCheckHandler((_contents, permission) => permission === allowedPermission)
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !mayRequest(url) })
  })
}

/** Keeps every page, also one that some bug would open, where it is. */
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
