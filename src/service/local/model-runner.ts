/**
 * The one process in which local models run. It holds one model: another one replaces it, so memory is bounded by the
 * largest model. It is started by a request, restarted after a crash, and ended when it is idle, because free memory
 * matters more than a fast first word after a pause; loading again takes a second.
 */
import { fileURLToPath } from 'node:url'
import { formatBytes } from '../../shared/strings/format.ts'
import { ProviderError } from '../providers/provider.ts'
import type { ModelProcess, RunnableModel } from './local-model.ts'
import { ModelHost, ModelProcessEnded } from './model-host.ts'
import type { LoadedFacts } from './protocol.ts'

export interface ModelRunnerOptions {
  fork: (entry: string) => ModelProcess
  /** Bytes that a new process can use. */
  availableMemory: () => number
  usesGpu: () => boolean
  /** Called with each change of a model's process. */
  onChange(model: RunnableModel, change: RunChange): void
}

export type RunChange =
  | { kind: 'loading' }
  | { kind: 'loaded'; loaded: LoadedFacts }
  | { kind: 'failed'; message: string }
  /** The model crashed, was idle, or another one took its place. */
  | { kind: 'stopped' }

interface Run {
  model: RunnableModel
  host: ModelHost
  exited: Promise<void>
  loaded: Promise<LoadedFacts>
  isLoaded: boolean
}

/** How long an unused process is kept. */
const idleLimitMs = 10 * 60_000
/** Number of crashes within the time below after which the model is not started for the same time. */
const crashLimit = 3
const crashWindowMs = 60_000

const crashLoopMessage =
  'The process of the local model keeps ending. Retry, or choose another model file.'

export class ModelRunner {
  readonly #options: ModelRunnerOptions
  #run: Run | null = null
  #idleTimer: NodeJS.Timeout | undefined
  readonly #crashTimes = new Map<string, number[]>()
  #isClosed = false

  constructor(options: ModelRunnerOptions) {
    this.#options = options
  }

  /** The name of the model in memory; null while none is, or while it is loading. */
  loadedName(): string | null {
    return this.#run?.isLoaded ? this.#run.model.name : null
  }

  /** The process with the model loaded; ends that of another model. @throws ProviderError */
  async ready(model: RunnableModel): Promise<{ host: ModelHost; loaded: LoadedFacts }> {
    const current = this.#run
    // The memory of another model is free when its process has ended.
    if (current && !isSame(current.model, model)) await this.stop()
    const run = this.#run ?? this.#start(model)
    try {
      return { host: run.host, loaded: await run.loaded }
    } catch (error) {
      if (this.#run === run) {
        void this.#end(run)
        const message = error instanceof Error ? error.message : String(error)
        this.#options.onChange(model, { kind: 'failed', message })
      }
      throw toProviderError(error)
    }
  }

