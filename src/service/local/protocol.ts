/**
 * The messages between the service and the model's process. Both ends are always from one build, so only a
 * message's `kind` is checked.
 */

import type { ModelFileFacts } from '../../shared/models/local-models.ts'

/** One message of the conversation, in the form of chat templates. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** One answer to generate. */
export interface Generation {
  messages: readonly PromptMessage[]
  /** The answer also ends when the context is full; null is no other limit. */
  maxTokens: number | null
  temperature: number
  topP: number | null
  seed: number | null
  stop: readonly string[]
  presencePenalty: number
  frequencyPenalty: number
  /** The answer must be JSON that matches the schema, or any object if it is null. */
  json: { schema: Readonly<Record<string, unknown>> | null } | null
  /** Whether the answer ends, with `length`, when it repeats one text over and over. */
  endsLoops: boolean
  /** Whether a model that can reason before its answer may do so. */
  mayReason: boolean
}

export interface LoadRequest {
  file: string
  /** Largest context in tokens; less if the model was trained for less. */
  contextTokens: number
  /** Whether a graphics processor is used, if there is one. */
  usesGpu: boolean
}

/** A graphics processor that llama.cpp can use. */
export interface Gpu {
  /** `metal`, `cuda` or `vulkan` */
  kind: string
  /** Names of the devices. */
  devices: readonly string[]
}

export interface LoadedFacts {
  threads: number
  contextTokens: number
  /** Null on the processor. */
  gpu: Gpu | null
  facts: ModelFileFacts
}

export type ToModel =
  | ({ kind: 'load' } & LoadRequest)
  /** Reads a file's facts without loading it. */
  | { kind: 'describe'; file: string }
  /** Looks for a graphics processor. */
  | { kind: 'find-gpu' }
  | { kind: 'start'; id: number; generation: Generation }
  | { kind: 'abort'; id: number }
  | { kind: 'ping' }

export type FromModel =
  | ({ kind: 'loaded' } & LoadedFacts)
  | { kind: 'described'; facts: ModelFileFacts }
  | { kind: 'gpu'; gpu: Gpu | null }
  /** Reply to `load`, `describe` and `find-gpu`. */
  | { kind: 'failed'; message: string }
  | { kind: 'delta'; id: number; text: string; isThought: boolean }
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
