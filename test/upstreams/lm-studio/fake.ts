/**
 * A stand-in for LM Studio: the list of models of its own REST API (`/api/v1`, or `/api/v0` alone as before 0.4), and
 * chat in OpenAI's form. It answers unknown addresses as LM Studio does, with status 200.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export interface FakeLmStudio {
  port: number
  /** Method and path of every request. */
  requests: readonly string[]
  /** Times at which each chat was received, and at which its client closed the connection before its end. */
  chats: readonly { receivedAtMs: number; abortedAtMs: number | null }[]
  close(): Promise<void>
}

interface FakeOptions {
  port?: number
  isOld?: boolean
  /** Milliseconds between the events of an answer. */
  eventMs?: number
  /** Words of each answer. */
  words?: number
}

export async function startFakeLmStudio(options: FakeOptions = {}): Promise<FakeLmStudio> {
  const requests: string[] = []
  const chats: { receivedAtMs: number; abortedAtMs: number | null }[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const address = `${request.method} ${request.url}`
    requests.push(address)
    if (address !== 'POST /v1/chat/completions') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(listAt(address, options) ?? unexpected(address)))
      return
    }
    const chat = { receivedAtMs: Date.now(), abortedAtMs: null as number | null }
    chats.push(chat)
    response.once('close', () => {
      if (!response.writableFinished) chat.abortedAtMs = Date.now()
    })
    await json(request)
    await streamAnswer(response, options)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    // A listening TCP server's address is an AddressInfo.
    port: (server.address() as AddressInfo).port,
    requests,
    chats,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function unexpected(address: string) {
  return { error: `Unexpected endpoint or method. (${address})` }
}

function listAt(address: string, { isOld = false }: FakeOptions): object | null {
  switch (address) {
    case 'GET /api/v1/models':
      return isOld ? null : { models: [chatModel, embeddingModel] }
    case 'GET /api/v0/models':
      return { object: 'list', data: olderModels }
    case 'GET /v1/models':
      return { object: 'list', data: [{ id: chatModel.key, object: 'model' }] }
    default:
      return null
  }
}

const chatModel = {
  type: 'llm',
  publisher: 'lmstudio-community',
  key: 'qwen3-4b',
  display_name: 'Qwen3 4B',
  architecture: 'qwen3',
  quantization: { name: 'Q4_K_M', bits_per_weight: 4 },
  size_bytes: 2_497_280_256,
  params_string: '4B',
  loaded_instances: [{ id: 'qwen3-4b', config: { context_length: 8192, flash_attention: true } }],
  max_context_length: 40_960,
  format: 'gguf',
  capabilities: { vision: false, trained_for_tool_use: true },
  description: null,
}

const embeddingModel = {
  type: 'embedding',
  publisher: 'nomic-ai',
  key: 'text-embedding-nomic-embed-text-v1.5',
  display_name: 'Nomic Embed Text v1.5',
  quantization: { name: 'Q4_0', bits_per_weight: 4 },
  size_bytes: 84_106_624,
  params_string: null,
  loaded_instances: [],
  max_context_length: 2048,
  format: 'gguf',
}

const olderModels = [
  {
    id: 'qwen2-vl-7b-instruct',
    object: 'model',
    type: 'vlm',
    state: 'not-loaded',
    max_context_length: 32_768,
  },
  {
    id: 'meta-llama-3.1-8b-instruct',
    object: 'model',
    type: 'llm',
    state: 'loaded',
    max_context_length: 131_072,
    loaded_context_length: 4096,
    capabilities: ['tool_use'],
  },
  {
    id: 'text-embedding-nomic-embed-text-v1.5',
    object: 'model',
    type: 'embeddings',
    state: 'not-loaded',
    max_context_length: 2048,
  },
]

async function streamAnswer(
  response: ServerResponse,
  { eventMs = 0, words = 8 }: FakeOptions,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (choice: object, more: object = {}) => {
    const event = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: chatModel.key }
    const choices = [{ index: 0, finish_reason: null, delta: {}, ...choice }]
    response.write(`data: ${JSON.stringify({ ...event, choices, ...more })}\n\n`)
  }
  for (let word = 0; word < words; word += 1) {
    await delay(eventMs)
    if (response.destroyed) return
    send({ delta: { role: 'assistant', content: `word${word} ` } })
  }
  const usage = { prompt_tokens: 12, completion_tokens: words, total_tokens: 12 + words }
  send({ finish_reason: 'stop' }, { usage })
  response.end('data: [DONE]\n\n')
}
