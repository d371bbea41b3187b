/**
 * The real service on a new data folder with the fake provider as its upstream, the basis of most wire tests.
 * Everything ends with the test.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { Agent, fetch as undiciFetch, type RequestInit, type Response } from 'undici'
import { onTestFinished } from 'vitest'
import type { RequestRecord, RouterInput } from '../src/shared/entities.ts'
import { startService, type Service, type ServiceOptions } from '../src/service/service.ts'
import { startFakeProvider, type FakeModelScript, type FakeProvider } from './fake-provider.ts'
import { newPreparedFolder } from './prepared-folder.ts'

export interface TestService {
  service: Service
  fake: FakeProvider
  dataDir: string
  /** `https://localhost:…` */
  origin: string
  routerId: string
  /** `…/api/router/<id>` */
  routerUrl: string
  apiKey: string
  /** Trusts the service's own authority; the key is sent unless `headers` say otherwise. */
  post(path: string, body: unknown, init?: ClientInit): Promise<Response>
  get(path: string, init?: ClientInit): Promise<Response>
  /** Resolves to the ledger's rows, newest first, once there are `count`. */
  ledger(count: number): Promise<RequestRecord[]>
  /**
   * Resolves to the `count` rows before that of one more request, newest first. A row too many fails without a wait,
   * because rows are written in order.
   */
  onlyRows(count: number): Promise<RequestRecord[]>
  openai(): OpenAI
  /** Anthropic's SDK at the same router. */
  anthropic(): Anthropic
  /** Google's. */
  gemini(): GoogleGenAI
}

/** Headers as plain names and values, so that they can be merged. */
type ClientInit = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

interface TestServiceOptions {
  /** Scripts of the fake provider; each is a model of the router, in this order. */
  models?: Readonly<Record<string, FakeModelScript>>
  router?: Partial<RouterInput>
  service?: Partial<ServiceOptions>
}

/** @param atEnd  when everything ends: with the test, or `afterAll` for a group of tests */
export async function startTestService(
  options: TestServiceOptions = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<TestService> {
  const models = options.models ?? { 'fake-model': {} }
  const dataDir = await newPreparedFolder()
  const fake = await startFakeProvider({ models, tls: false })
  const service = await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    env: {},
    holder: 'serve',
    port: 0,
    extraCa: fake.ca === null ? [] : [fake.ca],
    ...options.service,
  })
  // The wire tests run a second time with only the general HTTP server (vitest.config.ts).
  if (process.env['MODELPORT_TEST_FAST_LANE'] === 'off') {
    await service.dashboard.setSetting('fastLane', false)
  }
  atEnd(async () => {
    await service.close()
    await fake.close()
    // The log's last line can reach its file after the service has closed.
    await rm(dataDir, { recursive: true, maxRetries: 5 })
  })
  const router = await addFakeRouter(service, fake, { models, router: options.router ?? {} })
  const { key } = await service.dashboard.createApiKey({ name: 'test', routers: 'all' })
  const { origin, dispatcher } = await trustEndpoint(service)
  atEnd(() => dispatcher.close())
  const routerUrl = `${origin}/api/router/${router.id}`
  const client = createClient({ routerUrl, key, dispatcher })
  return {
    service,
    fake,
    dataDir,
    origin,
    routerId: router.id,
    routerUrl,
    apiKey: key,
    ...client,
    ledger: (count) => waitForRows(service, count),
    async onlyRows(count) {
      const answer = await client.post('chat/completions', hello)
      await answer.text()
      const [last, ...rows] = await waitForRows(service, count + 1)
      if (last?.id !== answer.headers.get('x-request-id')) throw new Error('there are more rows')
      return rows
    },
  }
}

/**
 * @returns an undici dispatcher that trusts the service's own authority. It waits long for its handshakes: a busy machine
 *   takes seconds for those of hundreds of connections at once.
 */
export async function trustEndpoint(
  service: Service,
): Promise<{ origin: string; dispatcher: Agent }> {
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('the endpoint does not listen')
  const ca = await readFile(endpoint.caFile, 'utf8')
  return {
    origin: endpoint.url,
    dispatcher: new Agent({ connect: { ca, timeout: 60_000 }, connections: 256 }),
  }
}

interface ClientOptions {
  routerUrl: string
  key: string
  dispatcher: Agent
}

type SdkFetchOptions = NonNullable<
  NonNullable<ConstructorParameters<typeof OpenAI>[0]>['fetchOptions']
>

type AnthropicFetchOptions = NonNullable<
  NonNullable<ConstructorParameters<typeof Anthropic>[0]>['fetchOptions']
>

export function createClient({
  routerUrl,
  key,
  dispatcher,
}: ClientOptions): Pick<TestService, 'get' | 'post' | 'openai' | 'anthropic' | 'gemini'> {
  const get = (path: string, init: ClientInit = {}) =>
    undiciFetch(new URL(path, `${routerUrl}/`), {
      dispatcher,
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    })
  return {
    get,
    post: (path, body, init = {}) =>
      get(path, {
        method: 'POST',
        ...init,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
    openai: () =>
      new OpenAI({
        baseURL: `${routerUrl}/v1`,
        apiKey: key,
        maxRetries: 0,
        // Two packages' types of the same value.
        fetchOptions: { dispatcher } as SdkFetchOptions,
      }),
    anthropic: () =>
      new Anthropic({
        baseURL: routerUrl,
        apiKey: key,
        authToken: null,
        maxRetries: 0,
        fetchOptions: { dispatcher } as AnthropicFetchOptions,
      }),
    gemini: () => {
      // The types of Node's own fetch and of the package differ, not the values.
      const send = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher })
      const httpOptions = { baseUrl: routerUrl, fetch: send as unknown as typeof fetch }
      return new GoogleGenAI({ apiKey: key, httpOptions })
    },
  }
}

/** @param apiKey  null where the environment has it */
export async function addFakeRouter(
  { dashboard }: Service,
  fake: FakeProvider,
  {
    models,
    router,
    apiKey = 'sk-fake-provider-key',
  }: Pick<TestServiceOptions, 'models' | 'router'> & { apiKey?: string | null },
) {
  const names = Object.keys(models ?? {})
  await dashboard.addProvider({
    id: 'fake',
    type: 'openai-compatible',
    baseUrl: fake.url,
    ...(apiKey !== null && { apiKey }),
  })
  for (const name of names) {
    await dashboard.saveModel({
      id: `fake:${name}`,
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      contextTokens: 100_000,
      capabilities: ['tools', 'json', 'vision'],
    })
  }
  return await dashboard.createRouter({
    name: 'Test',
    strategy: 'priority',
    models: names.map((name) => `fake:${name}`),
    ...router,
  })
}

async function waitForRows(service: Service, count: number): Promise<RequestRecord[]> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const rows = await service.usage.requests({ limit: 1000 })
    if (rows.length >= count || performance.now() > deadline) return rows
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

export const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] }
