/** Runs the service and connects it with the window, the tray, notifications and updates. */
import { app } from 'electron'
import { defaultCacheDir, openBackups, startService, type Service } from '../service/service.ts'
import { reportBug, reportBugsTo } from './bugs.ts'
import { answerCalls } from './call-handlers.ts'
import { forwardEvents, notifyOfEvents } from './events.ts'
import type { AnswerCall } from './ipc.ts'
import { forkModelProcess } from './model-process.ts'
import { reloadPages } from './own-windows.ts'
import { sqliteBinding } from './paths.ts'
import { openPresence } from './presence.ts'
import type { QuickEntry } from './quick-entry/quick-entry.ts'
import { closeBeforeQuit } from './quit.ts'
import { hostService } from './service-host.ts'
import type { Startup } from './startup/startup.ts'
import type { SystemTray } from './tray/tray.ts'
import { createRestart } from './updates/restart.ts'
import { startUpdates } from './updates/start-updates.ts'
import type { MainWindow } from './window.ts'

export interface RunOptions {
  dataDir: string
  window: MainWindow
  startup: Startup
  quickEntry: QuickEntry
  /** Whether the app starts without showing its window. */
  isHidden: boolean
  /** Called with the tray of each service that has started. */
  onTray(tray: SystemTray): void
}

/** @returns answers the window's calls */
export function runService(parts: RunOptions): AnswerCall {
  const { dataDir, window, ...options } = parts
  const restart = createRestart()
  const { updates, follow } = startUpdates({ window, dataDir, restart })
  const host = hostService({
    dataDir,
    start: () => startDesktopService(dataDir),
    onState(state) {
      // A start that fails needs the user, also one at login.
      if (state.status === 'failed') window.show()
      // After a restore, everything in the windows is outdated.
      if (state.status === 'started' && state.restore) reloadPages()
      else window.send('start', state)
    },
    onStarted: attachTo(window, { ...options, follow }),
    onBug: (error) => reportBug('start', error),
  })
  closeBeforeQuit(host, restart.whenClosed)
  const backups = openBackups({ dataDir, sqliteBinding: sqliteBinding(), now: Date.now })
  return answerCalls(host, { ...parts, backups, updates })
}

/** @returns connects a service that has started; what it returns disconnects it */
function attachTo(
  window: MainWindow,
  options: Pick<RunOptions, 'isHidden' | 'onTray' | 'quickEntry'> & {
    follow(service: Service | null): void
  },
): (service: Service) => () => void {
  // Only the first start can be hidden; a restore begins in the window.
  let { isHidden } = options
  return (service) => {
    reportBugsTo(service)
    forwardEvents(service, window)
    const stopNotices = notifyOfEvents(service, window)
    options.follow(service)
    const tray = openPresence(service, { window, isHidden, quickEntry: options.quickEntry })
    isHidden = false
    options.onTray(tray)
    return () => {
      options.follow(null)
      stopNotices()
      tray.close()
    }
  }
}

function startDesktopService(dataDir: string): Promise<Service> {
  return startService({
    dataDir,
    cacheDir: defaultCacheDir(process.env),
    holder: 'desktop',
    allowSessionSecrets: true,
    env: process.env,
    sqliteBinding: sqliteBinding(),
    forkModelProcess,
    version: app.getVersion(),
  })
}
