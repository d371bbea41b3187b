/**
 * A stand-in for Ollama: a real server with its addresses, its streams of JSON lines and its errors. A model
 * decodes for one request at a time and stops only when the request's connection closes, as the real one does.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { vectorOf } from '../../fake-provider/embeddings.ts'
import {
  chatRequestSchema,
  embedRequestSchema,
  showRequestSchema,
  type OllamaChatRequest,
} from './requests.ts'

export interface OllamaModel {
  capabilities?: readonly string[]
  /** The longest context that the model was trained for. */
  contextTokens?: number
  /** `PARAMETER num_ctx` of its Modelfile. */
  ownContextTokens?: number
  sizeBytes?: number
  isEmbedding?: boolean
  /** How long it takes to load. */
  loadMs?: number
  /** Milliseconds between the lines of an answer. */
  lineMs?: number
  /** The answer's lines, or a refusal; the default is a short text. */
  reply?: (request: OllamaChatRequest, nth: number) => OllamaReply
}

interface OllamaMessage {
  role?: string
  content?: string
  thinking?: string
  tool_calls?: readonly object[]
}

export interface OllamaLine {
  message?: OllamaMessage
  done?: boolean
  [field: string]: unknown
}

export type OllamaReply =
  /** A text is written as it is. */
  | { lines: readonly (OllamaLine | string)[] }
  | { status: number; error: string; headers?: Record<string, string> }

interface ReceivedChat {
  body: OllamaChatRequest
  receivedAtMs: number
  startedAtMs: number | null
  /** Time at which the client closed the connection before the answer's end; null if it did not. */
  abortedAtMs: number | null
  answeredAtMs: number | null
}

export interface FakeOllama {
  /** `http://127.0.0.1:<port>` */
  url: string
  port: number
  chats: readonly ReceivedChat[]
  /** Method and path of every request. */
  requests: readonly string[]
  setModel(name: string, model: OllamaModel): void
  /** Takes the model out of memory. */
  unload(name: string): void
  /** @throws Error when a request was not one that Ollama understands */
  close(): Promise<void>
}

export const defaultContextTokens = 4096
const keepAliveMs = 300_000

/** @param options.port  any free port by default */
export async function startFakeOllama(
  options: { port?: number; models?: Record<string, OllamaModel>; version?: string } = {},
): Promise<FakeOllama> {
  const state = new Ollama(options)
  const server = createServer((request, response) => {
    state.handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    chats: state.chats,
    requests: state.requests,
    setModel: (name, model) => void state.models.set(name, model),
    unload: (name) => void state.loaded.delete(name),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      if (state.violations.length > 0) throw new Error(state.violations.join('\n'))
    },
  }
}

class Ollama {
  readonly models: Map<string, OllamaModel>
  /** Each with its context. */
  readonly loaded = new Map<string, number>()
  readonly chats: ReceivedChat[] = []
  readonly requests: string[] = []
  readonly violations: string[] = []
  readonly #version: string
  /** Resolves when the model that decodes now is free. */
  #free: Promise<void> = Promise.resolve()

