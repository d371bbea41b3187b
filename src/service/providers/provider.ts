/**
 * The one interface of every upstream: a chat is a stream of chunks, or one chunk that holds them all.
 * Adapters only translate: they use no storage and no settings, and do not retry.
 */
import type {
  AnswerContent,
  CalledCustomToolDelta,
  CalledFunctionDelta,
  ChatRequest,
  ChatUsage,
  FinishReason,
  WireFields,
} from '../../shared/chat/chat.ts'
import type { ProviderProblem } from '../../shared/entities.ts'
import type { Adjustment } from '../../shared/models/model-abilities.ts'
import type { PassedHeaders } from './passed-headers.ts'
import type { VendorError } from './vendor-error.ts'
import type { EmbeddingsRequest, ProviderEmbeddings } from './embeddings.ts'

/** A piece of a tool call as the upstream sent it: some upstreams omit the index. */
export interface UpstreamToolCall {
  index?: number
  id?: string
  type?: string
  function?: CalledFunctionDelta
  custom?: CalledCustomToolDelta
  [field: string]: unknown
}

/** A delta whose tool calls are not ordered yet. Fields not declared here are passed on. */
export interface UpstreamDelta {
  content?: AnswerContent | null
  refusal?: string | null
  reasoning?: string | null
  reasoning_content?: string | null
  tool_calls?: UpstreamToolCall[]
  [field: string]: unknown
}

/**
 * The provider's part of an answer; the HTTP layer adds ids, model names and `_meta`. Pieces that arrived
 * together are one chunk, in their order, including several pieces of one choice. A caller gets each piece
 * separately.
 */
export interface ProviderChunk {
  choices: {
    index: number
    delta: UpstreamDelta
    finish_reason: FinishReason | null
    logprobs?: unknown
    [field: string]: unknown
  }[]
  /** Null until the upstream reports it. */
  usage: ChatUsage | null
  /**
   * Token counts that a stream reports before its end. They bill an answer that never ends, and are not passed on;
   * absent from events without them.
   */
  earlyUsage?: ChatUsage
  /** The model that answered, as the upstream names it; absent from chunks that name none. */
  namedModel?: string
  /** The answer's other fields, such as `system_fingerprint`; absent if there are none. */
  extras?: WireFields
  /** Absent from servers that do not report how long they worked. */
  timings?: ServerTimings
  /** How long the request waited for a free slot of the server, on its first chunk; absent: not at all. */
  queuedMs?: number
  /** Headers of the upstream for a caller of its own form, on the first chunk; absent without any. */
  headers?: PassedHeaders
  /**
   * The upstream's own events of this chunk as JSON texts, in their order; the one text of a whole answer. Only
   * after `ProviderRequest.original` was sent, and only for the endpoint that read it.
   */
  events?: string[]
}

/** How long a model server worked on one answer, as it reports it; null for what it does not report. */
export interface ServerTimings {
  /** Loading the model before the prompt; a few milliseconds when it was in memory. */
  loadMs: number | null
  /** Prompt tokens that were computed, without those read from a cache. */
  promptTokens: number | null
  promptMs: number | null
  outputTokens: number | null
  outputMs: number | null
}

/** A caller's request as it arrived, in a vendor's own form. */
export interface OriginalRequest {
  /** The wire that sends this form. */
  wire: string
  /** The body as JSON text. */
  text: string
  /** Headers of the form that change its meaning, for the upstream. */
  headers: Readonly<Record<string, string>>
  /** Parameters of the address that change the form's meaning, for the upstream; absent: none. */
  query?: Readonly<Record<string, string>>
}

export interface ProviderRequest {
  /** The provider's own name of the model, without the `<provider>:` prefix. */
  model: string
  /** The caller's body; the adapter forwards what its upstream understands. */
  body: ChatRequest
  /** How long a new connection may take; the default if absent. */
  connectMs?: number | undefined
  /** The longest answer that the model gives, in tokens, for wires that must name a limit; null if unknown. */
  maxOutputTokens?: number | null
  /**
   * Whether later requests are expected to begin like this one, so that a wire may mark the prompt for the
   * vendor's cache where the caller did not. Vendors that charge nothing for writing need no marks.
   */
  marksPrefix?: boolean
  /**
   * Whether the body was translated from another family's form: lists of parts are then Modelport's own, and a wire
   * may send the shortest form of a text.
   */
  isTranslated?: boolean
  /** The conversation, for providers with several keys; called only for these, because naming it takes a hash. */
  conversation?: (() => ConversationName) | undefined
  /** How many Modelports the request has passed through before this one; absent: none. */
  hops?: number | undefined
  /** Called when the request is on its way to the vendor, which may bill it from then on; again if it is sent again. */
  onSent?: (() => void) | undefined
  /** Called with the body as the vendor gets it, as JSON, before it is sent. */
  onBody?: ((body: string) => void) | undefined
  /** Called with each piece of an answer that arrives as a stream and is returned as a whole. */
  onPart?: ((chunk: ProviderChunk) => void) | undefined
  /**
   * The request in the form of this provider's `originalWire`, which is sent in place of `body`. `changed` names
   * the fields of `body` that Modelport set, which replace those of the original.
   */
  original?: OriginalRequest & {
    changed: readonly string[]
    /** As in `FittedOriginal`. */
    members?: FittedOriginal['members']
  }
}

