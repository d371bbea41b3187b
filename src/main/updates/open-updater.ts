/** electron-updater behind the `Updater` of updates.ts, for each kind of installation. Loaded at the first check. */
import {
  AppImageUpdater,
  CancellationToken,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
  PacmanUpdater,
  RpmUpdater,
  type AppUpdater,
} from 'electron-updater'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import type { Release } from '../../shared/updates.ts'
import { SignedFeedProvider } from './feed-provider.ts'
import type { FeedSource } from './feed-source.ts'
import { assertReplaceable, unpackBeside, type FolderInstall } from './folder-install.ts'
import { FolderUpdater } from './folder-updater.ts'
import { extensions, type InstallationKind } from './installation-kind.ts'
import { toUpdateProblem } from './update-problem.ts'
import type { Updater } from './updates.ts'

export interface OpenUpdaterOptions {
  source: FeedSource
  kind: InstallationKind
  folderInstall: FolderInstall
  /** Stops the app and exchanges its folder for the unpacked one. */
  restartFromNext(): void
}

export function openUpdater(options: OpenUpdaterOptions): Updater {
  const { source, kind, folderInstall, restartFromNext } = options
  const updater = configure(createUpdater(kind), source, extensions[kind])
  if (kind !== 'folder') {
    return {
      check: () => check(updater),
      download: async (_release, progress) => void (await download(updater, progress)),
      install: () => install(updater),
    }
  }
  return {
    check: () => check(updater),
    async download({ version }, progress) {
      await assertReplaceable(folderInstall)
      const archive = await download(updater, progress)
      try {
        await unpackBeside(folderInstall, archive, { version, signal: progress.signal })
      } catch (error) {
        throw toUpdateProblem(error)
      }
    },
    install: () => Promise.resolve(restartFromNext()),
  }
}

function createUpdater(kind: InstallationKind): AppUpdater {
  switch (kind) {
    case 'folder':
      return new FolderUpdater()
    case 'deb':
      return new DebUpdater()
    case 'rpm':
      return new RpmUpdater()
    case 'pacman':
      return new PacmanUpdater()
    case 'appimage':
      return new AppImageUpdater()
    case 'mac':
      return new MacUpdater()
    case 'windows':
      return new NsisUpdater()
  }
}

function configure(updater: AppUpdater, source: FeedSource, extension: string): AppUpdater {
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // Differences between packages come from files that the feed does not sign.
  updater.disableDifferentialDownload = true
  // Its log would hold paths of this computer; failures reach the user by the state.
  updater.logger = null
  // It would write a random id of this installation, which the feed's provider does not send.
  Reflect.set(updater, 'stagingUserIdPromise', { value: Promise.resolve('') })
  // electron-updater creates the provider with its own arguments.
  class OwnProvider extends SignedFeedProvider {
    constructor(_configuration: unknown, _updater: unknown, options: ProviderRuntimeOptions) {
      super(source, extension, options)
    }
  }
  updater.setFeedURL({ provider: 'custom', updateProvider: OwnProvider })
  return updater
}

async function check(updater: AppUpdater): Promise<Release | null> {
  try {
    const result = await updater.checkForUpdates()
    if (result === null || !result.isUpdateAvailable) return null
    const { version, releaseNotes, releaseDate, files } = result.updateInfo
    return {
      version,
      notes: typeof releaseNotes === 'string' ? releaseNotes.trim() : null,
      publishedAtMs: releaseDate === '' ? null : Date.parse(releaseDate),
      bytes: files[0]?.size ?? null,
    }
  } catch (error) {
    throw toUpdateProblem(error)
  }
}

type Progress = Parameters<Updater['download']>[1]

/** @returns the path of the verified package */
async function download(updater: AppUpdater, { onProgress, signal }: Progress): Promise<string> {
  const token = new CancellationToken()
  const onEvent = ({ transferred }: { transferred: number }) => onProgress(transferred)
  const cancel = () => token.cancel()
  updater.on('download-progress', onEvent)
  signal.addEventListener('abort', cancel)
  try {
    const [file = ''] = await updater.downloadUpdate(token)
    return file
  } catch (error) {
    throw toUpdateProblem(error)
  } finally {
    updater.off('download-progress', onEvent)
    signal.removeEventListener('abort', cancel)
  }
}

/** Rejects when the installer cannot be started, which electron-updater only reports as an event. */
function install(updater: AppUpdater): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(toUpdateProblem(error))
    updater.once('error', onError)
    updater.quitAndInstall()
    setImmediate(() => {
      updater.off('error', onError)
      resolve()
    })
  })
}
