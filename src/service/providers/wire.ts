/**
 * A wire is the form in which one family of vendors takes a chat request and gives its answer. The service
 * works with OpenAI's chat form (`shared/chat/chat.ts`); a wire translates it. `HttpProvider` does everything that
 * does not depend on the form: keys, connections, errors and aborts. docs/wires.md lists what each wire carries.
 */
import type { ConnectionUse } from '../../shared/app/open-connection.ts'
import type { Capability } from '../../shared/models/model-abilities.ts'
import type { EmbeddingsRequest, ProviderEmbeddings } from './embeddings.ts'
import type { ResponseHeaders } from './http/response-reader.ts'
import type { Connector } from './outbound.ts'
import type { VendorError } from './vendor-error.ts'
import type {
  Provider,
  ProviderChunk,
  ProviderError,
  ProviderErrorKind,
  ProviderRequest,
} from './provider.ts'

/** The configuration of one provider. */
export interface HttpConnection {
  /** Includes the version: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Called for each request, so that a replaced key takes effect at once; null sends no key. */
  apiKey: (wish: KeyWish) => GivenKey | Promise<GivenKey>
  privateNetwork: boolean
  /** Options validated by the type's `checkOptions`. */
  options: Readonly<Record<string, string>>
  /** Absent at the wire's usual place. */
  modelList?: ModelList | undefined
  /** Extensions of OpenAI's chat form that the upstream takes; absent when it takes or ignores all of them. */
  extensions?: readonly Extension[] | undefined
  /** Whether the upstream takes only ids of nine letters and digits for tool calls, and after results only an answer. */
  strictToolTurns?: boolean | undefined
  /** Whether the upstream takes every effort for each of its models. */
  takesEveryEffort?: boolean | undefined
  /** Absent where the vendor documents nothing about embeddings in OpenAI's form. */
  embeddings?: EmbeddingsForm | undefined
  /** Unix milliseconds, for signatures and access tokens. */
  now: () => number
  /** For packages of vendors that open connections by themselves. */
  use?: ConnectionUse | null
  /** Opens the connections, and refuses forbidden addresses. */
  connector: (connectMs: number) => Connector
}

/** The only key of the provider, none, or one of its several keys. */
export type GivenKey = string | null | KeyLease

export interface KeyWish {
  /** Empty for a list of models. */
  model: string
  conversation?: ProviderRequest['conversation']
}

/** One of several keys, for one request. The provider reports how the vendor took it. */
export interface KeyLease {
  key: string
  /** Called when the vendor accepted the request; its headers may state what remains of the key's rate limit. */
  answered(headers: ResponseHeaders): void
  /**
   * Called when the vendor refused the request before any answer.
   * @returns another key for the same request, or the error of the whole pool
   */
  refused(refusal: ProviderError, headers: ResponseHeaders): KeyLease | ProviderError
}

/**
 * Fields that the inner form adds to OpenAI's chat form, by their names there. `message_reasoning` is `reasoning`
 * of a message, `tool_result_parts` stands for images and files in tool results, and `developer_role` for messages of the
 * role `developer`, which only OpenAI's own form has.
 */
export type Extension =
  | 'cache_control'
  | 'developer_role'
  | 'is_error'
  | 'message_reasoning'
  | 'reasoning'
  | 'reasoning_content'
  | 'reasoning_details'
  | 'tool_result_parts'

/** How a vendor's embeddings differ from the common part of OpenAI's form. */
export interface EmbeddingsForm {
  /** Inputs that one request may have; absent without a documented limit. */
  mostInputs?: number
  /** The field for the number of dimensions, `dimensions` if absent; null where the vendor has none. */
  dimensionsField?: 'dimensions' | 'output_dimension' | null
  /** Whether it sends vectors as base64 on request. */
  encodesBase64?: true
}

/** A list of models at an unusual place. */
export interface ModelList {
  /** Replaces the base URL. */
  baseUrl?: string
  path: string
  /** Only names that begin with this are models of the provider; it is not part of their names. */
  prefix?: string
}

export interface Wire {
  create(connection: HttpConnection): Provider
  /** Capabilities that models lose behind this wire, because it has no field for them: all models, or each its own. */
  lacks?:
    | readonly Capability[]
    | ((model: string, options: HttpConnection['options']) => readonly Capability[])
}

/** One HTTP request in a wire's own form. */
export interface WireRequest {
  /** Relative to the base URL, with the query. */
  path: string
  /** Null sends a GET request. */
  body: string | null
  isStreamed: boolean
  /** Replaces the base URL, for vendors that list models at another host. */
  baseUrl?: string
  /** Headers of the caller's original request. */
  headers?: RequestHeaders
}

