/** The desktop app's start, in order; each step's file says what it does and why. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, session } from 'electron'
import { startService } from '../service/service.ts'
import { reportBug } from './bugs.ts'
import { findRefusedFlag } from './debug-flags.ts'
import { forwardEvents } from './events.ts'
import { answerCalls } from './ipc.ts'
import { installMenu } from './menu.ts'
import { forkModelProcess } from './model-process.ts'
import { chooseDataDir, findCacheDir } from './paths.ts'
import { restrictNavigation, restrictSession } from './permissions.ts'
import { registerScheme, serveWindow } from './protocol.ts'
import { closeBeforeQuit } from './quit.ts'
import { createMainWindow } from './window.ts'

// What the app writes is its user's alone.
process.umask(0o077)
const refusedFlag = app.isPackaged ? findRefusedFlag(process.argv) : null
if (refusedFlag !== null) throw new Error(`Modelport does not start with ${refusedFlag}.`)

const dataDir = chooseDataDir()
mkdirSync(dataDir, { recursive: true })
app.enableSandbox()
registerScheme()
restrictNavigation()

if (app.requestSingleInstanceLock()) void app.whenReady().then(start).catch(giveUp)
else app.exit(0)

async function start(): Promise<void> {
  restrictSession(session.defaultSession)
  serveWindow(join(import.meta.dirname, '../renderer'))
  installMenu()

  const service = startService({
    dataDir,
    cacheDir: findCacheDir(),
    allowSessionSecrets: true,
    sqliteBinding: process.env['MODELPORT_SQLITE_BINDING'],
    forkModelProcess,
  })
  closeBeforeQuit(service)

  const window = createMainWindow(dataDir)
  answerCalls(service, window)
  app.on('second-instance', () => window.show())
  app.on('activate', () => window.show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  window.show()
  await forwardEvents(await service, window)
}

/** The service could not start (a newer database, a data folder in use): say so, then end. */
async function giveUp(error: unknown): Promise<void> {
  reportBug('start', error)
  const detail = error instanceof Error ? error.message : String(error)
  await dialog.showMessageBox({ type: 'error', message: 'Modelport cannot start', detail })
  app.exit(1)
}
