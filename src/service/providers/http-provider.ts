/** An upstream behind HTTP, in the form that its wire describes. */
import { isIP } from 'node:net'
import { hopHeader } from '../../shared/routers/hop-header.ts'
import { mostConcurrentRequests } from '../../shared/app/settings.ts'
import { defaultTimeLimits } from '../../shared/routers/time-limits.ts'
import { addressNotAllowed, isAllowedAddress } from './address-guard.ts'
import { embedInBatches } from './embedding-batches.ts'
import type { EmbeddingsRequest, ProviderEmbeddings } from './embeddings.ts'
import { ConnectionPool } from './http/connection-pool.ts'
import {
  appendChunk,
  ProviderError,
  type Provider,
  type ProviderChunk,
  type ProviderRequest,
} from './provider.ts'
import { passedHeaders, type PassedHeaders } from './passed-headers.ts'
import { UpstreamAnswer } from './upstream-answer.ts'
import { readError, toProviderError } from './upstream-errors.ts'
import type {
  EmbeddingsFormat,
  EventConsumer,
  EventSource,
  HttpConnection,
  KeyLease,
  TokenCountFormat,
  WireFormat,
  WireRequest,
} from './wire.ts'

/** How long a stream may take to end after its last event. */
const bodyEndMs = 1_000
/**
 * Most connections: as many as requests in progress, which admission limits. A request that waited for a connection
 * would look like a slow model.
 */
const maxConnections = mostConcurrentRequests
const maxBodyBytes = 16 * 1024 * 1024
/** 2,048 vectors of 3,072 numbers in decimal digits. */
const maxEmbeddingsBytes = 128 * 1024 * 1024

export class HttpProvider implements Provider {
  readonly leftOut: Provider['leftOut']
  readonly originalWire: Provider['originalWire']
  readonly fitOriginal: Provider['fitOriginal']
  readonly takesChatForm: Provider['takesChatForm']
  readonly nearestEffort: Provider['nearestEffort']
  readonly embed: Provider['embed']
  readonly countTokens: Provider['countTokens']
  readonly #connection: HttpConnection
  readonly #format: WireFormat
  readonly #base: Address
  /** Pools by origin and connect time limit, because all connections of a pool share them. */
  readonly #pools = new Map<string, ConnectionPool>()

  constructor(connection: HttpConnection, format: WireFormat) {
    this.#connection = connection
    this.#format = format
    this.leftOut = format.leftOut
    this.originalWire = format.originalWire
    this.fitOriginal = format.fitOriginal
    this.takesChatForm = () => format.takesChatForm === true
    this.nearestEffort = format.nearestEffort
    const { embeddings, tokenCount } = format
    this.embed = embeddings && ((...call) => this.#embed(embeddings, ...call))
    this.countTokens = tokenCount && ((...call) => this.#countTokens(tokenCount, ...call))
    this.#base = this.#addressOf(connection.baseUrl)
  }

  async *stream(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    const answer = await this.#ask(this.#chatRequest(request, true), signal, request)
    let isWhole = false
    try {
      if (!this.#format.isStream(answer.headers)) {
        const body = String(await answer.readWhole(maxBodyBytes))
        yield withHeaders(this.#format.readWhole(body, request), answer)
        isWhole = true
        return
      }
      const reader = this.#readerOf(request)
      // Here and not in a generator of its own: each generator adds half a kilobyte of promises to every piece.
      for (let pieces = await answer.read(); pieces !== null; pieces = await answer.read()) {
        const chunk = reader.read(pieces)
        if (chunk !== null) yield withHeaders(chunk, answer)
        if (reader.isFinished()) break
      }
      isWhole = true
    } catch (error) {
      throw toProviderError(error, signal, answer)
    } finally {
      if (isWhole) answer.drain(bodyEndMs)
      else answer.abort()
    }
  }

  async complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk> {
    const answer = await this.#ask(this.#chatRequest(request, false), signal, request)
    try {
      const chunk = this.#format.isStream(answer.headers)
        ? await this.#joinStream(answer, request)
        : this.#format.readWhole(String(await answer.readWhole(maxBodyBytes)), request)
      answer.drain(bodyEndMs)
      return withHeaders(chunk, answer)
    } catch (error) {
      answer.abort()
      throw toProviderError(error, signal, answer)
    }
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    const names = await this.#format.listModels((request) => this.#getJson(request, signal))
    return names.toSorted()
  }

  async close(): Promise<void> {
    for (const pool of this.#pools.values()) pool.destroy()
  }

  #embed(
    format: EmbeddingsFormat,
    request: EmbeddingsRequest,
    signal: AbortSignal,
  ): Promise<ProviderEmbeddings> {
    const batch = { mostInputs: format.mostInputs(request.model), signal }
    return embedInBatches(request, batch, async (part, partSignal) => {
      const own = { ...part, isTranslated: false }
      const answer = await this.#ask(format.request(part), partSignal, own)
      try {
        const body = await answer.readWhole(maxEmbeddingsBytes)
        const read = format.read(body.toString(), part, answer.headers)
        const { passedHeaders: headers } = answer
        return headers === null ? read : { ...read, headers }
      } catch (error) {
        answer.abort()
        throw toProviderError(error, partSignal)
      }
    })
  }

  async #countTokens(
    format: TokenCountFormat,
    request: ProviderRequest,
    signal: AbortSignal,
  ): Promise<number> {
    const answer = await this.#ask(format.request(request), signal, request)
    try {
      const body = await answer.readWhole(maxBodyBytes)
      answer.drain(bodyEndMs)
      return format.read(body.toString())
    } catch (error) {
      answer.abort()
      throw toProviderError(error, signal)
    }
  }

  #chatRequest(request: ProviderRequest, isStreamed: boolean): WireRequest {
    const written = this.#written(request, isStreamed)
    if (request.onBody && written.body !== null) request.onBody(written.body)
    return written
  }

  #written(request: ProviderRequest, isStreamed: boolean): WireRequest {
    try {
      return this.#format.chatRequest(request, isStreamed)
    } catch (error) {
      throw error instanceof ProviderError ? error.with({ isUnsent: true }) : error
    }
  }

