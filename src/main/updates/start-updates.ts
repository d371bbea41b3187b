/** Connects the updates with Electron: the build's feed, the app's folder, the window and the restart. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { readVersionHistory, restoreAtNextStart, type Service } from '../../service/service.ts'
import type { ConnectionUse } from '../../shared/app/open-connection.ts'
import { reportBug } from '../bugs.ts'
import { showNotice } from '../notices/show-notice.ts'
import type { MainWindow } from '../window.ts'
import { readFeedSource, type FeedSource } from './feed-source.ts'
import { installationKind, ownAppImage, type InstallationKind } from './installation-kind.ts'
import { openRecord, problemsAtInstall, type RecordStore } from './record.ts'
import { startAgain, type Restart } from './restart.ts'
import { toUpdateProblem } from './update-problem.ts'
import { Updates } from './updates.ts'
import { t } from '../../shared/strings/strings.ts'

/** A start should not compete with a check for the network. */
const firstCheckMs = 60_000
const intervalMs = 60 * 60_000

export interface StartUpdatesOptions {
  window: MainWindow
  dataDir: string
  restart: Restart
}

export interface StartedUpdates {
  updates: Updates
  /** Takes the mode from the settings of this service; null while none runs. */
  follow(service: Service | null): void
}

/** Starts the updates. Nothing connects to the feed before the user asks for it, or chose daily checks. */
export function startUpdates({ window, dataDir, restart }: StartUpdatesOptions): StartedUpdates {
  const source = feedSource()
  const appImage = ownAppImage(process.env, process.execPath)
  const kind = ownKind(appImage)
  const record = openRecord(join(dataDir, 'updates', 'window.json'), (error) =>
    reportBug('updates', error),
  )
  const installAfterStop = (install: () => void) =>
    restart.after((isClosed) => installClosed(install, { isClosed, appImage, record }))
  let service: Service | null = null
  const isOff = () => service?.connections.use.isOff('updates') ?? false
  const use: ConnectionUse = { isOff, opens: (id) => service?.connections.use.opens(id) }
  const updates = new Updates({
    version: app.getVersion(),
    feedUrl: source?.url ?? null,
    async openUpdater() {
      if (source === null) throw new Error('This build has no feed.')
      const { openUpdater } = await import('./open-updater.ts')
      return openUpdater({ source, kind, appImage, use, installAfterStop })
    },
    wayBack: {
      hasCopy: (copy) => existsSync(copy),
      restoreAtNextStart: (restoreFrom) => restoreAtNextStart(dataDir, restoreFrom),
    },
    mode() {
      // Without a service the settings are unknown, and only a click can check.
      const mode = service?.settings().updates ?? 'manual'
      return mode === 'daily' && isOff() ? 'manual' : mode
    },
    record,
    history: () => readVersionHistory(dataDir),
    now: Date.now,
    onState: (state) => window.send('updates', state),
    onFound({ version }) {
      const body = t(
        'Click to read the release notes. The download starts only when you click Download.',
      )
      const notice = {
        title: t('Modelport {version} is available', { version }),
        body,
        path: '/settings/updates',
      }
      showNotice(notice, (path) => window.show(path))
    },
    onBug: (error) => reportBug('updates', error),
  })
  if (source !== null) checkDaily(updates)
  return { updates, follow: (next) => (service = next) }
}

function checkDaily(updates: Updates): void {
  const check = () => void updates.checkDaily()
  setTimeout(check, firstCheckMs).unref()
  setInterval(check, intervalMs).unref()
}

interface Closed {
  isClosed: boolean
  appImage: string | null
  record: RecordStore
}

function installClosed(install: () => void, { isClosed, appImage, record }: Closed): void {
  try {
    if (!isClosed) throw new Error('The service did not close in time.')
    install()
  } catch (error) {
    rememberFailure(record, error)
  }
  // Otherwise an AppImage would find this process running, and end.
  app.releaseSingleInstanceLock()
  startAgain(appImage)
}

function rememberFailure(record: RecordStore, error: unknown): void {
  const problem = toUpdateProblem(error)
  reportBug('updates', error)
  const kind = problemsAtInstall.find((each) => each === problem.kind) ?? 'unexpected'
  record.change({ failedInstall: kind })
}

function feedSource(): FeedSource | null {
  try {
    return app.isPackaged ? readFeedSource(join(process.resourcesPath, 'app-update.yml')) : null
  } catch (error) {
    reportBug('updates', error)
    return null
  }
}

function ownKind(appImage: string | null): InstallationKind {
  let packageType: string | null = null
  try {
    packageType = readFileSync(join(process.resourcesPath, 'package-type'), 'utf8').trim()
  } catch {
    // A package that belongs to no package manager.
  }
  return installationKind({ platform: process.platform, appImage, packageType })
}
