/** The search for model servers on this computer, against stand-ins on real ports. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  describeModels,
  findLocalServers,
  usualPlaces,
  type ServerPlace,
} from '../../src/service/providers/local-servers.ts'
import { Outbound } from '../../src/service/providers/outbound.ts'
import { asLateAsSockets } from '../http/as-late-as-sockets.ts'
import { startFakeLmStudio } from '../upstreams/lm-studio/fake.ts'
import { startFakeOllama } from '../upstreams/ollama/fake.ts'

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})
const connect = outbound.connector({ id: 'providers', privateNetwork: false })

function pathAt(usualPort: number): string {
  const place = usualPlaces.find(({ port }) => port === usualPort)
  if (!place) throw new Error(`nothing is searched for at port ${usualPort}`)
  return place.path
}

const find = (places: readonly ServerPlace[], ownPorts: readonly number[] = []) =>
  findLocalServers({ connect, places, ownPorts })

/** Starts any other server, and records the requests that it gets. */
async function serve(listener: RequestListener): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  // A listening TCP server's address is an AddressInfo.
  return { port: (server.address() as AddressInfo).port, requests }
}

/** A server that answers these addresses with JSON. */
function serveJson(answers: Readonly<Record<string, unknown>>) {
  return serve(({ url = '' }, response) => {
    const answer = answers[url]
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'not found' }))
  })
}

test('Ollama is found with its version and the state of its models', async () => {
  const fake = await startFakeOllama({
    models: {
      'llama3.2:1b': { sizeBytes: 1_300_000_000 },
      'qwen3:8b': { ownContextTokens: 16_384, capabilities: ['completion', 'tools', 'thinking'] },
      'nomic-embed-text': { isEmbedding: true },
    },
  })
  onTestFinished(() => fake.close())
  const places = [{ port: fake.port, path: pathAt(11_434) }]
  const [server] = await find(places)

  expect(server).toMatchObject({
    type: 'ollama',
    version: '0.34.1',
    baseUrl: fake.url,
    slots: null,
  })
  expect(server?.models[0]).toMatchObject({
    name: 'llama3.2:1b',
    isLoaded: false,
    sizeBytes: 1_300_000_000,
  })
  expect(fake.requests).toEqual(['GET /api/tags', 'GET /api/version', 'GET /api/ps'])
})

test('Ollama’s models have the context that it will use, and embeddings are a capability', async () => {
  const fake = await startFakeOllama({
    models: {
      plain: { contextTokens: 131_072 },
      short: { contextTokens: 2048 },
      own: { ownContextTokens: 16_384, capabilities: ['completion', 'vision'] },
      embed: { isEmbedding: true, contextTokens: 2048 },
      other: { capabilities: ['image'] },
    },
  })
  onTestFinished(() => fake.close())
  const [server] = await find([{ port: fake.port, path: pathAt(11_434) }])
  const models = server ? await describeModels(server, { connect }) : []

  expect(models.map(({ name, contextTokens }) => [name, contextTokens])).toEqual([
    // Not the longest of the model: Ollama loads it with its own default.
    ['plain', 4096],
    ['short', 2048],
    ['own', 16_384],
    ['embed', 2048],
  ])
  expect(models[0]?.capabilities).toEqual(['json', 'tools', 'logprobs'])
  expect(models[2]?.capabilities).toEqual(['json', 'vision', 'logprobs'])
  expect(models[3]?.capabilities).toEqual(['embeddings'])
})

test('models that Ollama runs elsewhere are left out', async () => {
  const tag = { size: 384, digest: 'ab', modified_at: '2026-10-01T08:00:00Z' }
  const { port } = await serveJson({
    '/api/tags': {
      models: [
        { ...tag, name: 'gpt-oss:120b-cloud', remote_host: 'https://ollama.com:443' },
        { ...tag, name: 'm' },
      ],
    },
  })
  const [server] = await find([{ port, path: pathAt(11_434) }])
  expect(server?.models.map(({ name }) => name)).toEqual(['m'])
})

test('LM Studio is found with one request', async () => {
  const fake = await startFakeLmStudio()
  onTestFinished(() => fake.close())
  const [server] = await find([{ port: fake.port, path: pathAt(1234) }])

  expect(server).toMatchObject({
    type: 'lm-studio',
    baseUrl: `http://127.0.0.1:${fake.port}/v1`,
    models: [
      {
        name: 'qwen3-4b',
        isLoaded: true,
        contextTokens: 8192,
        sizeBytes: 2_497_280_256,
        capabilities: ['json', 'tools'],
      },
      {
        name: 'text-embedding-nomic-embed-text-v1.5',
        isLoaded: false,
        contextTokens: 2048,
        capabilities: ['embeddings'],
      },
    ],
  })
  expect(fake.requests).toEqual(['GET /api/v1/models'])
})