  #readerOf(request: ProviderRequest): StreamReader {
    const { newEvents, newReader } = this.#format
    return new StreamReader(newEvents(), newReader(request))
  }

  /** The whole stream as one chunk. */
  async #joinStream(answer: UpstreamAnswer, request: ProviderRequest): Promise<ProviderChunk> {
    const reader = this.#readerOf(request)
    let joined: ProviderChunk | null = null
    for (let pieces = await answer.read(); pieces !== null; pieces = await answer.read()) {
      const chunk = reader.read(pieces)
      if (chunk !== null) {
        request.onPart?.(chunk)
        joined = appendChunk(joined, chunk)
      }
      if (reader.isFinished()) break
    }
    const { joinEvents } = this.#format
    if (joined?.events === undefined || joinEvents === undefined)
      return joined ?? { choices: [], usage: null }
    return { ...joined, events: [joinEvents(joined.events)] }
  }

  async #getJson(
    request: Pick<WireRequest, 'path' | 'baseUrl'>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const answer = await this.#ask({ ...request, body: null, isStreamed: false }, signal)
    try {
      return JSON.parse((await answer.readWhole(maxBodyBytes)).toString())
    } catch (error) {
      throw toProviderError(error, signal)
    } finally {
      answer.abort()
    }
  }

  #addressOf(baseUrl: string): Address {
    const { origin, pathname, hostname } = new URL(baseUrl)
    // An address in the URL is never looked up, so `lookup` cannot refuse it.
    const literal = hostname.replace(/^\[|\]$/g, '')
    const isForbidden =
      isIP(literal) !== 0 && !isAllowedAddress(literal, this.#connection.privateNetwork)
    return { origin, path: pathname.replace(/\/$/, ''), isForbidden }
  }

  #poolFor(origin: string, connectMs = defaultTimeLimits.connectMs): ConnectionPool {
    const name = `${connectMs} ${origin}`
    const known = this.#pools.get(name)
    if (known) return known
    const connect = this.#connection.connector(connectMs)
    const pool = new ConnectionPool({ origin, connect, maxConnections })
    this.#pools.set(name, pool)
    return pool
  }

  /** @returns an answer with status 200 and an unread body. @throws ProviderError; the signal's reason */
  async #ask(
    request: WireRequest,
    signal: AbortSignal,
    chat: ChatParts = { model: '' },
  ): Promise<UpstreamAnswer> {
    const given = this.#connection.apiKey(chat)
    const key = given instanceof Promise ? await given : given
    if (typeof key === 'object' && key !== null)
      return await this.#askInTurn(request, signal, { chat, lease: key })
    try {
      const answer = await this.#send(request, signal, { key, chat })
      if (answer.status === 200) return answer
      const refusal = await readError(answer, key, this.#format)
      // The key was replaced while this request was running, so the refusal does not apply to the new key.
      if (isAboutKey(refusal) && (await this.#connection.apiKey(chat)) !== key) {
        return await this.#ask(request, signal, chat)
      }
      throw refusal
    } catch (error) {
      throw toProviderError(error, signal)
    }
  }

  /** Asks with one key after the other while each is refused before an answer. @throws as `#ask` */
  async #askInTurn(
    request: WireRequest,
    signal: AbortSignal,
    { chat, lease: first }: { chat: ChatParts; lease: KeyLease },
  ): Promise<UpstreamAnswer> {
    try {
      for (let lease = first; ;) {
        const { key } = lease
        const answer = await this.#send(request, signal, { key, chat })
        if (answer.status === 200) {
          lease.answered(answer.headers)
          return answer
        }
        const next = lease.refused(await readError(answer, key, this.#format), answer.headers)
        if (next instanceof ProviderError) throw next
        lease = next
      }
    } catch (error) {
      throw toProviderError(error, signal)
    }
  }

  async #send(
    request: WireRequest,
    signal: AbortSignal,
    { key, chat }: { key: string | null; chat: ChatParts },
  ): Promise<UpstreamAnswer> {
    const { origin, path, isForbidden } =
      request.baseUrl === undefined ? this.#base : this.#addressOf(request.baseUrl)
    if (isForbidden) throw new ProviderError('network', addressNotAllowed, { isLasting: true })
    const { body } = request
    const { connectMs, hops = 0, onSent } = chat
    const method = body === null ? 'GET' : 'POST'
    const prepared = this.#format.headers(request, key)
    const own = prepared instanceof Promise ? await untilAborted(prepared, signal) : prepared
    const headers = { ...own, [hopHeader]: String(hops + 1) }
    const sent = { path: path + request.path, method, headers, body, onSent } as const
    const answer = await UpstreamAnswer.ask(this.#poolFor(origin, connectMs), sent, signal)
    answer.sentKey = key
    answer.passedHeaders = this.#passedHeaders(answer, chat)
    refuseCompressed(answer)
    return answer
  }

  /** @returns null for a caller of another form, and without any */
  #passedHeaders({ headers }: UpstreamAnswer, chat: ChatParts): PassedHeaders | null {
    const { passedHeaders: names, takesChatForm } = this.#format
    const isSameForm =
      chat.original !== undefined || (takesChatForm === true && chat.isTranslated === false)
    return names === undefined || !isSameForm ? null : passedHeaders(headers, names)
  }
}

/** Adds the answer's headers to its first chunk. */
function withHeaders(chunk: ProviderChunk, answer: UpstreamAnswer): ProviderChunk {
  if (answer.passedHeaders === null) return chunk
  chunk.headers = answer.passedHeaders
  answer.passedHeaders = null
  return chunk
}

/** Refuses a compressed answer. No request asks for one, because a small answer could become a very long one. */
function refuseCompressed(answer: UpstreamAnswer): void {
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  if (answer.status !== 200 || encoding.toLowerCase() === 'identity') return
  answer.abort()
  throw new ProviderError('invalid_response', 'the answer is compressed, which was not requested')
}

type ChatParts = Pick<
  ProviderRequest,
  'model' | 'connectMs' | 'conversation' | 'hops' | 'original' | 'isTranslated' | 'onSent'
>

interface Address {
  origin: string
  /** The path of the base URL, without a trailing slash. */
  path: string
  isForbidden: boolean
}

/** Waits until an abort. Other requests may wait for the same headers, so it only ends this wait. */
function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const fail: (reason: unknown) => void = reject
    const onAbort = () => fail(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    void value.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function isAboutKey({ kind }: ProviderError): boolean {
  return kind === 'auth' || kind === 'credit'
}

/** Events that arrive together become one chunk, so that each later step runs once for all of them. */
class StreamReader {
  readonly #events: EventSource
  readonly #consumer: EventConsumer
  #isEnded = false
  /** The error of an event whose predecessors are passed on first. */
  #failure: { error: unknown } | null = null

  constructor(events: EventSource, consumer: EventConsumer) {
    this.#events = events
    this.#consumer = consumer
  }

  read(pieces: readonly Buffer[]): ProviderChunk | null {
    let chunk: ProviderChunk | null = null
    try {
      for (const data of this.#completed(pieces)) {
        this.#isEnded = this.#consumer.isEnd(data)
        if (this.#isEnded) return this.#consumer.end?.(chunk, data) ?? chunk
        chunk = this.#consumer.append(chunk, data)
      }
    } catch (error) {
      this.#failure = { error }
    }
    return chunk
  }

  #completed([first, ...others]: readonly Buffer[]): readonly string[] {
    if (first === undefined) return []
    const events = this.#events.push(first)
    for (const piece of others) events.push(...this.#events.push(piece))
    return events
  }

  /** Whether the last event was read. @throws the error of an event that could not be read */
  isFinished(): boolean {
    if (this.#failure !== null) throw this.#failure.error
    return this.#isEnded
  }
}
