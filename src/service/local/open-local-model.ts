/**
 * Local models as a provider: finds the file of the model that a request names, admits one request at a time, and runs
 * it in the process of the runner. The built-in model has a state of its own that the window shows.
 */
import type { LocalModelState } from '../../shared/app/app-state.ts'
import type { LocalModelInfo, ModelFileFacts } from '../../shared/models/local-models.ts'
import {
  joinChunks,
  ProviderError,
  type ProviderChunk,
  type ProviderRequest,
} from '../providers/provider.ts'
import { forkChildProcess } from './fork-child-process.ts'
import { findHub } from './library/hub.ts'
import { ModelLibrary } from './library/model-library.ts'
import { builtInModel } from './library/offered-models.ts'
import type { Fetch } from './library/request-file.ts'
import {
  builtInContextTokens,
  localModelName,
  type ChosenModelFile,
  type LocalModel,
  type LocalModelSettings,
  type ModelProcess,
  type RunnableModel,
} from './local-model.ts'
import { availableMemory, memoryNeeded } from './memory.ts'
import { describeModelFile, isModelFile, modelNameOf } from './model-file.ts'
import type { Piece } from './model-host.ts'
import { ModelRunner, toProviderError, type RunChange } from './model-runner.ts'
import type { Gpu } from './protocol.ts'
import { readRequest, tooLong } from './read-request.ts'
import { createRequestQueue } from './request-queue.ts'

export interface LocalModelOptions {
  /** Cache folder; its folder `models` holds the downloaded models. */
  cacheDir: string
  /** A file (GGUF) that the user chose in place of the built-in model; null is the built-in model. */
  file: string | null
  settings: LocalModelSettings
  /** Creates the process; the default is a child of this process. */
  fork?: ((entry: string) => ModelProcess) | undefined
  fetch: Fetch
  /** The environment, for `HF_ENDPOINT`. */
  env: Readonly<Record<string, string | undefined>>
  /** Bytes that a new process can use; the default asks the system. */
  availableMemory?: (() => number) | undefined
}

/** A busy computer takes long to start a process, and a GPU's driver compiles its programs at its first start. */
const describeLimitMs = 60_000

const waysOut = 'Choose a model file, add a provider key, or retry the download.'

/** Opens the models without starting a process. Never throws: the state shows any failure. */
export async function openLocalModel(options: LocalModelOptions): Promise<LocalModel> {
  const model = new LocalModels(options)
  await model.useFile(options.file)
  return model
}

class LocalModels implements LocalModel {
  readonly #library: ModelLibrary
  readonly #runner: ModelRunner
  readonly #queue = createRequestQueue()
  readonly #stateListeners = new Set<(state: LocalModelState) => void>()
  readonly #modelListeners = new Set<() => void>()
  #settings: LocalModelSettings
  #state: LocalModelState = { status: 'missing', downloadBytes: builtInModel.sizeBytes }
  #file: string | null = null
  #chosen: ChosenModelFile | null = null

