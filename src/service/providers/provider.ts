/**
 * The one interface every upstream is behind: a chat is a stream of chunks, or one that holds them all.
 * Adapters translate; they know no storage, no settings and do not retry.
 */
import type {
  AnswerContent,
  CalledCustomToolDelta,
  CalledFunctionDelta,
  ChatRequest,
  ChatUsage,
  FinishReason,
  WireFields,
} from '../../shared/chat.ts'
import type { ProviderProblem } from '../../shared/entities.ts'

/** A piece of a tool call as the upstream sent it: some upstreams leave the index out. */
export interface UpstreamToolCall {
  index?: number
  id?: string
  type?: string
  function?: CalledFunctionDelta
  custom?: CalledCustomToolDelta
  [field: string]: unknown
}

/** A delta whose tool calls are not in order yet. Fields that are not named here are passed on. */
export interface UpstreamDelta {
  content?: AnswerContent | null
  refusal?: string | null
  reasoning?: string | null
  reasoning_content?: string | null
  tool_calls?: UpstreamToolCall[]
  [field: string]: unknown
}

/**
 * What a provider's answer adds; ids, model names and `_meta` are set at the edge. Pieces that arrived
 * together are one chunk, in their order, also those of one choice: a caller gets each by itself.
 */
export interface ProviderChunk {
  choices: {
    index: number
    delta: UpstreamDelta
    finish_reason: FinishReason | null
    logprobs?: unknown
    [field: string]: unknown
  }[]
  /** Null until the upstream reported it. */
  usage: ChatUsage | null
  /** The answer's own further fields, such as `system_fingerprint`; absent where there are none. */
  extras?: WireFields
}

export interface ProviderRequest {
  /** The provider's own name of the model, without the `<provider>:` prefix. */
  model: string
  /** The caller's body; the adapter forwards what its upstream understands. */
  body: ChatRequest
  /** How long a new connection may take; absent: the default. */
  connectMs?: number | undefined
}

export interface Provider {
  /**
   * One chat as it is made. The iterator must be run to its end or returned; the signal aborts the upstream
   * at once. The chunks end after one with a `finish_reason` per choice: a stream that breaks off before is
   * an error.
   * @throws ProviderError for everything the upstream or the way to it did; the signal's reason on abort
   */
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderChunk>
  /** One chat, once it is all there: the chunks of `stream` as one. @throws as `stream` */
  complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk>
  /** Names of the models it offers. @throws ProviderError */
  listModels(signal: AbortSignal): Promise<string[]>
  /** Ends connections and processes it holds. */
  close(): Promise<void>
}

/** What comes later is appended to the first, which is changed and given back. */
export function appendChunk(chunk: ProviderChunk | null, next: ProviderChunk): ProviderChunk {
  if (chunk === null) return next
  chunk.choices.push(...next.choices)
  chunk.usage = next.usage ?? chunk.usage
  if (next.extras !== undefined) chunk.extras = { ...chunk.extras, ...next.extras }
  return chunk
}

/** All of a stream as one chunk, for `complete`. @throws what the stream throws */
export async function joinChunks(chunks: AsyncIterable<ProviderChunk>): Promise<ProviderChunk> {
  let joined: ProviderChunk | null = null
  for await (const chunk of chunks) joined = appendChunk(joined, chunk)
  return joined ?? { choices: [], usage: null }
}

/**
 * `request`: the request itself is at fault, no other model will do better with it.
 * `no_key`, `auth`, `credit`: the provider is out until the user acts. `rate_limit`, `unavailable`, `timeout`,
 * `network`, `invalid_response`: try another candidate.
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

/**
 * A failure of an upstream. `message` is in our own words, with no key, no address with credentials and no
 * prompt: it is stored and logged.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: ProviderErrorKind
  /** The upstream's HTTP status; null when there was none. */
  readonly status: number | null
  /**
   * The upstream's own text without the key, for the caller alone. It may quote the prompt, so it is never
   * stored or logged.
   */
  readonly upstreamMessage: string | null
  /** How long the upstream asked to be left alone. */
  readonly retryAfterMs: number | null

  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: {
      status?: number
      retryAfterMs?: number | null
      upstreamMessage?: string | null
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.upstreamMessage = options.upstreamMessage ?? null
    this.status = options.status ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/** How the interface words a failure kind. */
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
