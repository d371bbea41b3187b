import { BaseUpdater } from 'electron-updater'
import type {
  DownloadExecutorResult,
  DownloadUpdateOptions,
} from 'electron-updater/out/AppUpdater.js'
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { UpdateProblem } from './update-problem.ts'

/** Downloads and verifies archives of an app in a folder, which electron-updater has no updater for. */
export class FolderUpdater extends BaseUpdater {
  /** Its published types leave it out. */
  declare protected readonly httpExecutor: ElectronHttpExecutor

  /** The base class's constructor is protected. */
  constructor() {
    super(null)
  }

  protected override doDownloadUpdate(
    options: DownloadUpdateOptions,
  ): Promise<DownloadExecutorResult> {
    const { info: release, provider } = options.updateInfoAndProvider
    const [fileInfo] = provider.resolveFiles(release)
    if (!fileInfo) throw new UpdateProblem('bad_feed')
    return this.executeDownload({
      fileExtension: 'tar.gz',
      fileInfo,
      downloadUpdateOptions: options,
      task: (file, how) => this.httpExecutor.download(fileInfo.url, file, how),
    })
  }

  /** `exchangeFolders` installs. */
  protected override doInstall(): boolean {
    return false
  }
}
