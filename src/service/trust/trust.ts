/**
 * Adds the certificate authority to trust stores, removes it, and remembers what was trusted, so that a new authority
 * is noticed. Commands run only when a person asks for it, and are shown before.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import type { TrustState, TrustStoreState } from '../../shared/app/trust.ts'
import { shellWord } from '../connect/shell.ts'
import { replaceFile } from '../data-folder/durable-file.ts'
import { readAuthority, type Authority } from './authority.ts'
import { findStores, type Command, type Run, type TrustStore } from './stores.ts'

/** A store could not be changed; `message` says why and what to do. */
export class TrustFailed extends Error {
  override readonly name = 'TrustFailed'
}

const recordSchema = z.array(
  z.object({ store: z.string(), fingerprint: z.string(), sha1: z.string() }),
)
type TrustRecord = z.infer<typeof recordSchema>

export interface TrustOptions {
  dataDir: string
  home: string
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  run?: Run | undefined
  /** Whether this process may change the whole system. */
  isAdministrator?: boolean | undefined
  /** The root of the file system. */
  root?: string | undefined
}

/** Trust stores of the person who runs this process. */
export function createTrust({ dataDir, env }: Pick<TrustOptions, 'dataDir' | 'env'>): Trust {
  return new Trust({ dataDir, env, home: env['HOME'] || homedir(), platform: process.platform })
}

/** macOS shows a dialog and waits for the person. */
const commandMs = 120_000

export class Trust {
  readonly #options: TrustOptions
  readonly #run: Run

  constructor(options: TrustOptions) {
    this.#options = options
    this.#run = options.run ?? runProgram
  }

  /** Whether a store trusts only another authority than the one that is served now. */
  mustTrustAgain(): boolean {
    const authority = readAuthority(this.#options.dataDir)
    return authority !== null && isOutdated(this.#records(), authority)
  }

  /** @returns null before the first start of the service, which creates the authority */
  async state(): Promise<TrustState | null> {
    const authority = readAuthority(this.#options.dataDir)
    if (authority === null) return null
    const stores: TrustStoreState[] = []
    for (const store of findStores(this.#options)) {
      const isTrusted = await store.isTrusted(authority, this.#run)
      await this.#update(store, authority, isTrusted)
      stores.push({
        id: store.id,
        name: store.name,
        isTrusted,
        hasOutdated: this.#outdated(store, authority).length > 0,
        trustCommands: this.#trustCommands(store, authority).map(commandLine),
        untrustCommands: this.#untrustCommands(store, authority).map(commandLine),
        obstacle: this.#obstacleOf(store),
      })
    }
    const { fingerprint, createdAtMs } = authority
    return { fingerprint, createdAtMs, mustTrustAgain: this.mustTrustAgain(), stores }
  }

  /** Runs the commands that `state` shows. @throws TrustFailed */
  async change(storeId: string, isTrusted: boolean): Promise<void> {
    const authority = readAuthority(this.#options.dataDir)
    const store = findStores(this.#options).find(({ id }) => id === storeId)
    if (authority === null) throw new TrustFailed(noAuthority)
    if (!store) throw new TrustFailed(`There is no store "${storeId}" on this computer.`)
    const commands = isTrusted
      ? this.#trustCommands(store, authority)
      : this.#untrustCommands(store, authority)
    this.#refuseObstacle(store, commands)
    let problem = ''
    for (const command of commands) {
      const { code, stderr, stdout } = await this.#run(command)
      if (code !== 0) problem ||= firstLine(`${stderr}\n${stdout}`)
    }
    const isTrustedNow = await store.isTrusted(authority, this.#run)
    await this.#update(store, authority, isTrustedNow)
    const isLeft = !isTrusted && this.#outdated(store, authority).length > 0
    if (isTrustedNow !== isTrusted || isLeft) {
      throw new TrustFailed(`${store.name} could not be changed: ${problem || 'no reason given'}`)
    }
  }

  #refuseObstacle(store: TrustStore, commands: readonly Command[]): void {
    const obstacle = this.#obstacleOf(store)
    if (obstacle === null) return
    if (obstacle === 'no_certutil') throw new TrustFailed(noCertutil)
    const lines = commands.map((command) => `sudo ${commandLine(command)}`).join('\n')
    throw new TrustFailed(`${store.name} needs an administrator. Run in a terminal:\n${lines}`)
  }

  #obstacleOf({ needsAdministrator, needsCertutil }: TrustStore): TrustStoreState['obstacle'] {
    const { env, isAdministrator = process.getuid?.() === 0 } = this.#options
    if (needsAdministrator && !isAdministrator) return 'administrator'
    return needsCertutil && !isInstalled('certutil', env) ? 'no_certutil' : null
  }

  /** An authority that was trusted before is removed first. */
  #trustCommands(store: TrustStore, authority: Authority): Command[] {
    return [
      ...this.#outdated(store, authority).flatMap((old) => store.untrust(old)),
      ...store.trust(authority),
    ]
  }

  #untrustCommands(store: TrustStore, authority: Authority): Command[] {
    return [authority, ...this.#outdated(store, authority)].flatMap((one) => store.untrust(one))
  }

  #outdated({ id }: TrustStore, { fingerprint }: Authority): TrustRecord {
    return this.#records().filter(
      (record) => record.store === id && record.fingerprint !== fingerprint,
    )
  }

  /** Brings the record of a store in line with what it holds; other programs change stores, too. */
  async #update(store: TrustStore, authority: Authority, isTrusted: boolean): Promise<void> {
    // Without its program, nothing is known about the store.
    if (this.#obstacleOf(store) === 'no_certutil') return
    const { fingerprint, sha1 } = authority
    const current = isTrusted ? [{ store: store.id, fingerprint, sha1 }] : []
    const left: TrustRecord = []
    for (const old of this.#outdated(store, authority)) {
      if (!(await store.isAbsent(old, this.#run))) left.push(old)
    }
    const records = this.#records()
    const others = records.filter((record) => record.store !== store.id)
    const next = [...others, ...left, ...current]
    if (next.length !== records.length || !next.every((record) => isIn(records, record))) {
      await this.#save(next)
    }
  }

  async #save(records: TrustRecord): Promise<void> {
    await replaceFile(this.#recordFile(), `${JSON.stringify(records)}\n`)
  }

  #records(): TrustRecord {
    const file = this.#recordFile()
    if (!existsSync(file)) return []
    try {
      return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // Damaged, or of another version: the stores themselves are asked again.
      return []
    }
  }

  #recordFile(): string {
    return join(this.#options.dataDir, 'trusted-authorities.json')
  }
}

export const noAuthority = 'There is no certificate authority yet: "modelport serve" creates it.'
const noCertutil =
  'The program certutil is missing. Install it: on Debian "apt install libnss3-tools", on Fedora "dnf install nss-tools".'

function isOutdated(records: TrustRecord, { fingerprint }: Authority): boolean {
  const current = records.filter((record) => record.fingerprint === fingerprint)
  return records.some(({ store }) => !current.some((record) => record.store === store))
}

function isIn(records: TrustRecord, { store, fingerprint }: TrustRecord[number]): boolean {
  return records.some((record) => record.store === store && record.fingerprint === fingerprint)
}

/** The command as it is typed in a terminal. */
function commandLine({ program, args }: Command): string {
  return [program, ...args].map(shellWord).join(' ')
}

function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

function isInstalled(program: string, { PATH = '' }: TrustOptions['env']): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, program)))
}

const runProgram: Run = ({ program, args }) =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: commandMs }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })
