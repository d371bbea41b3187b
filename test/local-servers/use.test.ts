/** A model server that was found: added in one step, used, measured, and waited for. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { previewSchema } from '../../src/shared/routers/preview.ts'
import { vectorOf } from '../fake-provider/embeddings.ts'
import { startTestService } from '../test-service.ts'
import { lastLine, startFakeOllama, textLine, type OllamaModel } from '../upstreams/ollama/fake.ts'
import { asLateAsSockets } from '../http/as-late-as-sockets.ts'

async function start(models: Record<string, OllamaModel>) {
  const fake = await startFakeOllama({ models })
  onTestFinished(() => fake.close())
  const serverPlaces = [{ port: fake.port, path: '/api/tags' }]
  const started = await startTestService({ service: { serverPlaces } })
  const { dashboard } = started.service
  const add = () => dashboard.addServer(fake.url)
  /** @param second  a model to which a request may go instead */
  const routerOf = async (name: string, second?: string) => {
    const ids = [`ollama:${name}`, ...(second === undefined ? [] : [second])]
    const { id } = await dashboard.createRouter({ name, strategy: 'priority', models: ids })
    return `${started.origin}/api/router/${id}/chat/completions`
  }
  const ask = async (url: string, body: object = {}, signal?: AbortSignal) => {
    const messages = [{ role: 'user', content: 'Hello' }]
    return await started.post(url, { messages, ...body }, signal ? { signal } : {})
  }
  return { ...started, fake, dashboard, add, routerOf, ask }
}

const lines = (count: number) => [
  ...Array.from({ length: count }, () => textLine('x ')),
  lastLine(),
]

test('nothing is searched for before a person asks', async () => {
  const { fake, dashboard } = await start({ m: {} })
  await dashboard.providers()
  await dashboard.models()
  expect(fake.requests).toEqual([])
})

test('a found server is added with its models, at no cost', async () => {
  const { dashboard, add, fake } = await start({
    m: { sizeBytes: 5e9 },
    embed: { isEmbedding: true },
  })
  const [found] = await dashboard.findServers()
  expect(found).toMatchObject({ providerId: null, suggestedId: 'ollama', typeName: 'Ollama' })

  const added = await add()
  expect(added).toMatchObject({
    id: 'ollama',
    type: 'ollama',
    baseUrl: fake.url,
    privateNetwork: false,
  })
  const models = (await dashboard.models()).filter(({ providerId }) => providerId === 'ollama')
  expect(models.find(({ id }) => id === 'ollama:m')).toMatchObject({
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    contextTokens: 4096,
    capabilities: ['json', 'tools', 'logprobs'],
    energyWhPerKtok: 0.9,
  })
  expect(models.find(({ id }) => id === 'ollama:embed')).toMatchObject({
    inputUsdPerMtok: 0,
    capabilities: ['embeddings'],
  })

  const [again] = await dashboard.findServers()
  expect(again).toMatchObject({ providerId: 'ollama', suggestedId: 'ollama-2' })
  await expect(add()).rejects.toMatchObject({ code: 'conflict' })
})

test('a server that stopped is not added', async () => {
  const { dashboard } = await start({ m: {} })
  await expect(dashboard.addServer('http://127.0.0.1:9')).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a router that is limited to this computer uses it', async () => {
  const { dashboard, add, routerUrl, ask } = await start({ m: {} })
  await add()
  const routing = { localOnly: true }
  const models = ['fake:fake-model', 'ollama:m']
  const router = await dashboard.createRouter({
    name: 'here',
    strategy: 'priority',
    models,
    routing,
  })
  const base = routerUrl.slice(0, routerUrl.lastIndexOf('/'))
  const answer = await ask(`${base}/${router.id}/chat/completions`)
  expect(await answer.json()).toMatchObject({ model: 'ollama:m', _meta: { cost: 0 } })
})

