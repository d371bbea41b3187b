/**
 * An app that belongs to the system's package manager. `pkexec` asks for the password while the app serves; the
 * program that it starts as root then waits until the service has closed. It copies the package to where only root
 * writes and checks the hash there: no other program of this user can exchange the package in between.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Installation, RestartAfter, VerifiedPackage } from './installation.ts'
import { UpdateProblem } from './update-problem.ts'

type SystemKind = 'deb' | 'rpm' | 'pacman'

/** Each installs `$package`, with its dependencies where the package manager can. */
const commands: Readonly<Record<SystemKind, string>> = {
  deb: `
    if command -v apt-get >/dev/null
    then DEBIAN_FRONTEND=noninteractive apt-get install --yes -o DPkg::Lock::Timeout=60 "$package"
    else dpkg --install "$package"
    fi`,
  rpm: `
    if command -v zypper >/dev/null
    then zypper --non-interactive --no-refresh install --allow-unsigned-rpm "$package"
    elif command -v dnf >/dev/null
    then dnf install --nogpgcheck --assumeyes "$package"
    elif command -v yum >/dev/null
    then yum install --nogpgcheck --assumeyes "$package"
    else rpm --upgrade "$package"
    fi`,
  pacman: 'pacman --upgrade --noconfirm "$package"',
}

const damagedCode = 65

/** Arguments: the package, the hash in hexadecimal digits. Its input ends when the app does, and nothing is installed then. */
const script = (kind: SystemKind) => `
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package="$folder/modelport.${kind}"
cp -- "$1" "$package"
printf '%s  %s\\n' "$2" "$package" | sha512sum --check --status || exit ${damagedCode}
# apt reads packages as a user of its own.
chmod -R a+rX "$folder"
echo authorized
read -r _
{ ${commands[kind]}
} </dev/null >&2
`

/** pkexec's, when the user closes its question or the password is wrong. */
const notAuthorizedCode = 126

export interface SystemInstallationOptions {
  kind: SystemKind
  restartAfter: RestartAfter
  /** The command that runs its arguments as root, empty for an app that is root already. */
  asRoot?: readonly string[]
}

export function systemInstallation(options: SystemInstallationOptions): Installation {
  const { kind, restartAfter, asRoot = ownAsRoot() } = options
  let verified: VerifiedPackage | null = null
  return {
    needsPassword: asRoot.length > 0,
    assertReplaceable: async () => {},
    async prepare(next) {
      verified = next
    },
    async install() {
      if (verified === null) throw new Error('There is no package.')
      const { file, sha512 } = verified
      const hash = Buffer.from(sha512, 'base64').toString('hex')
      const installer = new Installer([...asRoot, '/bin/sh', '-c', script(kind), 'sh', file, hash])
      await installer.authorized()
      restartAfter(() => installer.finish())
    },
    discard: async () => void (verified = null),
  }
}

function ownAsRoot(): readonly string[] {
  return process.getuid?.() === 0 ? [] : ['pkexec', '--disable-internal-agent']
}

/** The process of the script above. */
class Installer {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #ended: Promise<number | null>
  #errors = ''

  constructor([program = '', ...args]: readonly string[]) {
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' })
    const { stdin, stderr } = this.#process
    // The program may end before it reads.
    stdin.on('error', () => {})
    stderr.on(
      'data',
      (text: Buffer) => (this.#errors = (this.#errors + text.toString()).slice(-500)),
    )
    this.#ended = new Promise((resolve, reject) => {
      this.#process.once('error', reject)
      this.#process.once('close', resolve)
    })
    this.#ended.catch(() => {})
  }

  /** Resolves when the user has agreed and the package is checked. @throws UpdateProblem */
  async authorized(): Promise<void> {
    const { stdout } = this.#process
    const agreed = new Promise<'agreed'>((resolve) => {
      stdout.once('data', () => resolve('agreed'))
    })
    const first = await Promise.race([agreed, this.#ended]).catch((error: unknown) => {
      throw new UpdateProblem('installer_refused', { cause: error })
    })
    if (first === 'agreed') return void stdout.resume()
    if (first === notAuthorizedCode) throw new UpdateProblem('not_authorized')
    throw this.#failure(first)
  }

  /** Installs. @throws UpdateProblem */
  async finish(): Promise<void> {
    this.#process.stdin.end('install\n')
    const code = await this.#ended
    if (code !== 0) throw this.#failure(code)
  }

  #failure(code: number | null): UpdateProblem {
    if (code === damagedCode) return new UpdateProblem('damaged_package')
    const cause = new Error(`The package manager ended with ${code}: ${this.#errors}`)
    return new UpdateProblem('installer_refused', { cause })
  }
}