export type RequestHeaders = Record<string, string>

export interface WireFormat {
  /** @throws ProviderError `request` when the wire cannot carry the request */
  chatRequest(request: ProviderRequest, isStreamed: boolean): WireRequest
  /** Same as `Provider.leftOut`. */
  leftOut?: Provider['leftOut']
  /** Same as `Provider.originalWire`. */
  originalWire?: string
  /** Same as `Provider.fitOriginal`. */
  fitOriginal?: Provider['fitOriginal']
  /** Same as `Provider.takesChatForm`, for all models. */
  takesChatForm?: boolean
  /** Same as `Provider.nearestEffort`. */
  nearestEffort?: Provider['nearestEffort']
  /** Names of the answer's headers that callers of the same form get; absent: none. */
  passedHeaders?: RegExp
  /**
   * The headers of the wire, of the provider's options and of the key.
   * @throws ProviderError when the key cannot be used
   */
  headers(request: WireRequest, key: string | null): RequestHeaders | Promise<RequestHeaders>
  /** Whether the answer is a stream; some upstreams stream even when the request asks for a whole answer. */
  isStream(headers: ResponseHeaders): boolean
  /** Cuts the bytes of one stream into events. */
  newEvents: () => EventSource
  /** Reads the events of one stream. */
  newReader: (request: ProviderRequest) => EventConsumer
  /** Text of a whole answer from its events, for wires that stream a long answer that the caller wants whole. */
  joinEvents?(events: readonly string[]): string
  /** @throws SyntaxError, ProviderError invalid_response */
  readWhole(body: string, request: ProviderRequest): ProviderChunk
  /** Absent where the vendor's API has no embeddings. */
  embeddings?: EmbeddingsFormat
  /** Absent where the vendor's API counts no tokens. */
  tokenCount?: TokenCountFormat
  /** Reads an answer with a status from 400 on. @param text  the body or its beginning */
  readRefusal(status: number, text: string, headers: ResponseHeaders): Refusal
  /** @param get  reads one JSON document of the provider. @throws ProviderError */
  listModels(
    get: (request: Pick<WireRequest, 'path' | 'baseUrl'>) => Promise<unknown>,
  ): Promise<string[]>
}

export interface EmbeddingsFormat {
  /** Inputs that one request to this model may have; larger ones are split. */
  mostInputs(model: string): number
  /** @throws ProviderError `request` when the vendor cannot take an input */
  request(request: EmbeddingsRequest): WireRequest
  /** @throws SyntaxError, ProviderError invalid_response */
  read(body: string, request: EmbeddingsRequest, headers: ResponseHeaders): ProviderEmbeddings
}

/** The vendor's own count of a prompt, without an answer. */
export interface TokenCountFormat {
  /** @throws ProviderError `request` when the wire cannot carry the prompt */
  request(request: ProviderRequest): WireRequest
  /** @throws SyntaxError, ProviderError invalid_response */
  read(body: string): number
}

export interface EventSource {
  /** @returns the data of the events that these bytes completed. @throws RangeError, ProviderError */
  push(piece: Uint8Array): string[]
}

export interface EventConsumer {
  /** Whether this event ends the stream. */
  isEnd(data: string): boolean
  /**
   * Reads one event and appends its pieces to `chunk`, which may be changed.
   * @returns null when there is nothing to pass on so far
   * @throws SyntaxError for text that is not JSON; ProviderError
   */
  append(chunk: ProviderChunk | null, data: string): ProviderChunk | null
  /** Reads the event that ends the stream, like `append`; absent where nothing of it is passed on. */
  end?(chunk: ProviderChunk | null, data: string): ProviderChunk | null
}

export interface Refusal {
  kind: ProviderErrorKind
  /** Modelport's own words and the upstream's error codes, so that it may be stored and logged. */
  message: string
  /**
   * The upstream's own text, unscrubbed: it may echo the key and quote the prompt. Null when it would not
   * help the caller.
   */
  upstreamMessage: string | null
  /** Absent when it names nothing. */
  vendor?: VendorError | null
  /** Same as `ProviderError.isTooLong`; absent when the refusal says nothing about it. */
  isTooLong?: boolean
  /** Same as `ProviderError.isBadOutput`; absent: no. */
  isBadOutput?: boolean
  /** The wait that the body asks for; absent when only the headers can name one. */
  retryAfterMs?: number | null
}