  constructor(options: LocalModelOptions) {
    const { cacheDir, env, fetch, settings } = options
    this.#settings = settings
    this.#library = new ModelLibrary({
      cacheDir,
      fetch,
      hub: findHub(env),
      onChange: (name) => this.#downloadChanged(name),
    })
    this.#library.configure(settings)
    this.#runner = new ModelRunner({
      fork: options.fork ?? forkChildProcess,
      availableMemory: options.availableMemory ?? availableMemory,
      usesGpu: () => this.#settings.usesGpu,
      onChange: (model, change) => this.#runChanged(model, change),
    })
  }

  state(): LocalModelState {
    return this.#state
  }

  onState(listener: (state: LocalModelState) => void): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  onModels(listener: () => void): () => void {
    this.#modelListeners.add(listener)
    return () => this.#modelListeners.delete(listener)
  }

  chosenFile(): ChosenModelFile | null {
    return this.#chosen
  }

  isCold(name: string): boolean {
    return this.#runner.loadedName() !== name
  }

  async *stream(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    // Entered before the file is found, because that does not always take the same time.
    const turn = this.#queue.enter(signal)
    const [{ model, generation }, leaveQueue] = await Promise.all([
      this.#read(request),
      turn,
    ]).catch((error: unknown) => {
      void turn.then(
        (leave) => leave(),
        () => null,
      )
      throw error
    })
    this.#runner.keepAwake()
    const onIdle = () => {
      this.#runner.startIdleTimer()
      leaveQueue()
    }
    let isAsked = false
    try {
      const { host, loaded } = await unlessAborted(this.#runner.ready(model), signal)
      const limits = { ...model, contextTokens: loaded.contextTokens }
      isAsked = true
      request.onSent?.()
      for await (const piece of host.generate(generation, { signal, onIdle })) {
        yield toChunk(piece, limits)
      }
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
    const installed = (await this.#library.list()).filter(({ state }) => state.kind === 'installed')
    const names = new Set(installed.map(({ name }) => name))
    // Without the default model, the others are enough.
    if (names.size === 0 || this.#file !== null) await this.#findDefaultFile()
    if (this.#file !== null) names.add(this.#defaultName())
    return [...names]
  }

  configure(settings: LocalModelSettings): void {
    const before = this.#settings
    this.#settings = settings
    this.#library.configure(settings)
    // The context and the graphics processor are fixed when a model is loaded.
    if (before.usesGpu !== settings.usesGpu) void this.#runner.stop()
    this.#tellModels()
  }

  async models(): Promise<LocalModelInfo[]> {
    const loaded = this.#runner.loadedName()
    return (await this.#library.list()).map((model) => ({
      ...model,
      isLoaded: model.name === loaded,
    }))
  }

  downloadModel(name: string): Promise<void> {
    return this.#library.download(name)
  }

  pauseModel(name: string): Promise<void> {
    return this.#library.pause(name)
  }

  async deleteModel(name: string): Promise<void> {
    // Windows cannot delete a file that a process has open.
    if (this.#runner.loadedName() === name) await this.#runner.stop()
    await this.#library.delete(name)
  }

  async describeFile(file: string): Promise<ModelFileFacts> {
    return await this.#runner.inOwnProcess((host) => host.describe(file), describeLimitMs)
  }

  async findGpu(): Promise<string | null> {
    const gpu = await this.#runner.inOwnProcess((host) => host.findGpu(), describeLimitMs)
    return gpu && gpuWords(gpu)
  }

  async useFile(file: string | null): Promise<LocalModelState> {
    this.#file = file
    const name = file === null ? null : modelNameOf(file)
    this.#chosen =
      name === null ? null : { name, sizeBytes: null, facts: null, contextTokens: null }
    this.#runner.forgetCrashes()
    void this.#runner.stop()
    const chosen = file === null ? null : await describeModelFile(file)
    // Unless another file was chosen in the meantime.
    if (this.#file === file) this.#chosen = chosen
    this.#tellModels()
    return this.#rest()
  }

  async retry(): Promise<LocalModelState> {
    if (this.#library.running(localModelName)) return this.#state
    this.#runner.forgetCrashes()
    const loaded = this.#runner.loadedName()
    // Another model may be answering a request.
    if (loaded !== null && loaded !== this.#defaultName()) return await this.#rest()
    // The state, which the caller gets, shows the failure.
    await this.#loadDefault().catch(() => undefined)
    return this.#state
  }

  async download(): Promise<LocalModelState> {
    await this.#library.download(localModelName)
    const message = this.#library.problem(localModelName)
    if (message === null) return await this.#rest()
    this.#setState({ status: 'failed', file: null, message })
    return this.#state
  }

  async close(): Promise<void> {
    this.#runner.close()
    await this.#library.close()
  }

  #defaultName(): string {
    return this.#chosen?.name ?? localModelName
  }

  /** @throws ProviderError when the model is not installed or cannot answer the request */
  async #read({ model: name, body }: ProviderRequest) {
    const model = await this.#find(name)
    return { model, generation: readRequest(body, model) }
  }

  /** @throws ProviderError when the model is not installed */
  async #find(name: string): Promise<RunnableModel> {
    if (name === this.#defaultName()) return await this.#findDefault()
    const model = await this.#library.find(name)
    if (model) return model
    throw withoutFile(
      `The local model "${name}" is not installed: add it in Models → Providers, or see “modelport local list”.`,
    )
  }

  /** The built-in model, or the file in its place. @throws ProviderError when its file is missing */
  async #findDefault(): Promise<RunnableModel> {
    const name = this.#defaultName()
    const file = await this.#findDefaultFile()
    const isBuiltIn = this.#chosen === null
    const { sizeBytes } = this.#chosen ?? builtInModel
    const shape = this.#chosen ? this.#chosen.facts : builtInModel.shape
    const { contextTokens: longest } = this.#settings
    const trainedTokens = isBuiltIn ? builtInContextTokens : shape?.trainedTokens
    const contextTokens = Math.min(longest, trainedTokens ?? longest)
    const memoryBytes = memoryNeeded({
      sizeBytes: sizeBytes ?? 0,
      contextTokens,
      cacheBytesPerToken: shape?.cacheBytesPerToken ?? null,
      vocabulary: shape?.vocabulary ?? null,
    })
    return { name, file, contextTokens, memoryBytes, isBuiltIn }
  }

  /** @throws ProviderError when there is none; the state then shows the same failure */
  async #findDefaultFile(): Promise<string> {
    const file = this.#file
    if (file === null) {
      const found = await this.#library.find(localModelName)
      if (found !== null) return found.file
      this.#setState({ status: 'missing', downloadBytes: builtInModel.sizeBytes })
      throw withoutFile(`The built-in model's file is missing. ${waysOut}`)
    }
    const problem = await findProblem(file)
    if (problem === null) return file
    this.#setState({ status: 'failed', file, message: problem })
    throw withoutFile(`${problem} ${waysOut}`)
  }

  async #loadDefault(): Promise<void> {
    await this.#runner.ready(await this.#findDefault())
    this.#runner.startIdleTimer()
  }

  /** The state of a model whose process is not running. */
  async #rest(): Promise<LocalModelState> {
    try {
      this.#setState({ status: 'stopped', file: await this.#findDefaultFile() })
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
    }
    return this.#state
  }

  #downloadChanged(name: string): void {
    const running = this.#library.running(name)
    if (name === localModelName && this.#file === null && running?.kind === 'downloading') {
      const { receivedBytes } = running
      const totalBytes = builtInModel.sizeBytes
      this.#setState({ status: 'downloading', receivedBytes, totalBytes })
    }
    this.#tellModels()
  }

  #runChanged({ name, file }: RunnableModel, change: RunChange): void {
    if (name === this.#defaultName()) this.#setState(stateAfter(change, file))
    if (change.kind === 'loaded' && this.#chosen?.name === name) {
      const { facts, contextTokens } = change.loaded
      this.#chosen = { ...this.#chosen, facts, contextTokens }
    }
    this.#tellModels()
  }

  #setState(state: LocalModelState): void {
    this.#state = state
    for (const listener of this.#stateListeners) listener(state)
  }

  #tellModels(): void {
    for (const listener of this.#modelListeners) listener()
  }
}

function stateAfter(change: RunChange, file: string): LocalModelState {
  switch (change.kind) {
    case 'loading':
      return { status: 'loading', file }
    case 'loaded': {
      const { threads, gpu } = change.loaded
      return { status: 'ready', file, threads, gpu: gpu && gpuWords(gpu) }
    }
    case 'failed':
      return { status: 'failed', file, message: change.message }
    case 'stopped':
      return { status: 'stopped', file }
  }
}

/** `Apple M2 (metal)` */
function gpuWords({ kind, devices }: Gpu): string {
  return devices.length === 0 ? kind : `${devices.join(', ')} (${kind})`
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
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
  })
}

/** @throws ProviderError for a prompt that is too long */
function toChunk(piece: Piece, model: RunnableModel): ProviderChunk {
  if (piece.kind === 'too-long') throw tooLong(model, piece.promptTokens)
  if (piece.kind === 'delta') {
    const delta = piece.isThought ? { reasoning_content: piece.text } : { content: piece.text }
    return { choices: [{ index: 0, delta, finish_reason: null }], usage: null }
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

const withoutFile = (message: string) =>
  new ProviderError('unavailable', message, { isLasting: true })
