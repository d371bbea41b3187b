import { BaseUpdater } from 'electron-updater'
import type {
  DownloadExecutorResult,
  DownloadUpdateOptions,
} from 'electron-updater/out/AppUpdater.js'
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { UpdateProblem } from './update-problem.ts'

/**
 * Downloads and verifies packages for Linux. electron-updater's own updaters for Linux also install them, but on the main
 * thread, so the service would stand still while the system asks for a password.
 */
export class PackageUpdater extends BaseUpdater {
  /** Its published types leave it out. */
  declare protected readonly httpExecutor: ElectronHttpExecutor
  readonly #extension: string
  #sha512 = ''

  /** @param extension  of the packages, with the dot */
  constructor(extension: string) {
    super(null)
    this.#extension = extension
  }

  /** The hash of the last download, base64 of 64 bytes. */
  sha512(): string {
    return this.#sha512
  }

  /** Deletes what was downloaded. */
  async discard(): Promise<void> {
    await this.downloadedUpdateHelper?.clear()
  }

  protected override doDownloadUpdate(
    options: DownloadUpdateOptions,
  ): Promise<DownloadExecutorResult> {
    const { info: release, provider } = options.updateInfoAndProvider
    const [fileInfo] = provider.resolveFiles(release)
    if (!fileInfo) throw new UpdateProblem('bad_feed')
    this.#sha512 = fileInfo.info.sha512
    return this.executeDownload({
      fileExtension: this.#extension.slice(1),
      fileInfo,
      downloadUpdateOptions: options,
      task: (file, how) => this.httpExecutor.download(fileInfo.url, file, how),
    })
  }

  /** The `Installation` installs. */
  protected override doInstall(): boolean {
    return false
  }
}
