/**
 * The messages between the service and the model's process. Both ends are always from one build, so only a
 * message's `kind` is checked.
 */

/** One message of the conversation, in the form of chat templates. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** One answer to generate. */
export interface Generation {
  messages: readonly PromptMessage[]
  /** The answer also ends when the context is full. */
  maxTokens: number
  temperature: number
  topP: number | null
  seed: number | null
  stop: readonly string[]
  presencePenalty: number
  frequencyPenalty: number
  /** The answer must be JSON that matches the schema, or any object if it is null. */
  json: { schema: Readonly<Record<string, unknown>> | null } | null
}

export type ToModel =
  | { kind: 'load'; file: string; contextTokens: number }
  | { kind: 'start'; id: number; generation: Generation }
  | { kind: 'abort'; id: number }
  | { kind: 'ping' }

export type FromModel =
  | { kind: 'loaded'; threads: number; contextTokens: number }
  | { kind: 'load-failed'; message: string }
  | { kind: 'delta'; id: number; text: string }
  | {
      kind: 'done'
      id: number
      finishReason: 'stop' | 'length'
      promptTokens: number
      completionTokens: number
    }
  | { kind: 'aborted'; id: number }
  | { kind: 'too-long'; id: number; promptTokens: number }
  | { kind: 'error'; id: number; message: string }
  | { kind: 'pong' }

/** A message of the service; null for anything else on the same channel. */
export function readToModel(message: unknown): ToModel | null {
  // Checked boundary: one build, see above.
  return hasKind(message) ? (message as ToModel) : null
}

/** A message of the model's process; null for anything else on the same channel. */
export function readFromModel(message: unknown): FromModel | null {
  // Checked boundary: one build, see above.
  return hasKind(message) ? (message as FromModel) : null
}

function hasKind(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message
}