test('LM Studio before 0.4 is found by its older list', async () => {
  const fake = await startFakeLmStudio({ isOld: true })
  onTestFinished(() => fake.close())
  const [server] = await find([{ port: fake.port, path: pathAt(1234) }])

  expect(server?.type).toBe('lm-studio')
  expect(server?.models).toEqual([
    {
      name: 'qwen2-vl-7b-instruct',
      isLoaded: false,
      contextTokens: 32_768,
      sizeBytes: null,
      capabilities: ['json', 'vision'],
    },
    {
      name: 'meta-llama-3.1-8b-instruct',
      isLoaded: true,
      contextTokens: 4096,
      sizeBytes: null,
      capabilities: ['json', 'tools'],
    },
    {
      name: 'text-embedding-nomic-embed-text-v1.5',
      isLoaded: false,
      contextTokens: 2048,
      sizeBytes: null,
      capabilities: ['embeddings'],
    },
  ])
})

test('a llama.cpp server is found with its slots and its context', async () => {
  const meta = { n_ctx_train: 131_072, size: 1_290_000_000 }
  const { port, requests } = await serveJson({
    '/v1/models': { object: 'list', data: [{ id: 'gemma-3-1b', owned_by: 'llamacpp', meta }] },
    '/props': {
      total_slots: 4,
      build_info: 'b9992-0c1f2a3',
      default_generation_settings: { n_ctx: 16_384 },
      modalities: { vision: true, audio: false },
      chat_template_caps: { supports_tools: true, supports_tool_calls: true },
    },
  })
  const [server] = await find([{ port, path: pathAt(8080) }])

  expect(server).toMatchObject({ type: 'llama-cpp', version: 'b9992-0c1f2a3', slots: 4 })
  expect(server?.models).toEqual([
    {
      name: 'gemma-3-1b',
      isLoaded: true,
      contextTokens: 16_384,
      sizeBytes: 1_290_000_000,
      capabilities: ['json', 'tools', 'vision'],
    },
  ])
  expect(requests).toEqual(['GET /v1/models', 'GET /props'])
})

test('vLLM is found, at the usual port of another server too', async () => {
  const { port } = await serveJson({
    '/v1/models': { data: [{ id: 'Qwen/Qwen3-32B', owned_by: 'vllm', max_model_len: 40_960 }] },
    '/version': { version: '0.19.2' },
  })
  const [server] = await find([{ port, path: pathAt(8080) }])
  expect(server).toMatchObject({ type: 'vllm', version: '0.19.2' })
  expect(server?.models[0]).toMatchObject({ name: 'Qwen/Qwen3-32B', contextTokens: 40_960 })
})

describe('a server of another kind gets one request and is not found:', () => {
  test.each<[string, RequestListener]>([
    ['a web page', (_request, response) => response.end('<html></html>')],
    ['JSON of another form', (_request, response) => response.end('{"models":"many"}')],
    [
      'an unknown owner',
      (_request, response) => response.end('{"data":[{"id":"m","owned_by":"x"}]}'),
    ],
    ['a refusal', (_request, response) => response.writeHead(401).end('{"models":[]}')],
    ['an endless answer', (_request, response) => void response.write('{"models":[')],
    ['silence', () => {}],
  ])('%s', async (_name, listener) => {
    const { port, requests } = await serve(listener)
    for (const usual of [11_434, 1234, 8080, 8000]) {
      expect(await find([{ port, path: pathAt(usual) }])).toEqual([])
    }
    expect(requests).toHaveLength(4)
  })
})

test('ports are searched at the same time, and the search ends within its limit', async () => {
  const silent = await Promise.all(Array.from({ length: 5 }, () => serve(() => {})))
  const fake = await startFakeLmStudio()
  onTestFinished(() => fake.close())
  const ports = [...silent.map(({ port }) => port), fake.port]
  // One after another they would take 2.5 s.
  const tooLate = asLateAsSockets(1_500).then(() => null)
  const finding = find(ports.map((port) => ({ port, path: pathAt(1234) })))
  expect(await Promise.race([finding, tooLate])).toHaveLength(1)
})

test('Modelport’s own ports are not asked', async () => {
  const { port, requests } = await serveJson({})
  await find([{ port, path: pathAt(8000) }], [port])
  expect(requests).toEqual([])
})
