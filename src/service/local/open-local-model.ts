/**
 * The built-in model as a provider: finds its file, starts its process on the first request, admits one request
 * at a time, and restarts the process after a crash. An idle process is ended, because free memory matters more
 * than a fast first word after a pause; loading again takes a second.
 */
import { fileURLToPath } from 'node:url'
import type { LocalModelState } from '../../shared/ipc.ts'
import {
  joinChunks,
  ProviderError,
  type ProviderChunk,
  type ProviderRequest,
} from '../providers/provider.ts'
import { forkChildProcess } from './fork-child-process.ts'
import {
  localContextTokens,
  localModelName,
  type ChosenModelFile,
  type LocalModel,
  type ModelProcess,
} from './local-model.ts'
import { describeModelFile, modelNameOf } from './model-file.ts'
import { ModelHost, ModelProcessEnded, type Piece } from './model-host.ts'
import { readRequest, tooLong } from './read-request.ts'
import { createRequestQueue } from './request-queue.ts'
import type { DownloadProgress } from './library/download.ts'
import { builtInModel } from './library/offered-models.ts'
import type { Fetch } from './library/request-file.ts'
import { downloadWeights, findWeights, isModelFile } from './weights.ts'

export interface LocalModelOptions {
  /** Its folder `models` holds the built-in model's weights. */
  cacheDir: string
  /** A file (GGUF) that the user chose; null is the built-in model. */
  file: string | null
  /** Creates the process; the default is a child of this process. */
  fork?: ((entry: string) => ModelProcess) | undefined
  fetch: Fetch
  /** The environment, for `HF_ENDPOINT`. */
  env: Readonly<Record<string, string | undefined>>
}

/** How long an unused process is kept. */
const idleLimitMs = 10 * 60_000
/** After this many crashes within the time below, the process is not started for the same time. */
const crashLimit = 3
const crashWindowMs = 60_000
/** A download's progress is reported to the window at these intervals. */
const progressStepBytes = 1_000_000

const crashLoopMessage =
  'The process of the built-in model keeps ending. Retry, or choose another model file.'
const waysOut = 'Choose a model file, add a provider key, or retry the download.'

/** Opens the model without starting its process. Never throws: its state shows any failure. */
export async function openLocalModel(options: LocalModelOptions): Promise<LocalModel> {
  const model = new BuiltInModel(options)
  await model.useFile(options.file)
  return model
}

class BuiltInModel implements LocalModel {
  readonly #options: LocalModelOptions
  readonly #queue = createRequestQueue()
  readonly #listeners = new Set<(state: LocalModelState) => void>()
  #state: LocalModelState = { status: 'missing', downloadBytes: builtInModel.sizeBytes }
  #file: string | null = null
  #chosen: ChosenModelFile | null = null
  /** The running process, loaded or not, and the promise that resolves when it is loaded. */
  #host: ModelHost | null = null
  #loaded: Promise<ModelHost> | null = null
  /** Incremented by every deliberate stop, so that a start in progress notices it. */
  #stops = 0
  readonly #closing = new AbortController()
  #downloading: Promise<LocalModelState> | null = null
  #idleTimer: NodeJS.Timeout | undefined
  #crashTimes: number[] = []

  constructor(options: LocalModelOptions) {
    this.#options = options
  }

  state(): LocalModelState {
    return this.#state
  }

