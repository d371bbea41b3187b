/** The built-in model that runs on this computer, in a process of its own. */
import type { LocalModelState } from '../../shared/ipc.ts'
import type { Provider } from '../providers/provider.ts'

/** The model's name behind the `local:` prefix. */
export const localModelName = 'smollm2-135m-instruct'

/**
 * Tokens of a prompt and its answer together. SmolLM2 was trained for 8,192; half of that costs
 * 100 MB less memory, and beyond it a model this small has lost the thread.
 */
export const localContextTokens = 4096

/**
 * The process the model runs in, as `child_process` and Electron's `utilityProcess` both offer it;
 * whoever starts the service says how it is made.
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

/** A provider like any other, and what the interface shows of it. */
export interface LocalModel extends Provider {
  state(): LocalModelState
  onState(listener: (state: LocalModelState) => void): () => void
  /** The file that answers in place of the built-in model; null where that answers itself. */
  chosenFile(): ChosenModelFile | null
  /** Looks for the weights again and restarts a failed process. */
  retry(): Promise<LocalModelState>
  /** Uses a file of the user's choice from now on; null returns to the built-in one. */
  useFile(file: string | null): Promise<LocalModelState>
  /** Fetches the weights; only ever called after the user agreed. */
  download(): Promise<LocalModelState>
}
