/** electron-updater's installers for Linux, with what they lack. Each blocks this thread until it has installed. */
import { access, constants } from 'node:fs/promises'
import { chmodSync, copyFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppImageUpdater, DebUpdater, RpmUpdater, type UpdateInfo } from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js'
import { damagedCode, UpdateProblem } from './update-problem.ts'

/**
 * electron-updater deletes the old file first, and gives the new one another name, which launchers and the autostart entry
 * do not know. Here there is a complete file under the same name at every moment.
 */
export class AppImageInstaller extends AppImageUpdater {
  readonly #file: string

  constructor(file: string, app?: AppAdapter) {
    super(null, app)
    this.#file = file
  }

  /** Call it before a download. @throws UpdateProblem `read_only` */
  async assertReplaceable(): Promise<void> {
    try {
      await access(dirname(this.#file), constants.W_OK)
    } catch (error) {
      throw new UpdateProblem('read_only', { cause: error })
    }
  }

  protected override doInstall(): boolean {
    if (this.installerPath === null) return false
    const next = `${this.#file}.next`
    try {
      copyFileSync(this.installerPath, next)
      chmodSync(next, statSync(this.#file).mode & 0o777)
      renameSync(next, this.#file)
      return true
    } finally {
      rmSync(next, { force: true })
    }
  }
}

/** The other programs that electron-updater knows would let the user's own shell read the commands. */
const sudo = 'pkexec'

export class DebInstaller extends DebUpdater {
  /** apt before dpkg, which installs no dependencies: electron-updater would then ask for the password twice. */
  protected override detectPackageManager(): string {
    return super.detectPackageManager(['apt', 'dpkg'])
  }

  protected override determineSudoCommand(): string {
    return sudo
  }

  protected override runCommandWithSudoIfNeeded(command: string[]): string {
    const listed = this.updateInfoAndProvider?.info.files
    return super.runCommandWithSudoIfNeeded([fromRootCopy(command, this.installerPath, listed)])
  }
}

export class RpmInstaller extends RpmUpdater {
  protected override determineSudoCommand(): string {
    return sudo
  }

  protected override runCommandWithSudoIfNeeded(command: string[]): string {
    const listed = this.updateInfoAndProvider?.info.files
    return super.runCommandWithSudoIfNeeded([fromRootCopy(command, this.installerPath, listed)])
  }
}

/**
 * A package manager runs as root on a file that other programs of this user can change. So root installs a copy that only
 * root can write, if it has the hash of the signed feed. One line for a shell of root, without single quotes, because
 * electron-updater puts it between two.
 * @param file  the package, escaped for a shell
 * @param listed  its entry in the signed feed
 * @throws UpdateProblem for a command without the package, which follows one that failed
 */
function fromRootCopy(
  command: readonly string[],
  file: string | null,
  listed: UpdateInfo['files'] | undefined,
): string {
  const sha512 = listed?.[0]?.sha512
  if (file === null || sha512 === undefined || !command.includes(file)) {
    throw new UpdateProblem('installer_refused')
  }
  const hash = Buffer.from(sha512, 'base64').toString('hex')
  return [
    `set -e; damaged=${damagedCode}`,
    'folder=$(mktemp -d)',
    'trap "rm -rf $folder" EXIT',
    `package=$folder/$(basename -- ${file})`,
    `cp -- ${file} "$package"`,
    `echo "${hash}  $package" >$folder/sum`,
    'sha512sum --check --status $folder/sum || exit $damaged',
    // apt reads packages as a user of its own.
    'chmod -R a+rX $folder',
    command.map((word) => (word === file ? '"$package"' : word)).join(' '),
  ].join('; ')
}
