/** electron-updater behind the `Updater` of updates.ts, for each kind of installation. Loaded at the first check. */
import {
  CancellationToken,
  MacUpdater,
  NsisUpdater,
  type AppUpdater,
  type BaseUpdater,
} from 'electron-updater'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import { openConnection, type ConnectionUse } from '../../shared/app/open-connection.ts'
import type { Release } from '../../shared/app/updates.ts'
import { SignedFeedProvider } from './feed-provider.ts'
import type { FeedSource } from './feed-source.ts'
import { extensions, type InstallationKind } from './installation-kind.ts'
import { AppImageInstaller, DebInstaller, RpmInstaller } from './linux-updaters.ts'
import { toUpdateProblem } from './update-problem.ts'
import type { Updater } from './updates.ts'

export interface OpenUpdaterOptions {
  source: FeedSource
  kind: InstallationKind
  /** The file of this app's AppImage; null for another kind. */
  appImage: string | null
  use: ConnectionUse
  /** Stops the app, installs when the service has closed, and starts the app again, also after a failure. */
  installAfterStop(install: () => void): void
}

export function openUpdater(options: OpenUpdaterOptions): Updater {
  const { source, kind, appImage, use, installAfterStop } = options
  const opened = open(kind, appImage)
  const { updater } = opened
  configure(updater, source, extensions[kind])
  return {
    needsPassword: (kind === 'deb' || kind === 'rpm') && process.getuid?.() !== 0,
    check: async () => await check(updater, use, kind === 'folder' ? source.url : null),
    async download(progress) {
      if (updater instanceof AppImageInstaller) await updater.assertReplaceable()
      await download(updater, use, progress)
    },
    async install() {
      if (opened.isOnLinux) installAfterStop(() => installNow(opened.updater))
      else await quitAndInstall(updater)
    },
  }
}

type Opened =
  | { isOnLinux: true; updater: BaseUpdater }
  /** Updaters of macOS and Windows; their installers wait for the end of the app. */
  | { isOnLinux: false; updater: AppUpdater }

function open(kind: InstallationKind, appImage: string | null): Opened {
  if (kind === 'mac') return { isOnLinux: false, updater: new MacUpdater() }
  if (kind === 'windows') return { isOnLinux: false, updater: new NsisUpdater() }
  if (appImage !== null) return { isOnLinux: true, updater: new AppImageInstaller(appImage) }
  // Of a folder, only the check is used: the user unpacks the new version.
  return { isOnLinux: true, updater: kind === 'rpm' ? new RpmInstaller() : new DebInstaller() }
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

/** @param linkBase  the feed's folder, for an app that its user installs by hand; null for others */
async function check(
  updater: AppUpdater,
  use: ConnectionUse,
  linkBase: string | null,
): Promise<Release | null> {
  try {
    const result = await openConnection('updates', use, () => updater.checkForUpdates())
    if (result === null || !result.isUpdateAvailable) return null
    const { version, releaseNotes, releaseDate, files } = result.updateInfo
    const [file] = files
    return {
      version,
      notes: typeof releaseNotes === 'string' ? releaseNotes.trim() : null,
      publishedAtMs: releaseDate === '' ? null : Date.parse(releaseDate),
      bytes: file?.size ?? null,
      link: linkBase === null || !file ? null : new URL(file.url, linkBase).href,
    }
  } catch (error) {
    throw toUpdateProblem(error)
  }
}

type Progress = Parameters<Updater['download']>[0]

async function download(
  updater: AppUpdater,
  use: ConnectionUse,
  { onProgress, signal }: Progress,
): Promise<void> {
  const token = new CancellationToken()
  const onEvent = ({ transferred }: { transferred: number }) => onProgress(transferred)
  const cancel = () => token.cancel()
  updater.on('download-progress', onEvent)
  signal.addEventListener('abort', cancel)
  try {
    await openConnection('updates', use, () => updater.downloadUpdate(token))
  } catch (error) {
    throw toUpdateProblem(error)
  } finally {
    updater.off('download-progress', onEvent)
    signal.removeEventListener('abort', cancel)
  }
}

/** @throws UpdateProblem */
function installNow(updater: BaseUpdater): void {
  let failure: unknown = new Error('electron-updater did not install the package.')
  updater.once('error', (error) => (failure = error))
  if (!updater.install()) throw toUpdateProblem(failure)
}

/**
 * Rejects when the installer cannot be started, which electron-updater only reports as an event. On macOS, Squirrel first
 * takes the package and checks its code signature, which lasts: there the promise stays open until the app ends.
 */
function quitAndInstall(updater: AppUpdater): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(toUpdateProblem(error))
    updater.once('error', onError)
    updater.quitAndInstall()
    if (updater instanceof MacUpdater) return
    setImmediate(() => {
      updater.off('error', onError)
      resolve()
    })
  })
}
