/** The models that can run on this computer: which are installed, and the downloads of the others. */
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type {
  LocalFileState,
  LocalModelInfo,
  OwnModel,
} from '../../../shared/models/local-models.ts'
import {
  builtInContextTokens,
  type LocalModelSettings,
  type RunnableModel,
} from '../local-model.ts'
import { isTooLarge, memoryNeeded } from '../memory.ts'
import { sizeOfFile } from '../model-file.ts'
import { discardPart, downloadFile, receivedBytesOf, type DownloadProgress } from './download.ts'
import { DownloadFailed, DownloadPaused } from './download-errors.ts'
import { isHeld, requestPause } from './download-lock.ts'
import type { Hub } from './hub.ts'
import {
  builtInModel,
  fileOfModel,
  offeredModels,
  remoteFileOf,
  type OfferedModel,
} from './offered-models.ts'
import type { Fetch } from './request-file.ts'

export interface ModelLibraryOptions {
  /** Cache folder; its folder `models` holds the downloaded files. */
  cacheDir: string
  fetch: Fetch
  hub: Hub
  /** Called when a download begins, moves on or ends. */
  onChange(name: string): void
}

interface RunningDownload {
  pause: AbortController
  ended: Promise<void>
  state: Extract<LocalFileState, { kind: 'downloading' | 'verifying' }>
}

/** Reports of progress are this far apart: a megabyte, and for large files half a percent. */
const progressStepBytes = 1_000_000
const progressSteps = 200

export class ModelLibrary {
  readonly #options: ModelLibraryOptions
  readonly #running = new Map<string, RunningDownload>()
  /** Why the last download of a model in this process failed. */
  readonly #problems = new Map<string, string>()
  #own: readonly OwnModel[] = []
  #contextTokens = Infinity

  constructor(options: ModelLibraryOptions) {
    this.#options = options
  }

  configure({ ownModels, contextTokens }: LocalModelSettings): void {
    this.#own = ownModels
    this.#contextTokens = contextTokens
  }