test('a router makes embeddings on this computer, without cost and without tokens', async () => {
  const { dashboard, add, routerUrl, ask } = await start({
    m: {},
    'nomic-embed-text:latest': { isEmbedding: true },
  })
  await add()
  const models = ['fake:fake-model', 'ollama:m', 'ollama:nomic-embed-text:latest']
  const router = { name: 'here', strategy: 'priority' as const, models }
  const { id } = await dashboard.createRouter(router)
  const url = `${routerUrl.slice(0, routerUrl.lastIndexOf('/'))}/${id}/embeddings`

  const answer = await ask(url, { input: ['Hello', 'World'] })
  const tokens = await ask(url, { input: [1, 2] })

  expect(await answer.json()).toMatchObject({
    model: 'ollama:nomic-embed-text:latest',
    data: [{ embedding: vectorOf('Hello', 4) }, { embedding: vectorOf('World', 4) }],
    usage: { prompt_tokens: 10 },
    _meta: { cost: 0 },
  })
  expect(tokens.status).toBe(400)
  expect(await tokens.text()).toContain('Send texts')
})

test('its speed and its load time are measured, and shown with its provider', async () => {
  const { dashboard, add, routerOf, ask, fake } = await start({ m: { loadMs: 600 } })
  await add()
  const url = await routerOf('m')
  expect((await ask(url)).status).toBe(200)
  expect((await ask(url, { stream: true })).status).toBe(200)
  await expect
    .poll(async () => (await dashboard.providers()).find(({ id }) => id === 'ollama')?.servedModels)
    .toEqual([
      {
        modelId: 'ollama:m',
        atMs: expect.any(Number),
        msPerToken: expect.closeTo(20),
        msPerPromptToken: expect.closeTo(5),
        loadMs: expect.closeTo(600),
        isLoaded: true,
      },
    ])
  fake.unload('m')
  await dashboard.findServers()
  const provider = (await dashboard.providers()).find(({ id }) => id === 'ollama')
  expect(provider?.servedModels[0]?.isLoaded).toBe(false)
})

test('a caller that leaves frees the slot within 100 ms, and the next request is answered', async () => {
  const { add, routerOf, ask, fake } = await start({
    slow: { lineMs: 20, reply: () => ({ lines: lines(500) }) },
    m: {},
  })
  await add()
  const [slow, quick] = [await routerOf('slow'), await routerOf('m')]
  const stop = new AbortController()
  const left = ask(slow, { stream: true }, stop.signal)
  await left
  const next = ask(quick)
  await delay(50)
  expect(fake.chats).toHaveLength(1)

  stop.abort()
  await asLateAsSockets(100)
  expect(fake.chats[0]?.abortedAtMs).toEqual(expect.any(Number))
  expect((await next).status).toBe(200)
})

test('a request goes to another model when the wait is longer than its answer', async () => {
  const { add, routerOf, ask, post, ledger } = await start({
    m: { lineMs: 100, reply: () => ({ lines: lines(400) }) },
  })
  await add()
  const url = await routerOf('m', 'fake:fake-model')
  /** Expected latency of a request that is sent now, with its wait. */
  const expectedMs = async () => {
    const headers = { 'x-modelport-preview': 'true' }
    const messages = [{ role: 'user', content: 'Hello' }]
    const { decision } = previewSchema.parse(
      await (await post(url, { messages }, { headers })).json(),
    )
    return decision.ranked.find(({ model }) => model === 'ollama:m')?.estimate.latencyMs ?? 0
  }
  const freeMs = await expectedMs()
  const stop = new AbortController()

  // Unmeasured models are expected to be equally fast, so two waiting requests make the other one quicker.
  const settled = Promise.allSettled([ask(url, {}, stop.signal), ask(url, {}, stop.signal)])
  await expect.poll(expectedMs).toBeGreaterThan(2.5 * freeMs)
  const answer = await ask(url)
  expect(await answer.json()).toMatchObject({ model: 'fake:fake-model' })
  stop.abort()
  await settled
  await ledger(1)
})
