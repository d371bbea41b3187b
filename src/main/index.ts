/** The desktop app's start, in order; each step's file says what it does and why. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { app, session } from 'electron'
import { isForQuickEntry } from './command-arguments.ts'
import { refuseDebugging } from './debugging.ts'
import { receiveCalls } from './ipc.ts'
import { installMenu } from './menu.ts'
import { receiveLinks } from './open-links.ts'
import { restrictNavigation, restrictSession } from './permissions.ts'
import { keepServing } from './presence.ts'
import { registerScheme, serveWindow } from './protocol.ts'
import { openQuickEntry } from './quick-entry/quick-entry.ts'
import { startsAgain } from './quit.ts'
import { giveUp } from './start-failure.ts'
import { hiddenSwitch } from './startup/autostart-file.ts'
import { isHiddenStart } from './startup/login-item.ts'
import { openStartup } from './startup/startup.ts'
import { dataDir, translationFor } from './translation.ts'
import type { SystemTray } from './tray/tray.ts'
import { createMainWindow } from './window.ts'

// Electron draws without GTK's OpenGL. It takes 34 MiB of this process where Mesa draws in software.
if (process.platform === 'linux') process.env['GDK_GL'] ??= 'disable'
// Only the user may read the files that the app writes.
process.umask(0o077)
refuseDebugging(process.argv)
// Windows shows notifications and groups windows by this name, which the installer gives to its shortcut.
if (process.platform === 'win32') app.setAppUserModelId('app.modelport.desktop')
// Chromium cannot be sandboxed as root, where the launcher passes the switch.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerScheme()
restrictNavigation()
const links = receiveLinks(process.argv)
if (app.requestSingleInstanceLock()) void app.whenReady().then(start).catch(giveUp)
else app.exit(0)

/**
 * The service's code is loaded after the first page is drawn: loading takes 200 to 400 ms of this thread, on which
 * Chromium also opens the window and reads its files. Without a page for this long, the service starts anyway.
 */
const longestDrawingMs = 2_000

async function start(): Promise<void> {
  restrictSession(session.defaultSession)
  const window = createMainWindow(dataDir, () => quickEntry.closeIfHidden())
  serveWindow(join(import.meta.dirname, '../renderer'), () =>
    translationFor(window.remembered().language),
  )
  let tray: SystemTray | null = null
  const startup = openStartup(window, () => tray?.hasHost() ?? null)
  const quickEntry = openQuickEntry({
    window,
    command: startup.options.command,
    isInTray: () => tray?.isShown() === true,
  })
  const isForQuestion = isForQuickEntry(process.argv)
  const isHidden = !isForQuestion && isHiddenStart(process.argv, startup.options)
  installMenu(window)
  const calls = receiveCalls()
  app.on('second-instance', (_event, argv) => {
    if (startsAgain()) return
    if (isForQuickEntry(argv)) quickEntry.show()
    else if (!links.follow(argv) && !argv.includes(hiddenSwitch)) window.show()
  })
  app.on('activate', () => window.show())
  keepServing(() => tray, window)
  const isOpened = links.openIn(window)
  // A link shows the window with its own page.
  if (isForQuestion) quickEntry.show()
  else if (!isOpened && !isHidden) window.show()
  if (isOpened || !isHidden) {
    await Promise.race([calls.firstPageDrawn, sleep(longestDrawingMs)])
  }
  const { runService } = await import('./run-service.ts')
  const onTray = (opened: SystemTray) => (tray = opened)
  calls.answerWith(runService({ dataDir, window, startup, quickEntry, isHidden, onTray }))
}