  /** Keeps the process while a request is using it. */
  keepAwake(): void {
    clearTimeout(this.#idleTimer)
  }

  startIdleTimer(): void {
    clearTimeout(this.#idleTimer)
    if (!this.#run) return
    this.#idleTimer = setTimeout(() => void this.stop(), idleLimitMs)
    this.#idleTimer.unref()
  }

  /** Ends the process. Resolves when it has ended. */
  stop(): Promise<void> {
    const run = this.#run
    if (!run) return Promise.resolve()
    const exited = this.#end(run)
    this.#options.onChange(run.model, { kind: 'stopped' })
    return exited
  }

  /** Starts the model again although its process kept ending. */
  forgetCrashes(): void {
    this.#crashTimes.clear()
  }

  /** Runs work that needs no model in a process of its own, which ends after the limit. @throws ProviderError */
  async inOwnProcess<Result>(
    work: (host: ModelHost) => Promise<Result>,
    limitMs: number,
  ): Promise<Result> {
    const host = new ModelHost(this.#options.fork(modelProcessEntry()), () => {})
    const limit = new AbortController()
    const timer = setTimeout(() => {
      limit.abort()
      host.kill()
    }, limitMs)
    try {
      return await work(host)
    } catch (error) {
      if (!limit.signal.aborted) throw toProviderError(error)
      const message = `The process of the local model took longer than ${limitMs / 1_000} seconds.`
      throw new ProviderError('timeout', message, { cause: error })
    } finally {
      clearTimeout(timer)
      host.kill()
    }
  }

  close(): void {
    this.#isClosed = true
    void this.stop()
  }

  /** @throws ProviderError when it may not start */
  #start(model: RunnableModel): Run {
    if (this.#isClosed) throw new ProviderError('unavailable', 'The local model was stopped.')
    this.#refuseCrashLoop(model)
    this.#refuseTooLarge(model)
    this.#options.onChange(model, { kind: 'loading' })
    let tellExit = () => {}
    const exited = new Promise<void>((resolve) => {
      tellExit = resolve
    })
    const host = new ModelHost(this.#options.fork(modelProcessEntry()), () => {
      tellExit()
      this.#onEnd(host)
    })
    const { file, contextTokens } = model
    const loaded = host.load({ file, contextTokens, usesGpu: this.#options.usesGpu() })
    const run: Run = { model, host, exited, loaded, isLoaded: false }
    this.#run = run
    void this.#tellLoaded(run)
    return run
  }

  /** Ends the process on purpose; its exit does not count as a crash. */
  #end(run: Run): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#run = null
    run.host.kill()
    return run.exited
  }

  async #tellLoaded(run: Run): Promise<void> {
    // `ready` handles the failure.
    const loaded = await run.loaded.catch(() => null)
    if (loaded === null || this.#run !== run) return
    run.isLoaded = true
    this.#options.onChange(run.model, { kind: 'loaded', loaded })
  }

  /** A process that keeps crashing, such as for lack of memory, is not started on every request. */
  #refuseCrashLoop({ name }: RunnableModel): void {
    const since = performance.now() - crashWindowMs
    const times = (this.#crashTimes.get(name) ?? []).filter((time) => time > since)
    this.#crashTimes.set(name, times)
    const [first] = times
    if (first === undefined || times.length < crashLimit) return
    throw new ProviderError('unavailable', crashLoopMessage, {
      retryAfterMs: Math.ceil(first - since),
    })
  }

  #refuseTooLarge(model: RunnableModel): void {
    const available = this.#options.availableMemory()
    if (model.memoryBytes <= available) return
    const message = `${model.name} needs about ${formatBytes(model.memoryBytes)} of memory, and ${formatBytes(available)} are available. Close other programs, choose a smaller model, or lower the setting localContextTokens.`
    this.#options.onChange(model, { kind: 'failed', message })
    throw new ProviderError('unavailable', message)
  }

  /** Handles a crash; after a deliberate stop, the run is already another one. */
  #onEnd(host: ModelHost): void {
    const run = this.#run
    if (run?.host !== host) return
    this.#run = null
    const { model } = run
    const times = [...(this.#crashTimes.get(model.name) ?? []), performance.now()]
    this.#crashTimes.set(model.name, times)
    const isLoop = times.length >= crashLimit
    const change: RunChange = isLoop
      ? { kind: 'failed', message: crashLoopMessage }
      : { kind: 'stopped' }
    this.#options.onChange(model, change)
  }
}

function isSame(a: RunnableModel, b: RunnableModel): boolean {
  return a.name === b.name && a.file === b.file && a.contextTokens === b.contextTokens
}

/** A checkout runs the source directly; in a bundle, the process's file is next to this one. */
function modelProcessEntry(): string {
  const entry = import.meta.url.endsWith('.ts') ? './model-process.ts' : './model-process.js'
  return fileURLToPath(new URL(entry, import.meta.url))
}

export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const message =
    error instanceof ModelProcessEnded
      ? 'The process of the local model ended. The next message starts it again.'
      : 'The local model failed.'
  return new ProviderError('unavailable', message, { cause: error })
}