  async list(): Promise<Omit<LocalModelInfo, 'isLoaded'>[]> {
    // One look at the folder, because most models have no file.
    const names = await namesIn(dirname(fileOfModel(builtInModel, this.#options.cacheDir)))
    const offered = offeredModels.map((model) => this.#offeredInfo(model, names))
    return await Promise.all([...offered, ...this.#own.map((model) => this.#ownInfo(model))])
  }

  /** @returns null for a model that is not installed */
  async find(name: string): Promise<RunnableModel | null> {
    const offered = offeredModels.find((model) => model.name === name)
    const own = this.#own.find((model) => model.name === name)
    const found = offered ? await this.#offeredInfo(offered) : own && (await this.#ownInfo(own))
    if (found?.state.kind !== 'installed') return null
    const { file, contextTokens, memoryBytes, origin } = found
    return { name, file, contextTokens, memoryBytes, isBuiltIn: origin === 'built-in' }
  }

  /** The state of a download of this process; null without one. */
  running(name: string): RunningDownload['state'] | null {
    return this.#running.get(name)?.state ?? null
  }

  /** Why the last download failed; null if it did not. */
  problem(name: string): string | null {
    return this.#problems.get(name) ?? null
  }

  /** Resolves when the download has ended, however it ended. */
  download(name: string): Promise<void> {
    const running = this.#running.get(name)
    if (running) return running.ended
    const model = offeredModels.find((offered) => offered.name === name)
    if (!model) return Promise.resolve()
    const pause = new AbortController()
    const download: RunningDownload = {
      pause,
      state: { kind: 'downloading', receivedBytes: 0 },
      ended: Promise.resolve(),
    }
    this.#running.set(name, download)
    this.#problems.delete(name)
    download.ended = this.#download(model, download)
    return download.ended
  }

  async pause(name: string): Promise<void> {
    const running = this.#running.get(name)
    running?.pause.abort(new DownloadPaused())
    await running?.ended
    const file = this.#downloadedFile(name)
    if (file !== null && (await isHeld(file))) await requestPause(file)
  }

  /** Deletes the file, complete or not. */
  async delete(name: string): Promise<void> {
    await this.pause(name)
    const file = this.#downloadedFile(name)
    if (file === null) return
    await discardPart(file)
    await rm(file, { force: true })
    this.#problems.delete(name)
    this.#options.onChange(name)
  }

  /** Pauses all downloads. */
  async close(): Promise<void> {
    const downloads = [...this.#running.values()]
    for (const { pause } of downloads) pause.abort(new DownloadPaused())
    await Promise.all(downloads.map(({ ended }) => ended))
  }

  async #download(model: OfferedModel, download: RunningDownload): Promise<void> {
    const { cacheDir, fetch, hub, onChange } = this.#options
    const { name, sizeBytes } = model
    const file = fileOfModel(model, cacheDir)
    const stepBytes = Math.max(progressStepBytes, sizeBytes / progressSteps)
    let toldBytes = -Infinity
    const onProgress = ({ receivedBytes, isVerifying }: DownloadProgress) => {
      if (!isVerifying && receivedBytes - toldBytes < stepBytes) return
      toldBytes = receivedBytes
      download.state = isVerifying ? { kind: 'verifying' } : { kind: 'downloading', receivedBytes }
      onChange(name)
    }
    try {
      const totalBytes = sizeBytes
      const receivedBytes = await receivedBytesOf(file)
      onProgress({ receivedBytes, totalBytes, isVerifying: false })
      const remote = remoteFileOf(model, hub.address)
      const { signal } = download.pause
      await downloadFile({ remote, file, fetch, isAllowed: hub.isAllowed, onProgress, signal })
    } catch (error) {
      if (!(error instanceof DownloadPaused)) this.#problems.set(name, wordsFor(error))
    }
    this.#running.delete(name)
    onChange(name)
  }

  #downloadedFile(name: string): string | null {
    const model = offeredModels.find((offered) => offered.name === name)
    return model ? fileOfModel(model, this.#options.cacheDir) : null
  }

  async #offeredInfo(
    model: OfferedModel,
    names?: readonly string[],
  ): Promise<Omit<LocalModelInfo, 'isLoaded'>> {
    const { name, title, licence, sizeBytes, shape } = model
    const isBuiltIn = model === builtInModel
    const longest = isBuiltIn ? builtInContextTokens : shape.trainedTokens
    const contextTokens = Math.min(longest, this.#contextTokens)
    const memoryBytes = memoryNeeded({ sizeBytes, contextTokens, ...shape })
    return {
      name,
      title,
      origin: isBuiltIn ? 'built-in' : 'offered',
      licence,
      sizeBytes,
      activeShare: 1,
      contextTokens,
      memoryBytes,
      isTooLarge: isTooLarge(memoryBytes),
      file: fileOfModel(model, this.#options.cacheDir),
      state: await this.#stateOf(model, names),
    }
  }

  /** @param names  of the files in the models' folder, if they are known */
  async #stateOf(model: OfferedModel, names?: readonly string[]): Promise<LocalFileState> {
    const running = this.running(model.name)
    if (running) return running
    const file = fileOfModel(model, this.#options.cacheDir)
    const message = this.#problems.get(model.name)
    const hasFile = names?.some((name) => name.startsWith(basename(file))) ?? true
    if (!hasFile && message === undefined) return { kind: 'available' }
    if ((await sizeOfFile(file)) === model.sizeBytes) return { kind: 'installed' }
    const receivedBytes = await receivedBytesOf(file)
    if (await isHeld(file)) return { kind: 'downloading', receivedBytes }
    if (message !== undefined) return { kind: 'failed', receivedBytes, message }
    return receivedBytes > 0 ? { kind: 'paused', receivedBytes } : { kind: 'available' }
  }

  async #ownInfo(model: OwnModel): Promise<Omit<LocalModelInfo, 'isLoaded'>> {
    const { name, file, sizeBytes, facts } = model
    const contextTokens = Math.min(facts.trainedTokens ?? Infinity, this.#contextTokens)
    const memoryBytes = memoryNeeded({ sizeBytes, contextTokens, ...facts })
    return {
      name,
      title: facts.title ?? name,
      origin: 'own',
      licence: null,
      sizeBytes,
      activeShare: facts.activeShare,
      contextTokens,
      memoryBytes,
      isTooLarge: isTooLarge(memoryBytes),
      file,
      state: await ownState(model),
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch {
    return []
  }
}

async function ownState({ file, sizeBytes }: OwnModel): Promise<LocalFileState> {
  const found = await sizeOfFile(file)
  if (found === sizeBytes) return { kind: 'installed' }
  const message =
    found === null
      ? 'The file was moved or deleted.'
      : 'The file has changed. Remove the model and add it again.'
  return { kind: 'unusable', message }
}

function wordsFor(error: unknown): string {
  if (error instanceof DownloadFailed) return error.message
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `The model cannot be stored on this computer${code}.`
}
