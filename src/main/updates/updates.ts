/**
 * The updates of the app as a state machine, without Electron: what the user decided, and what may happen next. Nothing
 * connects before a check, nothing is downloaded before `download`, nothing is installed before `install`.
 */
import type { VersionHistory } from '../../service/upkeep/version-change.ts'
import type {
  PreviousVersion,
  Release,
  UpdateMode,
  UpdatePhase,
  UpdatesState,
} from '../../shared/app/updates.ts'
import type { RecordStore } from './record.ts'
import { toUpdateProblem, UpdateProblem } from './update-problem.ts'

/**
 * Reads the feed, downloads packages and starts their installation. Functions may reject with any error;
 * `toUpdateProblem` converts it.
 */
export interface Updater {
  /** Whether the system asks for a password before it installs. */
  needsPassword: boolean
  /** The release that the feed offers; null when it is not newer than this version. */
  check(): Promise<Release | null>
  download(progress: {
    onProgress(receivedBytes: number): void
    signal: AbortSignal
  }): Promise<void>
  /** Resolves when the installation begins, which stops the app. A rejection leaves the app running. */
  install(): Promise<void>
}

/** The return to the version before this one: the user installs it, and it restores the copy of its database. */
export interface WayBack {
  /** Whether the copy of the database still exists. */
  hasCopy(copy: string): boolean
  /** Restores the copy at the next start of one version; null cancels that. */
  restoreAtNextStart(restoreFrom: VersionHistory['restoreFrom']): Promise<void>
}

export interface UpdatesOptions {
  /** This version. */
  version: string
  /** Null for a build without a feed. */
  feedUrl: string | null
  openUpdater(): Promise<Updater>
  wayBack: WayBack
  mode(): UpdateMode
  record: RecordStore
  history(): Promise<VersionHistory | null>
  now(): number
  /** Called with each new state. */
  onState(state: UpdatesState): void
  /** Called when a daily check found a version that the user has not seen. */
  onFound(release: Release): void
  /** Called with unexpected errors. */
  onBug(error: unknown): void
}

type FailedStep = Extract<UpdatePhase, { status: 'failed' }>['step']

const dayMs = 86_400_000
const busy: readonly UpdatePhase['status'][] = ['checking', 'downloading', 'installing']
/** A check would lose what was downloaded. */
const settled: readonly UpdatePhase['status'][] = [...busy, 'ready']

/** Each step resolves to the state after it; a step that is not possible now changes nothing. */
export class Updates {
  readonly #options: UpdatesOptions
  #phase: UpdatePhase
  #updater: Promise<Updater> | null = null
  #download = new AbortController()

  constructor(options: UpdatesOptions) {
    this.#options = options
    this.#phase = firstPhase(options.record)
  }

  async state(): Promise<UpdatesState> {
    const { version, feedUrl, record, wayBack } = this.#options
    const history = await this.#options.history()
    return {
      version,
      feedUrl,
      phase: this.#phase,
      lastCheckedAtMs: record.read().lastCheckedAtMs,
      previous: previousOf(history, wayBack),
      restored: history?.restored ?? null,
      restoreProblem: history?.restoreProblem ?? null,
    }
  }