  constructor({ models, version }: { models?: Record<string, OllamaModel>; version?: string }) {
    this.models = new Map(Object.entries(models ?? { 'llama3.2:1b': {} }))
    this.#version = version ?? '0.34.1'
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request
    const address = `${method} ${url}`
    this.requests.push(address)
    const body = method === 'POST' ? await json(request) : null
    switch (address) {
      case 'GET /api/version':
        return send(response, { body: { version: this.#version } })
      case 'GET /api/tags':
        return send(response, { body: { models: [...this.models].map(tagOf) } })
      case 'GET /api/ps':
        return send(response, {
          body: { models: [...this.loaded].map((one) => this.#runningOf(one)) },
        })
      case 'POST /api/show':
        return this.#show(body, response)
      case 'POST /api/embed':
        return this.#embed(body, response)
      case 'POST /api/chat':
        return await this.#chat(body, response)
      default:
        response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    }
  }

  #runningOf([name, contextTokens]: [string, number]) {
    return {
      ...tagOf([name, this.models.get(name) ?? {}]),
      expires_at: new Date(Date.now() + keepAliveMs).toISOString(),
      size_vram: 0,
      context_length: contextTokens,
    }
  }

  #show(body: unknown, response: ServerResponse): void {
    const request = this.#parse(showRequestSchema, body)
    const model = request && this.models.get(request.model)
    if (!model) return send(response, { status: 404, body: { error: 'model not found' } })
    const { ownContextTokens, contextTokens = 131_072 } = model
    const capabilities = model.capabilities ?? ['completion', 'tools']
    const shown = {
      ...(ownContextTokens !== undefined && {
        parameters: `num_ctx                        ${ownContextTokens}`,
      }),
      details: detailsOf(model),
      model_info: {
        'general.architecture': 'llama',
        'general.parameter_count': 1_235_814_432,
        'llama.context_length': contextTokens,
      },
      capabilities: model.isEmbedding ? ['embedding'] : capabilities,
      modified_at: '2026-10-01T08:00:00Z',
    }
    send(response, { body: shown })
  }

  #embed(given: unknown, response: ServerResponse): void {
    const request = this.#parse(embedRequestSchema, given)
    const model = request && this.models.get(request.model)
    if (!request || model?.isEmbedding !== true) {
      return send(response, {
        status: 400,
        body: { error: 'this model does not support embeddings' },
      })
    }
    const embeddings = request.input.map((text) => vectorOf(text, request.dimensions ?? 4))
    const counted = {
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: 5 * embeddings.length,
    }
    send(response, { body: { model: request.model, embeddings, ...counted } })
  }

  async #chat(given: unknown, response: ServerResponse): Promise<void> {
    const request = this.#parse(chatRequestSchema, given)
    if (!request) return send(response, { status: 400, body: { error: 'invalid request' } })
    const chat: ReceivedChat = {
      body: request,
      receivedAtMs: Date.now(),
      startedAtMs: null,
      abortedAtMs: null,
      answeredAtMs: null,
    }
    this.chats.push(chat)
    response.once('close', () => {
      if (response.writableFinished) chat.answeredAtMs = Date.now()
      else chat.abortedAtMs = Date.now()
    })
    const model = this.models.get(request.model)
    if (!model) {
      const error = `model "${request.model}" not found, try pulling it first`
      return send(response, { status: 404, body: { error } })
    }
    const refusal = refusalOf(request, model)
    if (refusal !== null) return send(response, { status: 400, body: { error: refusal } })
    const nth = this.chats.filter(({ body }) => body.model === request.model).length
    const reply = model.reply?.(request, nth) ?? { lines: textLines(request) }
    if ('error' in reply) {
      const { status, error, headers } = reply
      return send(response, { status, headers, body: { error } })
    }
    await this.#decode({ chat, model, lines: reply.lines, response })
  }

  /** One request at a time; the others wait, also for those whose client is gone but still connected. */
  async #decode({ chat, model, lines, response }: Decoding): Promise<void> {
    const before = this.#free
    let release = () => {}
    this.#free = new Promise((resolve) => {
      release = resolve
    })
    await before
    try {
      if (chat.abortedAtMs !== null) return
      chat.startedAtMs = Date.now()
      const loadMs = await this.#load(chat.body, model)
      await write({ chat, model, lines, response, loadMs })
    } finally {
      release()
    }
  }

  async #load({ model: name, options }: OllamaChatRequest, model: OllamaModel): Promise<number> {
    const contextTokens = options?.num_ctx ?? model.ownContextTokens ?? defaultContextTokens
    if (this.loaded.get(name) === contextTokens) return 8
    await delay(model.loadMs ?? 0)
    this.loaded.set(name, contextTokens)
    return model.loadMs ?? 0
  }

  #parse<Value>(schema: z.ZodType<Value>, body: unknown): Value | null {
    const parsed = schema.safeParse(body)
    if (parsed.success) return parsed.data
    this.violations.push(z.prettifyError(parsed.error))
    return null
  }
}

