/** The desktop app's start, in order; each step's file says what it does and why. */
// Must stay first: the modules below hold texts.
import './translation.ts'
import { join } from 'node:path'
import { app, session } from 'electron'
import { defaultCacheDir, openBackups, startService, type Service } from '../service/service.ts'
import { reportBug, reportBugsTo } from './bugs.ts'
import { refuseDebugging } from './debugging.ts'
import { forwardEvents, notifyOfEvents } from './events.ts'
import { answerCalls } from './ipc.ts'
import { installMenu } from './menu.ts'
import { forkModelProcess } from './model-process.ts'
import { receiveLinks } from './open-links.ts'
import { chooseDataDir, sqliteBinding } from './paths.ts'
import { restrictNavigation, restrictSession } from './permissions.ts'
import { keepServing, openPresence } from './presence.ts'
import { registerScheme, serveWindow } from './protocol.ts'
import { closeBeforeQuit } from './quit.ts'
import { hostService } from './service-host.ts'
import { giveUp } from './start-failure.ts'
import { hiddenSwitch } from './startup/autostart-file.ts'
import { isHiddenStart } from './startup/login-item.ts'
import { openStartup } from './startup/startup.ts'
import type { SystemTray } from './tray/tray.ts'
import { createRestart } from './updates/restart.ts'
import { startUpdates } from './updates/start-updates.ts'
import { createMainWindow } from './window.ts'

// Only the user may read the files that the app writes.
process.umask(0o077)
refuseDebugging(process.argv)
const dataDir = chooseDataDir()
// Chromium cannot be sandboxed as root, where the launcher passes the switch.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerScheme()
restrictNavigation()
const links = receiveLinks(process.argv)
if (app.requestSingleInstanceLock()) void app.whenReady().then(start).catch(giveUp)
else app.exit(0)

function start(): void {
  restrictSession(session.defaultSession)
  serveWindow(join(import.meta.dirname, '../renderer'))
  const window = createMainWindow(dataDir)
  let tray: SystemTray | null = null
  const startup = openStartup(window, () => tray?.hasHost() ?? null)
  const isHidden = isHiddenStart(process.argv, startup.options)
  const restart = createRestart()
  const { updates, follow } = startUpdates({ window, dataDir, restart })
  const host = hostService({
    dataDir,
    start: startOwnService,
    onState(state) {
      // A start that fails needs the user, also one at login.
      if (state.status === 'failed') window.show()
      // After a restore, everything in the window is outdated.
      if (state.status === 'started' && state.restore) window.current()?.webContents.reload()
      else window.send('start', state)
    },
    onStarted(service) {
      reportBugsTo(service)
      forwardEvents(service, window)
      const stopNotices = notifyOfEvents(service, window)
      follow(service)
      // Only the first start can be hidden; a restore begins in the window.
      const opened = openPresence(service, { window, isHidden: isHidden && tray === null })
      tray = opened
      return () => {
        follow(null)
        stopNotices()
        opened.close()
      }
    },
    onBug: (error) => reportBug('start', error),
  })
  closeBeforeQuit(host, restart.whenClosed)
  installMenu(window)
  const backups = openBackups({ dataDir, sqliteBinding: sqliteBinding(), now: Date.now })
  answerCalls(host, { window, startup, backups, updates })
  app.on('second-instance', (_event, argv) => {
    if (!links.follow(argv) && !argv.includes(hiddenSwitch)) window.show()
  })
  app.on('activate', () => window.show())
  keepServing(() => tray, window)
  if (!links.openIn(window) && !isHidden) window.show()
}

function startOwnService(): Promise<Service> {
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
