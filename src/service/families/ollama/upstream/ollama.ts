/**
 * Ollama's own wire, `/api/chat`. Unlike its OpenAI-compatible address it reports how long it loaded the model,
 * read the prompt and wrote the answer, and it can refuse a prompt that is longer than the context. Compared
 * with docs/openapi.yaml, api/types.go and server/routes.go of github.com/ollama/ollama on 2026-11-22.
 */
import { HttpProvider } from '../../../providers/http-provider.ts'
import { wireOptions } from '../../../providers/options.ts'
import type { Provider, ProviderChunk, ProviderRequest } from '../../../providers/provider.ts'
import type { HttpConnection, RequestHeaders, Wire, WireFormat } from '../../../providers/wire.ts'
import { ChunkReader, readModelNames } from './answer.ts'
import { embeddingsFormat } from './embeddings.ts'
import { LineReader } from './line-reader.ts'
import { readRefusal, refusedThinking } from './refusal.ts'
import { leftOut } from './left-out.ts'
import { chatBody, type Thinking } from './request.ts'

export const ollama: Wire = {
  create: (connection) => new OllamaProvider(connection),
  lacks: ['audio', 'files', 'n'],
}

/**
 * Ollama refuses `think` for models that cannot think, and a level for most of those that can. Callers send
 * an effort to every model, so the request is sent again without it, and the model is remembered.
 */
class OllamaProvider implements Provider {
  readonly leftOut: Provider['leftOut']
  readonly embed: Provider['embed']
  readonly #http: HttpProvider
  /** Models that refused more. */
  readonly #thinking = new Map<string, Thinking>()

  constructor(connection: HttpConnection) {
    const format = formatWith(connection.options, (model) => this.#thinkingOf(model))
    // People also paste the address of Ollama's OpenAI-compatible API.
    const baseUrl = connection.baseUrl.replace(/\/v1\/?$/, '')
    this.#http = new HttpProvider({ ...connection, baseUrl }, format)
    this.leftOut = format.leftOut
    this.embed = this.#http.embed
  }

  async *stream(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderChunk, void> {
    for (;;) {
      const sent = this.#thinkingOf(request.model)
      try {
        return yield* this.#http.stream(request, signal)
      } catch (error) {
        this.#learn(request.model, sent, error)
      }
    }
  }

  async complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk> {
    for (;;) {
      const sent = this.#thinkingOf(request.model)
      try {
        return await this.#http.complete(request, signal)
      } catch (error) {
        this.#learn(request.model, sent, error)
      }
    }
  }

  listModels(signal: AbortSignal): Promise<string[]> {
    return this.#http.listModels(signal)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  #thinkingOf(model: string): Thinking {
    return this.#thinking.get(model) ?? 'level'
  }

  /** Returns if the request may be sent again. @param sent  what the refused request may have contained */
  #learn(model: string, sent: Thinking, error: unknown): void {
    const accepted = refusedThinking(error, sent)
    if (accepted === null) throw error
    this.#thinking.set(model, accepted)
  }
}

function formatWith(
  options: HttpConnection['options'],
  thinkingOf: (model: string) => Thinking,
): WireFormat {
  const { headers: extraHeaders } = wireOptions(options)
  const contextTokens = Number(options['context']) || null
  return {
    leftOut: (body, model) => leftOut(body, thinkingOf(model)),
    chatRequest(request, isStreamed) {
      const thinking = thinkingOf(request.model)
      const body = JSON.stringify(chatBody(request, { isStreamed, contextTokens, thinking }))
      return { path: '/api/chat', body, isStreamed }
    },
    headers({ body, isStreamed }, key) {
      const headers: RequestHeaders = {
        accept: isStreamed ? 'application/x-ndjson' : 'application/json',
        'user-agent': 'modelport',
      }
      if (extraHeaders !== null) Object.assign(headers, extraHeaders)
      if (key !== null) headers['authorization'] = `Bearer ${key}`
      if (body !== null) headers['content-type'] = 'application/json'
      return headers
    },
    isStream: (headers) => String(headers['content-type']).startsWith('application/x-ndjson'),
    newEvents: () => new LineReader(),
    newReader: (request) => new ChunkReader(request),
    readWhole: (body, request) => new ChunkReader(request).read(body),
    embeddings: embeddingsFormat(contextTokens),
    readRefusal,
    async listModels(get) {
      return readModelNames(await get({ path: '/api/tags' }))
    },
  }
}
