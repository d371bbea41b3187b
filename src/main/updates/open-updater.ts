/** electron-updater behind the `Updater` of updates.ts, for each kind of installation. Loaded at the first check. */
import { CancellationToken, MacUpdater, NsisUpdater, type AppUpdater } from 'electron-updater'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import type { Release } from '../../shared/updates.ts'
import { appImageInstallation } from './app-image.ts'
import { SignedFeedProvider } from './feed-provider.ts'
import type { FeedSource } from './feed-source.ts'
import { folderInstallation, type FolderInstall } from './folder-install.ts'
import type { Installation, RestartAfter } from './installation.ts'
import { extensions, type InstallationKind } from './installation-kind.ts'
import { PackageUpdater } from './package-updater.ts'
import { systemInstallation } from './system-package.ts'
import { toUpdateProblem } from './update-problem.ts'
import type { Updater } from './updates.ts'

export interface OpenUpdaterOptions {
  source: FeedSource
  kind: InstallationKind
  folderInstall: FolderInstall
  /** The file of this app's AppImage; null for another kind. */
  appImage: string | null
  restartAfter: RestartAfter
}

export function openUpdater(options: OpenUpdaterOptions): Updater {
  const { source, kind } = options
  const extension = extensions[kind]
  if (kind === 'mac' || kind === 'windows') {
    const updater = kind === 'mac' ? new MacUpdater() : new NsisUpdater()
    configure(updater, source, extension)
    return withOwnInstaller(updater)
  }
  const updater = new PackageUpdater(extension)
  configure(updater, source, extension)
  return withInstallation(updater, installationOf({ ...options, kind }))
}

type LinuxKind = Exclude<InstallationKind, 'mac' | 'windows'>

function installationOf(options: OpenUpdaterOptions & { kind: LinuxKind }): Installation {
  const { kind, folderInstall, appImage, restartAfter } = options
  if (kind === 'folder') return folderInstallation(folderInstall, restartAfter)
  if (kind !== 'appimage') return systemInstallation({ kind, restartAfter })
  if (appImage === null) throw new Error('An AppImage has a file.')
  return appImageInstallation(appImage, restartAfter)
}

function withInstallation(updater: PackageUpdater, installation: Installation): Updater {
  return {
    needsPassword: installation.needsPassword,
    check: () => check(updater),
    async download({ version }, progress) {
      await installation.assertReplaceable()
      const file = await download(updater, progress)
      try {
        await installation.prepare({ file, version, sha512: updater.sha512() }, progress.signal)
      } catch (error) {
        throw toUpdateProblem(error)
      }
    },
    install: () => installation.install(),
    async discard() {
      await installation.discard()
      await updater.discard()
    },
  }
}

/** The installers of macOS and Windows keep what was downloaded, and replace it with the next download. */
function withOwnInstaller(updater: AppUpdater): Updater {
  return {
    needsPassword: false,
    check: () => check(updater),
    download: async (_release, progress) => void (await download(updater, progress)),
    install: () => install(updater),
    discard: async () => {},
  }
}

function configure(updater: AppUpdater, source: FeedSource, extension: string): void {
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