  onState(listener: (state: LocalModelState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  chosenFile(): ChosenModelFile | null {
    return this.#chosen
  }

  async *stream(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    this.#refuseOtherModel(request.model)
    const generation = readRequest(request.body, this.#chosen === null)
    const leaveQueue = await this.#queue.enter(signal)
    clearTimeout(this.#idleTimer)
    const onIdle = () => {
      this.#startIdleTimer()
      leaveQueue()
    }
    let isAsked = false
    try {
      const host = await unlessAborted(this.#ready(), signal)
      isAsked = true
      for await (const piece of host.generate(generation, { signal, onIdle })) yield toChunk(piece)
    } catch (error) {
      throw signal.aborted ? signal.reason : toProviderError(error)
    } finally {
      if (!isAsked) onIdle()
    }
  }

  complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk> {
    return joinChunks(this.stream(request, signal))
  }

  async listModels(): Promise<string[]> {
    await this.#findFile()
    return [this.#modelName()]
  }

  async useFile(file: string | null): Promise<LocalModelState> {
    this.#file = file
    this.#chosen = file === null ? null : { name: modelNameOf(file), sizeBytes: null }
    this.#crashTimes = []
    this.#stop()
    const chosen = file === null ? null : await describeModelFile(file)
    // Unless another file was chosen in the meantime.
    if (this.#file === file) this.#chosen = chosen
    return this.#rest()
  }

  async retry(): Promise<LocalModelState> {
    if (this.#downloading) return this.#state
    this.#crashTimes = []
    // The state, which the caller gets, shows the failure.
    await this.#ready().catch(() => undefined)
    this.#startIdleTimer()
    return this.#state
  }

  download(): Promise<LocalModelState> {
    this.#downloading ??= this.#download().finally(() => {
      this.#downloading = null
    })
    return this.#downloading
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#stop()
    await this.#downloading
  }

  #modelName(): string {
    return this.#chosen?.name ?? localModelName
  }

  /** A request routed before the file changed must not be answered under the wrong name. */
  #refuseOtherModel(requested: string): void {
    const current = this.#modelName()
    if (requested === current) return
    throw new ProviderError(
      'unavailable',
      `The model "${requested}" is not in use: the local model is "${current}".`,
    )
  }

  /** The process with the model loaded. @throws ProviderError */
  async #ready(): Promise<ModelHost> {
    const loaded = (this.#loaded ??= this.#start())
    try {
      return await loaded
    } catch (error) {
      if (this.#loaded === loaded) this.#loaded = null
      throw error
    }
  }

  async #start(): Promise<ModelHost> {
    const stops = this.#stops
    const file = await this.#findFile()
    this.#refuseCrashLoop()
    if (this.#closing.signal.aborted || stops !== this.#stops) {
      throw new ProviderError('unavailable', 'The built-in model was stopped.')
    }
    this.#setState({ status: 'loading', file })
    const host = new ModelHost((this.#options.fork ?? forkChildProcess)(modelProcessEntry()), () =>
      this.#onEnd(host, file),
    )
    this.#host = host
    try {
      const { threads } = await host.load(file, localContextTokens)
      this.#setState({ status: 'ready', file, threads })
      return host
    } catch (error) {
      if (this.#host === host) {
        this.#stop()
        this.#setState({ status: 'failed', file, message: messageOf(error) })
      }
      throw toProviderError(error)
    }
  }

  /** The file to load. @throws ProviderError when there is none; the state then shows the same failure */
  async #findFile(): Promise<string> {
    const file = this.#file
    if (file === null) {
      const found = await findWeights(this.#options.cacheDir)
      if (found !== null) return found
      this.#setState({ status: 'missing', downloadBytes: builtInModel.sizeBytes })
      throw new ProviderError('unavailable', `The built-in model's file is missing. ${waysOut}`)
    }
    const problem = await findProblem(file)
    if (problem === null) return file
    this.#setState({ status: 'failed', file, message: problem })
    throw new ProviderError('unavailable', `${problem} ${waysOut}`)
  }

  /** A process that keeps crashing, such as for lack of memory, is not started on every request. */
  #refuseCrashLoop(): void {
    const since = performance.now() - crashWindowMs
    this.#crashTimes = this.#crashTimes.filter((time) => time > since)
    const [first] = this.#crashTimes
    if (first === undefined || this.#crashTimes.length < crashLimit) return
    throw new ProviderError('unavailable', crashLoopMessage, {
      retryAfterMs: Math.ceil(first - since),
    })
  }

  /** Handles a crash; after a deliberate stop, `#host` is already another one. */
  #onEnd(host: ModelHost, file: string): void {
    if (this.#host !== host) return
    this.#host = null
    this.#loaded = null
    this.#crashTimes.push(performance.now())
    const isLoop = this.#crashTimes.length >= crashLimit
    this.#setState(
      isLoop ? { status: 'failed', file, message: crashLoopMessage } : { status: 'stopped', file },
    )
  }

  #startIdleTimer(): void {
    clearTimeout(this.#idleTimer)
    if (!this.#host) return
    this.#idleTimer = setTimeout(() => {
      this.#stop()
      void this.#rest()
    }, idleLimitMs)
    this.#idleTimer.unref()
  }

  #stop(): void {
    clearTimeout(this.#idleTimer)
    this.#stops++
    const host = this.#host
    this.#host = null
    this.#loaded = null
    host?.kill()
  }

  /** The state of a model whose process is not running. */
  async #rest(): Promise<LocalModelState> {
    try {
      this.#setState({ status: 'stopped', file: await this.#findFile() })
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
    }
    return this.#state
  }

  async #download(): Promise<LocalModelState> {
    const { cacheDir, env, fetch } = this.#options
    let told = -Infinity
    const onProgress = ({ receivedBytes, totalBytes }: DownloadProgress) => {
      if (receivedBytes - told < progressStepBytes) return
      told = receivedBytes
      this.#setState({ status: 'downloading', receivedBytes, totalBytes })
    }
    onProgress({ receivedBytes: 0, totalBytes: builtInModel.sizeBytes, isVerifying: false })
    try {
      await downloadWeights({ cacheDir, env, fetch, onProgress, signal: this.#closing.signal })
    } catch (error) {
      this.#setState({ status: 'failed', file: null, message: messageOf(error) })
      return this.#state
    }
    return this.#rest()
  }

  #setState(state: LocalModelState): void {
    this.#state = state
    for (const listener of this.#listeners) listener(state)
  }
}

/** A checkout runs the source directly; in a bundle, the process's file is next to this one. */
function modelProcessEntry(): string {
  const entry = import.meta.url.endsWith('.ts') ? './model-process.ts' : './model-process.js'
  return fileURLToPath(new URL(entry, import.meta.url))
}

/** A message about a problem with the user's file; null if it has none. */
async function findProblem(file: string): Promise<string | null> {
  try {
    return (await isModelFile(file)) ? null : 'The chosen file is not a model file (GGUF).'
  } catch {
    return 'The chosen model file cannot be read.'
  }
}

/** @throws the signal's reason as soon as it is aborted; the work itself continues */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    // The signal's reason is the caller's own value, an Error by every convention.
    const abort = () => reject(signal.reason as Error)
    const settle = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.finally(settle).then(resolve, reject)
  })
}

/** @throws ProviderError for a prompt that is too long */
function toChunk(piece: Piece): ProviderChunk {
  if (piece.kind === 'too-long') throw tooLong(piece.promptTokens)
  if (piece.kind === 'delta') {
    return {
      choices: [{ index: 0, delta: { content: piece.text }, finish_reason: null }],
      usage: null,
    }
  }
  const { finishReason, promptTokens, completionTokens } = piece
  return {
    choices: [{ index: 0, delta: {}, finish_reason: finishReason }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}

function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const message =
    error instanceof ModelProcessEnded
      ? 'The process of the built-in model ended. The next message starts it again.'
      : 'The built-in model failed.'
  return new ProviderError('unavailable', message, { cause: error })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
