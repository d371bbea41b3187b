import { setTimeout as sleep } from 'node:timers/promises'
import { app, BrowserWindow } from 'electron'
import { reportBug } from './bugs.ts'
import type { ServiceHost } from './service-host.ts'

/** The service gives streams 10 s to end; anything still open 2 s later is abandoned. */
const limitMs = 12_000

/** Delays quitting until the service is closed; the windows are hidden meanwhile. */
export function closeBeforeQuit(host: Pick<ServiceHost, 'settled'>): void {
  let progress: 'running' | 'closing' | 'closed' = 'running'
  app.on('before-quit', (event) => {
    if (progress === 'closed') return
    event.preventDefault()
    if (progress === 'closing') return
    progress = 'closing'
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    void closeWithin(host).finally(() => {
      progress = 'closed'
      app.quit()
    })
  })
}

async function closeWithin(host: Pick<ServiceHost, 'settled'>): Promise<void> {
  const limit = new AbortController()
  try {
    const closed = host.settled().then((service) => service?.close())
    await Promise.race([closed, sleep(limitMs, undefined, { signal: limit.signal })])
  } catch (error) {
    reportBug('quit', error)
  } finally {
    limit.abort()
  }
}