interface Decoding {
  chat: ReceivedChat
  model: OllamaModel
  lines: readonly (OllamaLine | string)[]
  response: ServerResponse
}

async function write({
  chat: { body },
  model,
  lines,
  response,
  loadMs,
}: Decoding & { loadMs: number }): Promise<void> {
  const dressed = lines.map((line) => dress(line, { model: body.model, loadMs }))
  if (!body.stream) {
    await delay((model.lineMs ?? 0) * dressed.length)
    return send(response, { body: wholeOf(dressed) })
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const line of dressed) {
    if (model.lineMs !== undefined) await delay(model.lineMs)
    if (response.destroyed) return
    response.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)
  }
  response.end()
}

export function dress(
  line: OllamaLine | string,
  given: { model: string; loadMs: number },
): OllamaLine | string {
  if (typeof line === 'string') return line
  return {
    model: given.model,
    created_at: '2026-11-22T10:00:00.000Z',
    ...(line.done === true && { load_duration: given.loadMs * 1e6 }),
    ...line,
  }
}

/** Joins the lines of an answer that is not streamed, like the real server. */
export function wholeOf(lines: readonly (OllamaLine | string)[]): OllamaLine {
  const message: OllamaMessage = { role: 'assistant', content: '' }
  let whole: OllamaLine = {}
  for (const line of lines) {
    if (typeof line === 'string') continue
    whole = { ...whole, ...line }
    const { content = '', thinking, tool_calls = [] } = line.message ?? {}
    message.content += content
    if (thinking !== undefined) message.thinking = (message.thinking ?? '') + thinking
    if (tool_calls.length > 0) message.tool_calls = [...(message.tool_calls ?? []), ...tool_calls]
  }
  return { ...whole, message }
}

/** The last line of an answer, with the counts that Ollama gives there. */
export function lastLine(given: OllamaLine = {}): OllamaLine {
  return {
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    total_duration: 1_300_000_000,
    prompt_eval_count: 26,
    prompt_eval_duration: 130_000_000,
    eval_count: 20,
    eval_duration: 400_000_000,
    ...given,
  }
}

export function textLine(content: string): OllamaLine {
  return { message: { role: 'assistant', content }, done: false }
}

function textLines({ think, messages }: OllamaChatRequest): OllamaLine[] {
  const thought = {
    message: { role: 'assistant', content: '', thinking: 'A greeting. ' },
    done: false,
  }
  const question = messages.at(-1)?.content ?? ''
  const words = `You said: ${question}`.split(/(?<= )/)
  return [...(think ? [thought] : []), ...words.map(textLine), lastLine()]
}

/** What the real server checks before it starts the model. */
function refusalOf(
  { model: name, tools, think, messages }: OllamaChatRequest,
  { capabilities = ['completion', 'tools'] }: OllamaModel,
): string | null {
  if (tools && !capabilities.includes('tools')) return `"${name}" does not support tools`
  const thinks = capabilities.includes('thinking')
  if (think && !thinks) return `"${name}" does not support thinking`
  if (typeof think === 'string' && !capabilities.includes('levels')) {
    return `think value "${think}" is not supported for this model`
  }
  const hasImages = messages.some(({ images }) => images && images.length > 0)
  return hasImages && !capabilities.includes('vision') ? `"${name}" does not support images` : null
}

export function tagOf([name, model]: [string, OllamaModel]) {
  return {
    name,
    model: name,
    modified_at: '2026-10-01T08:00:00Z',
    size: model.sizeBytes ?? 1_321_098_329,
    digest: 'baf6a787fdffd633537aa2eb51cfd54cb93ff08e28040095462bb63daf552878',
    details: detailsOf(model),
  }
}

function detailsOf(_model: OllamaModel) {
  return {
    parent_model: '',
    format: 'gguf',
    family: 'llama',
    families: ['llama'],
    parameter_size: '1.2B',
    quantization_level: 'Q8_0',
  }
}

interface Sent {
  status?: number
  headers?: Record<string, string> | undefined
  body: object
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Sent): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}