/** A caller's own body before it is sent to a model that it may not have been written for. */
export interface UnfittedOriginal {
  /** The provider's own name of the model. */
  model: string
  /** The same request in the inner form. */
  body: ChatRequest
  fields: WireFields
  /** Whether another model gave this proof of reasoning. */
  isForeign(proof: string): boolean
}

export interface FittedOriginal {
  /** New members of the body as JSON by name; null removes one. */
  members: Readonly<Record<string, string | null>>
  adjusted: Adjustment[]
}

export interface ConversationName {
  id: string
  /** Whether an earlier turn may have left the prompt's beginning in the cache of a key. */
  isContinued: boolean
}

export interface Provider {
  /**
   * Streams one chat. The caller must run the iterator to its end or return it; the signal aborts the upstream
   * at once. A stream that breaks off before each choice has a `finish_reason` is an error.
   * @throws ProviderError for every failure of the upstream or the connection; the signal's reason on abort
   */
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderChunk>
  /** One whole chat: the chunks of `stream` as one. @throws as `stream` */
  complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk>
  /** The vectors of texts. Absent where the vendor's API has none. @throws as `stream` */
  embed?:
    | ((request: EmbeddingsRequest, signal: AbortSignal) => Promise<ProviderEmbeddings>)
    | undefined
  /** The vendor's own count of a prompt's tokens. Absent where its API has none. @throws as `stream` */
  countTokens?: ((request: ProviderRequest, signal: AbortSignal) => Promise<number>) | undefined
  /**
   * The fields of a body that this provider leaves out or sends differently, for the decision and for the
   * header `x-modelport-adjusted`. Absent when every body is sent as it is. A field that changes the meaning
   * of the answer is a need instead: `Wire.lacks`.
   * @param model  the provider's own name of the model
   */
  leftOut?: ((body: ChatRequest, model: string) => readonly Adjustment[]) | undefined
  /**
   * The wire whose original requests it sends unchanged, for all models or by the provider's own name of the model;
   * absent when it translates every request.
   */
  originalWire?: string | ((model: string) => string | undefined) | undefined
  /** What must be changed of an original request, because the model would refuse it; absent: nothing. */
  fitOriginal?: ((original: UnfittedOriginal) => FittedOriginal) | undefined
  /**
   * Whether it sends requests in OpenAI's chat form as they are, with parts and roles that Modelport does not know;
   * absent when it translates them.
   */
  takesChatForm?: ((model: string) => boolean) | undefined
  /**
   * The effort nearest to `wanted` that a model takes, for translated requests; absent when every effort may be sent.
   * @param model  the provider's own name
   */
  nearestEffort?: ((wanted: string, model: string) => string) | undefined
  /** Names of the models the provider offers. @throws ProviderError */
  listModels(signal: AbortSignal): Promise<string[]>
  /** Requests in progress and waiting, for each that it answers at once; absent where none has to wait. */
  load?(): number
  /** Ends the provider's connections and processes. */
  close(): Promise<void>
}

/** Appends `next` to `chunk`, which is changed and returned. */
export function appendChunk(chunk: ProviderChunk | null, next: ProviderChunk): ProviderChunk {
  if (chunk === null) return next
  chunk.choices.push(...next.choices)
  chunk.usage = next.usage ?? chunk.usage
  if (next.earlyUsage !== undefined) chunk.earlyUsage = next.earlyUsage
  if (next.namedModel !== undefined) chunk.namedModel = next.namedModel
  if (next.extras !== undefined) chunk.extras = { ...chunk.extras, ...next.extras }
  if (next.timings !== undefined) chunk.timings = next.timings
  if (next.events !== undefined) (chunk.events ??= []).push(...next.events)
  return chunk
}

/** A whole stream as one chunk, for `complete`. @throws what the stream throws */
export async function joinChunks(chunks: AsyncIterable<ProviderChunk>): Promise<ProviderChunk> {
  let joined: ProviderChunk | null = null
  for await (const chunk of chunks) joined = appendChunk(joined, chunk)
  return joined ?? { choices: [], usage: null }
}

/**
 * `request`: the request itself is invalid, so no other model would accept it (but see `isTooLong` and `isUnsent`).
 * `no_key`, `auth`, `credit`: the provider is out of use until the user acts. `rate_limit`, `unavailable`,
 * `timeout`, `network`, `invalid_response`: another candidate is tried.
 */
