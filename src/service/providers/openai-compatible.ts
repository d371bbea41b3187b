/**
 * Every upstream that speaks OpenAI's chat-completions wire format, at any base URL. The request is sent
 * as given, except for the model's name and the request for usage. `openai-answer.ts` reads the answer.
 */
import { isIP } from 'node:net'
import type { ChatRequest } from '../../shared/chat.ts'
import { defaultTimeLimits } from '../../shared/time-limits.ts'
import { addressNotAllowed, isAllowedAddress } from './address-guard.ts'
import { ChunkReader } from './chunk-reader.ts'
import { readChunk, readModelNames } from './openai-answer.ts'
import { readError, toProviderError } from './openai-errors.ts'
import { ConnectionPool } from './http/connection-pool.ts'
import { wireOptions, type WireOptions } from './options.ts'
import type { Connector } from './outbound.ts'
import {
  joinChunks,
  ProviderError,
  type Provider,
  type ProviderChunk,
  type ProviderRequest,
} from './provider.ts'
import { EventReader } from './sse.ts'
import { UpstreamAnswer } from './upstream-answer.ts'

export interface OpenAiCompatibleOptions {
  /** Includes the version: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Called for each request, so that a replaced key takes effect at once; null sends no key. */
  apiKey: () => string | null | Promise<string | null>
  privateNetwork: boolean
  /** As validated by the type's `checkOptions`. */
  options: Readonly<Record<string, string>>
  /** Opens the connections, and refuses forbidden addresses. */
  connector: (connectMs: number) => Connector
}

/** How long a stream may take to end after its last event. */
const bodyEndMs = 1_000
const maxConnections = 512
const maxBodyBytes = 16 * 1024 * 1024

export class OpenAiCompatible implements Provider {
  readonly #options: OpenAiCompatibleOptions
  /** By connect time limit, because all connections of a pool share one limit. */
  readonly #pools = new Map<number, ConnectionPool>()
  readonly #origin: string
  /** The path of the base URL, without a trailing slash. */
  readonly #path: string
  readonly #isForbidden: boolean
  readonly #wire: WireOptions

  constructor(options: OpenAiCompatibleOptions) {
    const { origin, pathname, hostname } = new URL(options.baseUrl)
    this.#options = options
    this.#wire = wireOptions(options.options)
    this.#origin = origin
    this.#path = pathname.replace(/\/$/, '')
    // An address in the URL is never looked up, so `lookup` cannot refuse it.
    const literal = hostname.replace(/^\[|\]$/g, '')
    this.#isForbidden = isIP(literal) !== 0 && !isAllowedAddress(literal, options.privateNetwork)
  }

  async *stream(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    const answer = await this.#ask(toQuestion(request, true), signal)
    let isWhole = false
    try {
      if (isEventStream(answer)) yield* streamedChunks(answer)
      else yield readChunk(parseJson(await answer.readWhole(maxBodyBytes)))
      isWhole = true
    } catch (error) {
      throw toProviderError(error, signal)
    } finally {
      if (isWhole) answer.drain(bodyEndMs)
      else answer.abort()
    }
  }

  async complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk> {
    const answer = await this.#ask(toQuestion(request, false), signal)
    try {
      // Some upstreams stream even when the request asks for a whole answer.
      const chunk = isEventStream(answer)
        ? await joinChunks(streamedChunks(answer))
        : readChunk(parseJson(await answer.readWhole(maxBodyBytes)))
      answer.drain(bodyEndMs)
      return chunk
    } catch (error) {
      answer.abort()
      throw toProviderError(error, signal)
    }
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    const answer = await this.#ask({ path: '/models', body: null, isStreamed: false }, signal)
    try {
      return readModelNames(parseJson(await answer.readWhole(maxBodyBytes)))
    } catch (error) {
      throw toProviderError(error, signal)
    } finally {
      answer.abort()
    }
  }

