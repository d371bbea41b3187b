import { setTimeout as sleep } from 'node:timers/promises'
import { app, BrowserWindow } from 'electron'
import { reportBug } from './bugs.ts'
import type { ServiceHost } from './service-host.ts'
import { ownAppImage } from './updates/installation-kind.ts'
import { startAgain } from './updates/restart.ts'

let progress: 'running' | 'closing' | 'closed' = 'running'
let isWantedAgain = false

/** Call it at a second start. @returns whether the app is quitting, and starts again after that */
export function startsAgain(): boolean {
  isWantedAgain = progress !== 'running'
  return isWantedAgain
}

/** The service gives streams 10 s to end; anything still open 2 s later is abandoned. */
const limitMs = 12_000

/**
 * Delays quitting until the service is closed; the windows are hidden meanwhile.
 * @param whenClosed  the last work of the app; told whether the service closed in time
 */
export function closeBeforeQuit(
  host: Pick<ServiceHost, 'settled'>,
  whenClosed: (isClosed: boolean) => Promise<void>,
): void {
  app.on('before-quit', (event) => {
    if (progress === 'closed') return
    event.preventDefault()
    if (progress === 'closing') return
    progress = 'closing'
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    const closed = closeWithin(host).then(whenClosed)
    void closed
      .catch((error: unknown) => reportBug('quit', error))
      .finally(() => {
        progress = 'closed'
        if (isWantedAgain) {
          app.releaseSingleInstanceLock()
          startAgain(ownAppImage(process.env, process.execPath))
        }
        app.quit()
      })
  })
}

/** @returns whether the service closed in time */
async function closeWithin(host: Pick<ServiceHost, 'settled'>): Promise<boolean> {
  const limit = new AbortController()
  try {
    const closed = host.settled().then(async (service) => {
      await service?.close()
      return true
    })
    return await Promise.race([closed, sleep(limitMs, false, { signal: limit.signal })])
  } catch (error) {
    reportBug('quit', error)
    return false
  } finally {
    limit.abort()
  }
}