export type ProviderErrorKind =
  | 'request'
  | 'no_key'
  | 'auth'
  | 'credit'
  | 'rate_limit'
  | 'unavailable'
  | 'timeout'
  | 'network'
  | 'invalid_response'

interface ProviderErrorOptions {
  status?: number
  retryAfterMs?: number | null
  upstreamMessage?: string | null
  vendor?: VendorError | null
  isTooLong?: boolean
  isUnsent?: boolean
  isBusy?: boolean
  isBadOutput?: boolean
  isLasting?: boolean
  /** Same as `ProviderError.chargedShare`, where other parts of the same request may be billed. */
  chargedShare?: number
  headers?: PassedHeaders | null
  cause?: unknown
}

/**
 * A failure of an upstream. `message` is in Modelport's own words, without keys, prompts or addresses with
 * credentials, because it is stored and logged.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: ProviderErrorKind
  /** The upstream's HTTP status; null without one. */
  readonly status: number | null
  /**
   * The upstream's own text without the key, for the caller. It may quote the prompt, so it is never logged, and
   * stored only with a conversation of the chat, which holds the prompt itself.
   */
  readonly upstreamMessage: string | null
  /** The upstream's own names of the failure; null without any. */
  readonly vendor: VendorError | null
  /** How long the upstream asked callers to wait. */
  readonly retryAfterMs: number | null
  /** The prompt does not fit the model: one with a larger context may take the request. Only of the kind `request`. */
  readonly isTooLong: boolean
  /** The provider's form cannot carry the request, so nothing was sent: another model may take it. Only of the kind `request`. */
  readonly isUnsent: boolean
  /** The server works, but too many requests wait for it: this does not count as its failure. */
  readonly isBusy: boolean
  /** The provider works and could not read what its model wrote: not its failure, and another try may succeed. */
  readonly isBadOutput: boolean
  /** The same request would fail again until the configuration changes. */
  readonly isLasting: boolean
  /** Headers to pass on, as in `ProviderChunk`; null without any. */
  readonly headers: PassedHeaders | null
  readonly #options: ProviderErrorOptions

  constructor(kind: ProviderErrorKind, message: string, options: ProviderErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.#options = options
    this.kind = kind
    this.upstreamMessage = options.upstreamMessage ?? null
    this.vendor = options.vendor ?? null
    this.status = options.status ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
    this.isTooLong = options.isTooLong ?? false
    this.isUnsent = options.isUnsent ?? false
    this.isBusy = options.isBusy ?? false
    this.isBadOutput = options.isBadOutput ?? false
    this.headers = options.headers ?? null
    this.isLasting = options.isLasting ?? (!this.isBadOutput && isLastingStatus(this.status))
  }

  /**
   * The share of the prompt, 0 to 1, that the vendor may have read and bill if it was sent: all of it, unless an answer
   * said that it failed. An error of the vendor, whole or within a stream, is not billed.
   */
  get chargedShare(): number {
    if (this.#options.chargedShare !== undefined) return this.#options.chargedShare
    if (this.status !== null) return 0
    return chargedKinds.has(this.kind) ? 1 : 0
  }

  /** The same failure with other details. */
  with(
    changes: Pick<
      ProviderErrorOptions,
      'upstreamMessage' | 'headers' | 'chargedShare' | 'isUnsent'
    >,
  ): ProviderError {
    return new ProviderError(this.kind, this.message, { ...this.#options, ...changes })
  }

  /** Whether the same request may succeed later without anyone's help. */
  get mayPass(): boolean {
    return passing.has(this.kind) && !this.isLasting
  }

  /**
   * Whether to send the same request again soon. Not after an answer that could not be read, which was paid for,
   * nor after a time limit of ours, which was the time there was.
   */
  get isWorthRepeating(): boolean {
    if (this.kind === 'invalid_response' || this.isBusy) return false
    return this.mayPass && (this.kind !== 'timeout' || this.status !== null)
  }
}

const chargedKinds: ReadonlySet<ProviderErrorKind> = new Set([
  'timeout',
  'network',
  'invalid_response',
])

const passing: ReadonlySet<ProviderErrorKind> = new Set([
  'rate_limit',
  'unavailable',
  'timeout',
  'network',
  'invalid_response',
])

/** Redirects, and refusals that no time limit or rate limit explains: a wrong address, or a model that is not there. */
function isLastingStatus(status: number | null): boolean {
  return status !== null && status >= 300 && status < 500 && !passingStatuses.has(status)
}

const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** The interface's words for each kind of failure. */
export function providerProblem(kind: ProviderErrorKind): ProviderProblem {
  switch (kind) {
    case 'no_key':
      return 'key_missing'
    case 'auth':
      return 'key_rejected'
    case 'credit':
      return 'out_of_credit'
    case 'network':
    case 'timeout':
      return 'unreachable'
    default:
      return 'error'
  }
}