  async close(): Promise<void> {
    for (const pool of this.#pools.values()) pool.destroy()
  }

  #poolFor(connectMs = defaultTimeLimits.connectMs): ConnectionPool {
    const known = this.#pools.get(connectMs)
    if (known) return known
    const connect = this.#options.connector(connectMs)
    const pool = new ConnectionPool({ origin: this.#origin, connect, maxConnections })
    this.#pools.set(connectMs, pool)
    return pool
  }

  /** @returns an answer with status 200 and an unread body. @throws ProviderError; the signal's reason */
  async #ask(question: Question, signal: AbortSignal): Promise<UpstreamAnswer> {
    const { path, body, isStreamed, connectMs } = question
    if (this.#isForbidden) throw new ProviderError('network', addressNotAllowed)
    const given = this.#options.apiKey()
    const key = given instanceof Promise ? await given : given
    const headers: Record<string, string> = {
      accept: isStreamed ? 'text/event-stream' : 'application/json',
      'user-agent': 'modelport',
    }
    const { headers: extraHeaders, keyHeader, query } = this.#wire
    if (extraHeaders !== null) Object.assign(headers, extraHeaders)
    if (key !== null && keyHeader === null) headers['authorization'] = `Bearer ${key}`
    else if (key !== null && keyHeader !== null) headers[keyHeader] = key
    if (body !== null) headers['content-type'] = 'application/json'
    const method = body === null ? 'GET' : 'POST'
    try {
      const request = { path: this.#path + path + query, method, headers, body } as const
      const answer = await UpstreamAnswer.ask(this.#poolFor(connectMs), request, signal)
      if (answer.status === 200) return answer
      const refusal = await readError(answer, key)
      // The key was replaced while this request was running, so the refusal does not apply to the new key.
      if (isAboutKey(refusal) && (await this.#options.apiKey()) !== key) {
        return await this.#ask(question, signal)
      }
      throw refusal
    } catch (error) {
      throw toProviderError(error, signal)
    }
  }
}

function isAboutKey({ kind }: ProviderError): boolean {
  return kind === 'auth' || kind === 'credit'
}

interface Question {
  /** Relative to the base URL. */
  path: string
  /** Null sends a GET request. */
  body: string | null
  isStreamed: boolean
  connectMs?: number | undefined
}

function toQuestion({ model, body, connectMs }: ProviderRequest, isStreamed: boolean): Question {
  const text = JSON.stringify(upstreamBody(body, model, isStreamed))
  return { path: '/chat/completions', body: text, isStreamed, connectMs }
}

/** Requests usage for every stream, because it is the only source of the cost. */
function upstreamBody(body: ChatRequest, model: string, isStreamed: boolean): object {
  const { stream_options } = body
  return {
    ...body,
    model,
    stream: isStreamed,
    stream_options: isStreamed ? { ...stream_options, include_usage: true } : undefined,
  }
}

function isEventStream({ headers }: UpstreamAnswer): boolean {
  return String(headers['content-type']).startsWith('text/event-stream')
}

async function* streamedChunks(answer: UpstreamAnswer): AsyncGenerator<ProviderChunk> {
  const events = new EventReader()
  const chunks = new ChunkReader()
  for (let pieces = await answer.read(); pieces !== null; pieces = await answer.read()) {
    const isDone = yield* readEvents(
      pieces.flatMap((piece) => events.push(piece)),
      chunks,
    )
    if (isDone) return
  }
}

/**
 * Events that arrive together become one chunk, so that each later step runs once for all of them.
 * @returns whether `[DONE]` was among them
 */
function* readEvents(
  events: readonly string[],
  chunks: ChunkReader,
): Generator<ProviderChunk, boolean> {
  let chunk: ProviderChunk | null = null
  try {
    for (const data of events) {
      if (data.startsWith('[DONE]')) return true
      chunk = chunks.append(chunk, data)
    }
    return false
  } finally {
    // Includes the events before one that cannot be read.
    if (chunk !== null) yield chunk
  }
}

function parseJson(body: Buffer): unknown {
  return JSON.parse(body.toString())
}