  async check(): Promise<UpdatesState> {
    if (!this.#isAllowed() || settled.includes(this.#phase.status)) return await this.state()
    await this.#enter({ status: 'checking' })
    try {
      return await this.#enter(await this.#readOffer())
    } catch (error) {
      return await this.#fail('check', null, error)
    }
  }

  /** Checks if the user wants daily checks and the last one is a day old. */
  async checkDaily(): Promise<void> {
    const { record, now, mode, onFound } = this.#options
    const { lastCheckedAtMs } = record.read()
    const isDue = lastCheckedAtMs === null || now() - lastCheckedAtMs >= dayMs
    if (mode() !== 'daily' || !isDue || !this.#isAllowed()) return
    const shown = this.#phase
    if (shown.status === 'available' || shown.status === 'ready') await this.#checkAgain(shown)
    else await this.check()
    const found = this.#phase
    // What a person's own check found is on the screen.
    if (found === shown || found.status !== 'available') return
    const { release } = found
    if (release.version === record.read().announcedVersion) return
    record.change({ announcedVersion: release.version })
    onFound(release)
  }

  /** Checks again. The offer stays during the check, after a failed one, and for the same version in the feed. */
  async #checkAgain(shown: Extract<UpdatePhase, { status: 'available' | 'ready' }>): Promise<void> {
    try {
      const next = await this.#readOffer()
      const isSame = 'release' in next && next.release?.version === shown.release.version
      if (isSame || this.#phase !== shown) return
      await this.#enter(next)
    } catch (error) {
      this.#reportUnexpected(toUpdateProblem(error))
    }
  }

  async #readOffer(): Promise<UpdatePhase> {
    const { record, now } = this.#options
    const release = await (await this.#open()).check()
    record.change({ lastCheckedAtMs: now() })
    return offered(release, record.read().skippedVersion)
  }

  async download(): Promise<UpdatesState> {
    const release = this.#releaseIn(['available', 'failed'])
    if (release === null || release.link !== null || !this.#isAllowed()) return await this.state()
    this.#download = new AbortController()
    const { signal } = this.#download
    await this.#enter({ status: 'downloading', release, receivedBytes: 0 })
    try {
      const onProgress = (receivedBytes: number) => this.#received(receivedBytes)
      const updater = await this.#open()
      signal.throwIfAborted()
      await updater.download({ onProgress, signal })
      return await this.#enter({ status: 'ready', release })
    } catch (error) {
      if (signal.aborted) return await this.#enter({ status: 'available', release })
      return await this.#fail('download', release, error)
    }
  }

  async cancelDownload(): Promise<UpdatesState> {
    this.#download.abort()
    return await this.state()
  }

  async skip(): Promise<UpdatesState> {
    const release = this.#releaseIn(['available', 'ready', 'failed'])
    if (release === null) return await this.state()
    this.#options.record.change({ skippedVersion: release.version })
    return await this.#enter({ status: 'skipped', release })
  }

  /** Offers a skipped version again. */
  async offer(): Promise<UpdatesState> {
    const release = this.#releaseIn(['skipped'])
    if (release === null) return await this.state()
    this.#options.record.change({ skippedVersion: null })
    return await this.#enter({ status: 'available', release })
  }

  async install(): Promise<UpdatesState> {
    const release = this.#installable()
    if (release === null) return await this.state()
    const { version } = release
    try {
      const updater = await this.#open()
      const { needsPassword } = updater
      const installing = await this.#enter({ status: 'installing', version, needsPassword })
      await updater.install()
      return installing
    } catch (error) {
      return await this.#fail('install', release, error)
    }
  }

  /** The version before restores the copy at its next start. This one runs on until the user installs that one. */
  async goBack(): Promise<UpdatesState> {
    const { version, record, wayBack } = this.#options
    const { previous } = await this.state()
    if (!previous?.hasCopy || previous.version === null) return await this.state()
    await wayBack.restoreAtNextStart({ file: previous.copy, forVersion: previous.version })
    // Otherwise the next check of that version would offer this one at once.
    record.change({ skippedVersion: version })
    return await this.#enter(this.#phase)
  }

  async stay(): Promise<UpdatesState> {
    await this.#options.wayBack.restoreAtNextStart(null)
    this.#options.record.change({ skippedVersion: null })
    return await this.#enter(this.#phase)
  }

  #isAllowed(): boolean {
    return this.#options.feedUrl !== null && this.#options.mode() !== 'off'
  }

  /** Loads the updater once. */
  #open(): Promise<Updater> {
    return (this.#updater ??= this.#options.openUpdater())
  }

  async #enter(phase: UpdatePhase): Promise<UpdatesState> {
    this.#phase = phase
    const state = await this.state()
    this.#options.onState(state)
    return state
  }

  #received(receivedBytes: number): void {
    if (this.#phase.status === 'downloading') void this.#enter({ ...this.#phase, receivedBytes })
  }

  #fail(step: FailedStep, release: Release | null, error: unknown): Promise<UpdatesState> {
    const found = toUpdateProblem(error)
    this.#reportUnexpected(found)
    const { kind: problem, message } = found
    return this.#enter({ status: 'failed', step, problem, message, release })
  }

  #reportUnexpected({ kind, cause }: UpdateProblem): void {
    if (kind === 'unexpected' || kind === 'installer_refused') this.#options.onBug(cause)
  }

  /** A version that is ready, also after its installation did not begin. */
  #installable(): Release | null {
    const phase = this.#phase
    const isReady =
      phase.status === 'ready' || (phase.status === 'failed' && phase.step === 'install')
    return isReady ? phase.release : null
  }

  #releaseIn(statuses: readonly UpdatePhase['status'][]): Release | null {
    const phase = this.#phase
    return statuses.includes(phase.status) && 'release' in phase ? phase.release : null
  }
}

/** A failed installation shows at the next start. */
function firstPhase(record: RecordStore): UpdatePhase {
  const { failedInstall } = record.read()
  if (failedInstall === null) return { status: 'idle' }
  record.change({ failedInstall: null })
  const { message } = new UpdateProblem(failedInstall)
  return { status: 'failed', step: 'install', problem: failedInstall, message, release: null }
}

function offered(release: Release | null, skippedVersion: string | null): UpdatePhase {
  if (release === null) return { status: 'current' }
  const status = release.version === skippedVersion ? 'skipped' : 'available'
  return { status, release }
}

function previousOf(history: VersionHistory | null, wayBack: WayBack): PreviousVersion | null {
  if (history === null || history.before === null) return null
  const { fromVersion, file, atMs } = history.before
  return {
    version: fromVersion,
    copy: file,
    copiedAtMs: atMs,
    hasCopy: wayBack.hasCopy(file),
    isChosen: history.restoreFrom?.file === file,
  }
}
