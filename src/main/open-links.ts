import { resolve } from 'node:path'
import { app } from 'electron'
import { mayBeDebugged } from './debugging.ts'
import { findLink, pageOfLink } from './deep-links.ts'
import type { MainWindow } from './window.ts'

export interface LinkReceiver {
  /**
   * Makes links open their page in this window from now on.
   * @returns whether a link started the app, and its page is shown
   */
  openIn(window: MainWindow): boolean
  /** Opens the page of the link in the arguments of a second start. @returns whether there is one */
  follow(argv: readonly string[]): boolean
}

/**
 * Receives `modelport://` links. Call this before Electron is ready: macOS may send the first link before.
 * @param argv  the arguments of this start
 */
export function receiveLinks(argv: readonly string[]): LinkReceiver {
  let first = findLink(argv)
  let open = (link: string): void => {
    first = link
  }
  app.on('open-url', (event, link) => {
    event.preventDefault()
    open(link)
  })
  return {
    openIn(window) {
      // Not from tests and development: the registration stays after the app ended.
      if (!mayBeDebugged) register(argv)
      open = (link) => window.show(pageOfLink(link))
      if (first !== null) open(first)
      return first !== null
    },
    follow(others) {
      const link = findLink(others)
      if (link !== null) open(link)
      return link !== null
    },
  }
}

/** Makes this app the one that opens the links. */
function register([, appDir]: readonly string[]): void {
  // Without a package, the executable is Electron and needs the app's folder.
  const isFolder = process.defaultApp && appDir !== undefined
  if (isFolder) app.setAsDefaultProtocolClient('modelport', process.execPath, [resolve(appDir)])
  else app.setAsDefaultProtocolClient('modelport')
}
