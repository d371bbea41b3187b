/** The built-in model, which runs on this computer in its own process. */
import type { LocalModelState } from '../../shared/ipc.ts'
import type { Provider } from '../providers/provider.ts'
import { builtInModel } from './library/offered-models.ts'

/** The model's name behind the `local:` prefix. */
export const localModelName = builtInModel.name

/**
 * Tokens of a prompt and its answer together. SmolLM2 was trained for 8,192. Half of that uses 100 MB less
 * memory, and a model this small loses track in longer contexts.
 */
export const localContextTokens = 4096

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

/** A model file that the user chose in place of the built-in model. */
export interface ChosenModelFile {
  /** The model's name behind the `local:` prefix. */
  name: string
  /** Null while the file cannot be read. */
  sizeBytes: number | null
}

/** A provider like any other, with the state that the interface shows. */
export interface LocalModel extends Provider {
  state(): LocalModelState
  onState(listener: (state: LocalModelState) => void): () => void
  /** The file that answers in place of the built-in model; null while the built-in model answers. */
  chosenFile(): ChosenModelFile | null
  /** Looks for the weights again and restarts a failed process. */
  retry(): Promise<LocalModelState>
  /** Uses a file of the user's choice from now on; null returns to the built-in one. */
  useFile(file: string | null): Promise<LocalModelState>
  /** Downloads the weights; called only after the user agreed. */
  download(): Promise<LocalModelState>
}
