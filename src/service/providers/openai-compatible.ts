/**
 * Every upstream that speaks OpenAI's chat-completions wire format, at any base URL. The request goes
 * out as the caller wrote it, but for the model's name and the fields that would let a caller choose
 * how the account is billed; the answer is read for the fields we use and nothing else.
 */
import { isIP } from 'node:net'
import tls from 'node:tls'
import { Pool, type Dispatcher } from 'undici'
import type { ChatRequest } from '../../shared/chat.ts'
import { connectMs } from '../../shared/time-limits.ts'
import { addressNotAllowed, guardedLookup, isAllowedAddress } from './address-guard.ts'
import { readChunk, readModelNames } from './openai-answer.ts'
import { readError, toProviderError } from './openai-errors.ts'
import {
  ProviderError,
  type Provider,
  type ProviderChunk,
  type ProviderRequest,
} from './provider.ts'
import { readEventData } from './sse.ts'

export interface OpenAiCompatibleOptions {
  /** Up to and with the version: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Asked for each request, so that a replaced key counts at once; null sends none. */
  apiKey: () => Promise<string | null>
  privateNetwork: boolean
  /** Trusted besides the system's certificate authorities, PEM. */
  extraCa: readonly string[]
}

/** How long after its last event a stream may take to end. */
const bodyEndMs = 1_000
const maxConnections = 512
const maxBodyBytes = 16 * 1024 * 1024

export class OpenAiCompatible implements Provider {
  readonly #options: OpenAiCompatibleOptions
  readonly #pool: Pool
  /** The path of the base URL, without a slash at its end. */
  readonly #path: string
  readonly #isForbidden: boolean

  constructor(options: OpenAiCompatibleOptions) {
    const { origin, pathname, hostname } = new URL(options.baseUrl)
    this.#options = options
    this.#pool = createPool(origin, options)
    this.#path = pathname.replace(/\/$/, '')
    // An address in the URL itself is never looked up.
    const literal = hostname.replace(/^\[|\]$/g, '')
    this.#isForbidden = isIP(literal) !== 0 && !isAllowedAddress(literal, options.privateNetwork)
  }

  async *chat(
    { model, body, isStreamed }: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    const answer = await this.#send({
      path: '/chat/completions',
      method: 'POST',
      body: JSON.stringify(upstreamBody(body, model, isStreamed)),
      accept: isStreamed ? 'text/event-stream' : 'application/json',
      signal,
    })
    let isWhole = false
    try {
      if (isEventStream(answer)) yield* streamedChunks(answer)
      else yield readChunk(await readJson(answer))
      isWhole = true
    } catch (error) {
      throw toProviderError(error, signal)
    } finally {
      if (isWhole) awaitEnd(answer)
      else leave(answer)
    }
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    const accept = 'application/json'
    const answer = await this.#send({ path: '/models', method: 'GET', body: null, accept, signal })
    try {
      return readModelNames(await readJson(answer))
    } catch (error) {
      throw toProviderError(error, signal)
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #send(request: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    if (this.#isForbidden) throw new ProviderError('network', addressNotAllowed)
    const key = await this.#options.apiKey()
    const headers: Record<string, string> = { accept: request.accept, 'user-agent': 'modelport' }
    if (key !== null) headers['authorization'] = `Bearer ${key}`
    if (request.body !== null) headers['content-type'] = 'application/json'
    const { method, body, signal } = request
    const path = this.#path + request.path
    try {
      const answer = await this.#pool.request({ path, method, headers, body, signal })
      if (answer.statusCode === 200) return answer
      const refusal = await readError(answer, key)
      // The key was replaced while this was under way: the refusal says nothing of the new one.
      if (isAboutKey(refusal) && (await this.#options.apiKey()) !== key) {
        return await this.#send(request)
      }
      throw refusal
    } catch (error) {
      throw toProviderError(error, signal)
    }
  }
}

function createPool(origin: string, options: OpenAiCompatibleOptions): Pool {
  const { privateNetwork, extraCa } = options
  const ca = extraCa.length > 0 ? { ca: [...tls.rootCertificates, ...extraCa] } : {}
  return new Pool(origin, {
    connect: { timeout: connectMs, lookup: guardedLookup(privateNetwork), ...ca },
    // Off: the limits of a wait are its caller's, and come by the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: maxConnections,
  })
}

function isAboutKey({ kind }: ProviderError): boolean {
  return kind === 'auth' || kind === 'credit'
}

interface UpstreamRequest {
  path: string
  method: 'GET' | 'POST'
  body: string | null
  accept: string
  signal: AbortSignal
}

/** `store` and `service_tier` would let a caller decide on retention and price: not forwarded. */
function upstreamBody(body: ChatRequest, model: string, isStreamed: boolean): object {
  const { store: _store, service_tier: _serviceTier, stream_options, ...forwarded } = body
  if (!isStreamed) return { ...forwarded, model, stream: false }
  return {
    ...forwarded,
    model,
    stream: true,
    stream_options: { ...stream_options, include_usage: true },
  }
}

function isEventStream({ headers }: Dispatcher.ResponseData): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream')
}

async function* streamedChunks({ body }: Dispatcher.ResponseData): AsyncGenerator<ProviderChunk> {
  // Not destroyed at `[DONE]`: that would cost the connection.
  for await (const line of readEventData(body.iterator({ destroyOnReturn: false }))) {
    if (line.startsWith('[DONE]')) return
    yield readChunk(JSON.parse(line))
  }
}

/** After the last event there is only the body's end, and then the connection is free for another request. */
function awaitEnd(answer: Dispatcher.ResponseData): void {
  const { body } = answer
  const timer = setTimeout(() => leave(answer), bodyEndMs)
  body.once('close', () => clearTimeout(timer))
  // It broke after all that mattered.
  body.on('error', () => {})
  body.resume()
}

/** The consumer stopped, or the answer is no good: the upstream must not go on generating. */
function leave({ body }: Dispatcher.ResponseData): void {
  // Said by undici of every body that is left; nobody waits for it any more.
  body.on('error', () => {})
  body.destroy()
}

async function readJson({ body }: Dispatcher.ResponseData): Promise<unknown> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    // undici's body yields Buffers; its type says any.
    const buffer = piece as Buffer
    bytes += buffer.length
    if (bytes > maxBodyBytes) throw new ProviderError('invalid_response', 'the answer is too large')
    pieces.push(buffer)
  }
  return JSON.parse(Buffer.concat(pieces).toString())
}
