/**
 * HTML or SVG that a model wrote, shown above the page of a window. It is a view with a process of its own, without preload and
 * Node.js, in a session in memory that answers only for the document.
 *
 * Scripts do not run. With them WebRTC asks name servers for any host and connects to it over TCP, whatever the content
 * security policy, the rules of the session and Electron's WebRTC policy say (seen in Electron 33).
 */
import { BrowserWindow, session, WebContentsView, type Session, type WebContents } from 'electron'
import type { PreviewArea, PreviewLanguage, PreviewState } from '../shared/chat/code-preview.ts'
import type { Handlers } from './handlers.ts'
import { restrictSession } from './permissions.ts'

const documentUrl = 'app://preview/'

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  'sandbox',
].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

interface Shown {
  place(area: PreviewArea): void
  focus(): void
  close(): void
}

interface PreviewedCode {
  language: PreviewLanguage
  text: string
}

type PreviewCallName = Extract<keyof Handlers, `preview:${string}`>

/** The calls of the preview. There is one at a time. */
export function previewHandlers(): Pick<Handlers, PreviewCallName> {
  let shown: Shown | null = null
  const close = () => {
    shown?.close()
    shown = null
  }
  return {
    'preview:open': ({ area, ...code }, caller) => {
      close()
      shown = showPreview(code, caller, close)
      shown.place(area)
    },
    'preview:place': (area) => shown?.place(area),
    'preview:focus': () => shown?.focus(),
    'preview:close': close,
  }
}

/** Events of a page after which it closes nothing itself. */
const endings = ['did-navigate', 'render-process-gone', 'destroyed'] as const

/** @param onLeft  called when the caller's page has ended */
function showPreview(code: PreviewedCode, caller: WebContents, onLeft: () => void): Shown {
  const parent = BrowserWindow.fromWebContents(caller)
  if (parent === null) throw new Error('a preview was opened outside a window')
  const view = new WebContentsView({
    webPreferences: {
      session: openSession(code),
      javascript: false,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
    },
  })
  const { webContents: page } = view
  // A page without colours is read on white, in a dark window too.
  view.setBackgroundColor('#ffffff')
  // Others of the app's pages ask whether to open the address.
  page.setWindowOpenHandler(() => ({ action: 'deny' }))
  watch(page, caller)
  for (const event of endings) caller.on(event as 'destroyed', onLeft)
  parent.contentView.addChildView(view)
  // Rejects when it is closed while it loads.
  page.loadURL(documentUrl).catch(() => {})
  return {
    place({ x, y, width, height }) {
      // Bounds are in pixels of the screen's scale, without the zoom of the page.
      const zoom = caller.getZoomFactor()
      const scaled = (length: number) => Math.round(length * zoom)
      view.setBounds({
        x: scaled(x),
        y: scaled(y),
        width: scaled(width),
        height: scaled(height),
      })
    },
    focus: () => page.focus(),
    close() {
      for (const event of endings) caller.off(event as 'destroyed', onLeft)
      if (!parent.isDestroyed()) parent.contentView.removeChildView(view)
      // A view does not end its page by itself.
      if (!page.isDestroyed()) page.close()
    },
  }
}

/** Tells the caller's page what happens to the preview, and takes two keys of it. */
function watch(page: WebContents, caller: WebContents): void {
  const tell = (state: PreviewState) => {
    if (!caller.isDestroyed()) caller.send('modelport:event', 'preview', state)
  }
  page.on('unresponsive', () => tell('stuck'))
  page.on('responsive', () => tell('working'))
  page.on('render-process-gone', () => tell('ended'))
  // Before the page, so also from one that does not answer.
  page.on('before-input-event', (event, { type, key }) => {
    if (type !== 'keyDown' || (key !== 'Escape' && key !== 'F6')) return
    event.preventDefault()
    caller.focus()
    if (key === 'Escape') tell('closing')
  })
}

/** The one session of all previews: Electron keeps each until the app ends. Without scripts, nothing is stored in it. */
function openSession(code: PreviewedCode): Session {
  const previews = session.fromPartition('preview')
  const { protocol } = previews
  restrictSession(previews, { permission: null, mayRequest: (url) => url === documentUrl })
  previews.removeAllListeners('will-download')
  previews.on('will-download', (event) => event.preventDefault())
  if (protocol.isProtocolHandled('app')) protocol.unhandle('app')
  protocol.handle('app', () => new Response(documentOf(code), { headers }))
  return previews
}

/** SVG is shown as a part of a page: many models leave out the name space that a file of its own needs. */
function documentOf({ language, text }: PreviewedCode): string {
  if (language === 'html') return text
  const style =
    'body { margin: 0; display: grid; place-items: center; min-height: 100vh } svg { max-width: 100%; max-height: 100vh }'
  return `<!doctype html><style>${style}</style>${text}`
}
