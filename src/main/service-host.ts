/** Starts the service, again when the user asks for it or a restore needs it, and knows why it could not start. */
import {
  DashboardError,
  startProblemOf,
  type Service,
  type StagedBackup,
} from '../service/service.ts'
import type { RestoreOutcome, StartState } from '../shared/app/start-state.ts'

export interface ServiceHost {
  /** Resolves to the running service, or to the next one that starts; never rejects. */
  running(): Promise<Service>
  /** Resolves to the service once the current start has ended; null if it failed. */
  settled(): Promise<Service | null>
  state(): StartState
  /** The state for a window. Only the main one gets the outcome of a restore, once. */
  takeState(isMainWindow: boolean): StartState
  /** Starts again after a failure; resolves to the new state. */
  retry(): Promise<StartState>
  /**
   * Stages a copy, closes a running service, replaces the database and starts again; resolves to the new state.
   * @throws DashboardError conflict while another restore runs; what `stage` throws, and then nothing has changed
   */
  restore(stage: () => Promise<StagedBackup>): Promise<StartState>
}

export interface ServiceHostOptions {
  dataDir: string
  start(): Promise<Service>
  /** Called with each new state. */
  onState(state: StartState): void
  /** Called with each service that has started. @returns called before it is closed for a restore */
  onStarted(service: Service): () => void
  /** Called with unexpected errors. */
  onBug(error: unknown): void
}

export function hostService(options: ServiceHostOptions): ServiceHost {
  return new HostedService(options)
}

class HostedService implements ServiceHost {
  readonly #options: ServiceHostOptions
  #state: StartState = { status: 'starting' }
  #next = Promise.withResolvers<Service>()
  /** Undoes `onStarted`. */
  #leave = () => {}
  #attempt: Promise<Service | null>
  /** True from the staging on: a data folder has room for one staged copy. */
  #isRestoring = false

  constructor(options: ServiceHostOptions) {
    this.#options = options
    this.#attempt = this.#start(null)
  }

  running(): Promise<Service> {
    return this.#next.promise
  }

  settled(): Promise<Service | null> {
    return this.#attempt
  }

  state(): StartState {
    return this.#state
  }

  takeState(isMainWindow: boolean): StartState {
    const state = this.#state
    if (state.status !== 'started') return state
    const told: StartState = { ...state, restore: null }
    if (!isMainWindow) return told
    this.#state = told
    return state
  }

  async retry(): Promise<StartState> {
    // A start deletes the copy that a restore is staging.
    if (this.#state.status === 'failed' && !this.#isRestoring) {
      this.#change({ status: 'starting' })
      this.#attempt = this.#start(null)
    }
    await this.#attempt
    return this.#state
  }

  async restore(stage: () => Promise<StagedBackup>): Promise<StartState> {
    if (this.#isRestoring)
      throw new DashboardError('conflict', 'Another copy is being restored. Wait until it is done.')
    this.#isRestoring = true
    try {
      const staged = await stage()
      try {
        return await this.#restoreStaged(staged)
      } finally {
        staged.discard()
      }
    } finally {
      this.#isRestoring = false
    }
  }

  async #restoreStaged(staged: StagedBackup): Promise<StartState> {
    const service = await this.#attempt
    if (service !== null) this.#next = Promise.withResolvers<Service>()
    this.#change({ status: 'restoring' })
    this.#attempt = this.#replaceDatabase(service, staged)
    await this.#attempt
    return this.#state
  }

  #change(state: StartState): void {
    this.#state = state
    this.#options.onState(state)
  }

  async #start(restore: RestoreOutcome | null): Promise<Service | null> {
    const { start, onStarted, onBug, dataDir } = this.#options
    try {
      const service = await start()
      this.#leave = onStarted(service)
      this.#next.resolve(service)
      this.#change({ status: 'started', restore })
      return service
    } catch (error) {
      const failed = startProblemOf(error)
      if (failed.problem === 'unexpected') onBug(error)
      this.#change({ status: 'failed', ...failed, dataDir, restore })
      return null
    }
  }

  async #replaceDatabase(service: Service | null, staged: StagedBackup): Promise<Service | null> {
    return this.#start(await this.#apply(service, staged))
  }

  async #apply(service: Service | null, staged: StagedBackup): Promise<RestoreOutcome> {
    try {
      this.#leave()
      await service?.close()
      return { status: 'done', ...(await staged.apply()) }
    } catch (error) {
      const { problem, message } = startProblemOf(error)
      if (problem === 'unexpected') this.#options.onBug(error)
      return { status: 'failed', message }
    }
  }
}
