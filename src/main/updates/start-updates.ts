/** Connects the updates with Electron: the build's feed, the app's folder, the window and the restart. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import { promises as originalFs } from 'original-fs'
import { z } from 'zod'
import { readVersionHistory, type Service } from '../../service/service.ts'
import { reportBug } from '../bugs.ts'
import { showNotice } from '../notices/show-notice.ts'
import type { MainWindow } from '../window.ts'
import { readFeedSource, type FeedSource } from './feed-source.ts'
import { nextFile } from './app-image.ts'
import { previousFolder, removeLeftovers, type FolderInstall } from './folder-install.ts'
import { goBackWith } from './go-back.ts'
import { installationKind, ownAppImage, type InstallationKind } from './installation-kind.ts'
import { openRecord, problemsAtExchange, type RecordStore } from './record.ts'
import { appFolder, type Restart } from './restart.ts'
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

/** Nothing connects to the feed before the user asks for it, or chose daily checks. */
export function startUpdates({ window, dataDir, restart }: StartUpdatesOptions): StartedUpdates {
  const source = feedSource()
  const appImage = ownAppImage(process.env, process.execPath)
  const kind = ownKind(appImage)
  const record = openRecord(join(dataDir, 'updates', 'window.json'), (error) =>
    reportBug('updates', error),
  )
  const install: FolderInstall = { folder: appFolder(), fs: originalFs, versionIn }
  const restartAs = (step: 'install' | 'go_back', exchange: () => Promise<void>) =>
    restart.after(async (isClosed) => {
      try {
        if (!isClosed) throw new Error('The service did not close in time.')
        await exchange()
      } catch (error) {
        rememberFailure(record, step, error)
      }
    })
  const tidied = source === null ? null : tidy({ kind, install, appImage })
  let service: Service | null = null
  const updates = new Updates({
    version: app.getVersion(),
    feedUrl: source?.url ?? null,
    async openUpdater() {
      if (source === null) throw new Error('This build has no feed.')
      const { openUpdater } = await import('./open-updater.ts')
      // It would delete what a download unpacks.
      await tidied
      const restartAfter = (work: () => Promise<void>) => restartAs('install', work)
      return openUpdater({ source, kind, folderInstall: install, appImage, restartAfter })
    },
    wayBack: {
      version: async () =>
        kind === 'folder' ? await versionIn(previousFolder(install.folder)) : null,
      hasCopy: (copy) => existsSync(copy),
      start: (restoreFrom) =>
        restartAs('go_back', () => goBackWith(install, { dataDir, restoreFrom })),
    },
    // Without a service the settings are unknown, and only a click can check.
    mode: () => service?.settings().updates ?? 'manual',
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

interface Places {
  kind: InstallationKind
  install: FolderInstall
  appImage: string | null
}

/** Deletes what a download left that was not installed before the last stop. Never rejects. */
async function tidy({ kind, install, appImage }: Places): Promise<void> {
  try {
    if (kind === 'folder') await removeLeftovers(install)
    if (appImage !== null) await rm(nextFile(appImage), { force: true })
  } catch (error) {
    if (toUpdateProblem(error).kind !== 'read_only') reportBug('updates', error)
  }
}

function rememberFailure(record: RecordStore, step: 'install' | 'go_back', error: unknown): void {
  const problem = toUpdateProblem(error)
  reportBug('updates', error)
  const kind = problemsAtExchange.find((each) => each === problem.kind) ?? 'unexpected'
  record.change({ failedInstall: { step, kind } })
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

const manifestSchema = z.object({ version: z.string() })

/** Electron reads files inside an archive. */
async function versionIn(folder: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, 'resources', 'app.asar', 'package.json'), 'utf8')
    return manifestSchema.parse(JSON.parse(text)).version
  } catch {
    return null
  }
}
