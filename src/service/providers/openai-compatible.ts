/**
 * Every upstream that speaks OpenAI's chat-completions wire format, at any base URL. The request goes
 * out as the caller wrote it, but for the model's name and the fields that would let a caller choose
 * how the account is billed; the answer is read for the fields we use and nothing else.
 */
import { isIP } from 'node:net'
import { Pool, type Dispatcher } from 'undici'
import type { ChatRequest } from '../../shared/chat.ts'
import { addressNotAllowed, guardedLookup, isAllowedAddress } from './address-guard.ts'
import { readChunk, readModelNames } from './openai-answer.ts'
import { aborted, readError, toProviderError } from './openai-errors.ts'
import { ProviderError, type Provider, type ProviderChunk } from './provider.ts'
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

const connectMs = 5_000
/** A reasoning model may think for minutes before it answers in one piece. */
const headersMs = 600_000
const betweenBytesMs = 120_000
const maxBodyBytes = 16 * 1024 * 1024

export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Provider {
  const base = new URL(options.baseUrl)
  const path = base.pathname.replace(/\/$/, '')
  // An address in the URL itself is never looked up.
  const literal = base.hostname.replace(/^\[|\]$/g, '')
  const isForbidden = isIP(literal) !== 0 && !isAllowedAddress(literal, options.privateNetwork)
  const pool = new Pool(base.origin, {
    connect: {
      timeout: connectMs,
      lookup: guardedLookup(options.privateNetwork),
      ...(options.extraCa.length > 0 ? { ca: [...options.extraCa] } : {}),
    },
    headersTimeout: headersMs,
    bodyTimeout: betweenBytesMs,
    connections: 512,
  })

  async function send(request: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    if (isForbidden) throw new ProviderError('network', addressNotAllowed)
    const key = await options.apiKey()
    const headers: Record<string, string> = { accept: request.accept, 'user-agent': 'modelport' }
    if (key !== null) headers['authorization'] = `Bearer ${key}`
    if (request.body !== null) headers['content-type'] = 'application/json'
    try {
      const { method, body, signal } = request
      const answer = await pool.request({
        path: path + request.path,
        method,
        headers,
        body,
        signal,
      })
      if (answer.statusCode === 200) return answer
      throw await readError(answer, key)
    } catch (error) {
      throw toProviderError(error, request.signal)
    }
  }

  return {
    async *chat({ model, body, isStreamed }, signal) {
      const answer = await send({
        path: '/chat/completions',
        method: 'POST',
        body: JSON.stringify(upstreamBody(body, model, isStreamed)),
        accept: isStreamed ? 'text/event-stream' : 'application/json',
        signal,
      })
      try {
        if (isEventStream(answer)) yield* streamedChunks(answer)
        else yield readChunk(await readJson(answer))
      } catch (error) {
        throw toProviderError(error, signal)
      } finally {
        // Left early (the consumer stopped): the upstream must not go on generating.
        if (!answer.body.readableEnded) answer.body.destroy(aborted())
      }
    },
    async listModels(signal) {
      const answer = await send({
        path: '/models',
        method: 'GET',
        body: null,
        accept: 'application/json',
        signal,
      })
      try {
        return readModelNames(await readJson(answer))
      } catch (error) {
        throw toProviderError(error, signal)
      }
    },
    close: () => pool.destroy(),
  }
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
  for await (const line of readEventData(body)) {
    if (line.startsWith('[DONE]')) return
    yield readChunk(JSON.parse(line))
  }
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
