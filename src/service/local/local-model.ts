/** Models that run on this computer, in a process of their own. */
import type { LocalModelState } from '../../shared/app/app-state.ts'
import type { LocalModelInfo, ModelFileFacts, OwnModel } from '../../shared/models/local-models.ts'
import type { Provider } from '../providers/provider.ts'
import { builtInModel } from './library/offered-models.ts'

/** The built-in model's name behind the `local:` prefix. */
export const localModelName = builtInModel.name

/**
 * Tokens of a prompt and its answer together. SmolLM2 was trained for 8,192. Half of that uses 100 MB less
 * memory, and a model this small loses track in longer contexts.
 */
export const builtInContextTokens = 4096

/**
 * The model's process, in the form that `child_process` and Electron's `utilityProcess` share. The code that
 * starts the service decides how to create it.
 */
export interface ModelProcess {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: () => void): void
  kill(): void
  readonly pid: number | undefined
}

/** A model that is ready to be loaded. */
export interface RunnableModel {
  /** Behind the `local:` prefix. */
  name: string
  file: string
  contextTokens: number
  memoryBytes: number
  /** Whether SmolLM2 135M answers. */
  isBuiltIn: boolean
}

/** A model file that the user chose in place of the built-in model. */
export interface ChosenModelFile {
  /** The model's name behind the `local:` prefix. */
  name: string
  /** Null while the file cannot be read. */
  sizeBytes: number | null
  /** Null until the file was loaded once. */
  facts: ModelFileFacts | null
  contextTokens: number | null
}

/** The part of the settings that concerns local models. */
export interface LocalModelSettings {
  /** Model files that the user added. */
  ownModels: readonly OwnModel[]
  /** The longest context of any model but the built-in one. */
  contextTokens: number
  usesGpu: boolean
}

/**
 * One provider with several models, of which one is in memory at a time. Its state is that of the built-in model, or
 * of the file in its place.
 */
export interface LocalModel extends Provider {
  state(): LocalModelState
  onState(listener: (state: LocalModelState) => void): () => void
  /** The file that answers in place of the built-in model; null while the built-in model answers. */
  chosenFile(): ChosenModelFile | null
  /** Looks for the weights again and restarts a failed process. */
  retry(): Promise<LocalModelState>
  /** Uses a file of the user's choice from now on; null returns to the built-in one. */
  useFile(file: string | null): Promise<LocalModelState>
  /** Downloads the built-in model's weights; called only after the user agreed. */
  download(): Promise<LocalModelState>

  /** All models, installed or not, the smallest first. */
  models(): Promise<LocalModelInfo[]>
  /** Called when the list of models, a download or the loaded model changes. */
  onModels(listener: () => void): () => void
  /** Whether a request for the model waits until it is loaded. */
  isCold(name: string): boolean
  configure(settings: LocalModelSettings): void
  /** Resolves when the download has ended, however it ended: the list shows it. */
  downloadModel(name: string): Promise<void>
  /** Pauses a download, also one of another process. */
  pauseModel(name: string): Promise<void>
  /** Deletes a downloaded model, or the received part of one. */
  deleteModel(name: string): Promise<void>
  /** @throws ProviderError when the file is not a complete model file */
  describeFile(file: string): Promise<ModelFileFacts>
  /** The graphics processor that llama.cpp finds, for people; null without one. @throws ProviderError */
  findGpu(): Promise<string | null>
}
