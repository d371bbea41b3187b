/** Embeddings at an upstream: the request and its vectors. */
import type { WireFields } from '../../shared/chat/chat.ts'
import type { Adjustment } from '../../shared/models/model-abilities.ts'
import type { PassedHeaders } from './passed-headers.ts'

/** A text, or its tokens. */
export type EmbeddingInput = string | readonly number[]

/** Numbers, or base64 of 32-bit floats in little-endian order. */
export type Vector = readonly number[] | string

export interface EmbeddingsRequest {
  /** The provider's own name of the model, without the `<provider>:` prefix. */
  model: string
  inputs: readonly EmbeddingInput[]
  /** The length of the vectors; null: the model's own. */
  dimensions: number | null
  /** What the caller wants. A wire gives numbers where its vendor has no base64. */
  encoding: 'float' | 'base64'
  /** The caller's other fields, such as `user` and fields of one vendor. */
  fields: WireFields
  /** How long a new connection may take; the default if absent. */
  connectMs?: number | undefined
  /** How many Modelports the request has passed through before this one; absent: none. */
  hops?: number | undefined
  /** Called when the request was sent, as in `ProviderRequest`. */
  onSent?: (() => void) | undefined
}

export interface ProviderEmbeddings {
  /** One for each input, in their order. */
  vectors: readonly Vector[]
  /** Null when the provider did not report it. */
  promptTokens: number | null
  /** The caller's fields that were left out or sent differently; absent: none. */
  adjusted?: readonly Adjustment[]
  /** Headers to pass on, as in `ProviderChunk`; absent when the request was split. */
  headers?: PassedHeaders
}
