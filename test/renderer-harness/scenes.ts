/** Test data for the fake bridge: the service's data at the start of a scene. */
import { sampleConversation, sampleMessage, threadOf } from '../sample-conversations.ts'
import type { ConversationMessage } from '../../src/shared/chat/conversations.ts'
import type {
  ApiKey,
  Model,
  Provider,
  ProviderKey,
  RequestRecord,
  Router,
} from '../../src/shared/entities.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { fillAgents } from './agent-scenes.ts'
import { exampleUpdates } from './fake-updates.ts'
import { exampleLocalModels } from './fake-local-models.ts'
import type { Scene } from './scene.ts'
import { settings as descriptions, type Settings } from '../../src/shared/app/settings.ts'

const nowMs = Date.now()
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const localModelFile = '/home/user/.cache/modelport/SmolLM2-135M-Instruct.gguf'

function defaults(): Settings {
  const entries = Object.entries(descriptions).map(([name, entry]) => [name, entry.default])
  // Each default has its own schema's type, as the table's `satisfies` guarantees.
  return Object.fromEntries(entries) as Settings
}

/** A first start: only the built-in model, without its file. */
export function emptyScene(): Scene {
  return {
    app: {
      version: '0.1.0',
      dataDir: '/home/user/.local/share/modelport',
      homeDir: '/home/user',
      systemLocale: 'en-US',
      endpoint: {
        status: 'listening',
        url: 'https://localhost:6778',
        httpUrl: null,
        caFile: '/home/user/.local/share/modelport/ca.pem',
        caBundleFile: '/home/user/.local/share/modelport/ca-bundle.pem',
      },
      secrets: {
        backend: 'keychain',
        state: 'ready',
        message: 'Keys are kept in the keychain of this computer.',
      },
      storage: { outage: null, damage: null },
      localModel: { status: 'missing', downloadBytes: 94_371_840 },
      isPaused: false,
      certificate: { leafMs: Number.MAX_SAFE_INTEGER, authorityMs: Number.MAX_SAFE_INTEGER },
      mustTrustAgain: false,
      refusedOrigins: [],
    },
    localModels: exampleLocalModels(),
    settings: defaults(),
    start: { status: 'started', restore: null },
    startup: { launchesAtLogin: false, startsHidden: false, hasTray: true },
    updates: exampleUpdates(),
    providers: [],
    models: [],
    routers: [],
    agents: [],
    executions: [],
    steps: {},
    keys: [],
    conversations: [],
    messages: {},
    requests: [],
  }
}

/** A service in use. */
export function usedScene(): Scene {
  const scene = emptyScene()
  scene.app.localModel = { status: 'ready', file: localModelFile, threads: 2, gpu: null }
  scene.models = [
    model('local:SmolLM2-135M-Instruct', [0, 0]),
    model('openai:gpt-5-mini', [0.25, 2]),
    model('openai:gpt-5', [1.25, 10]),
    model('team-server:qwen3-32b', null),
    ...Array.from({ length: 50 }, (_, index) => model(`openai:model-${index + 1}`, [index, index])),
  ]
  scene.providers = [
    provider('local', 'local', 'Built-in local model'),
    provider('openai', 'openai', 'OpenAI'),
    {
      ...provider('team-server', 'openai-compatible', 'OpenAI-compatible'),
      baseUrl: 'https://llm.example.com/v1',
      options: { 'api-version': '2024-10-21', 'header.X-Team': 'search' },
      health: {
        status: 'failing',
        checkedAtMs: nowMs - 4 * 60_000,
        problem: 'key_rejected',
        message: 'The provider refused the key (401). Paste a new one.',
      },
    },
  ]
  const local = router('router_Fh3kQ9aZ1bC4dE7g', 'Local', ['local:SmolLM2-135M-Instruct'])
  const shop: Router = {
    ...router('router_Jk2mN8pR5sT7vW1x', 'Web shop', [
      'openai:gpt-5-mini',
      'openai:gpt-5',
      'local:SmolLM2-135M-Instruct',
    ]),
    tier: 'enterprise',
    dailyLimit: 25_000,
    budgetUsdPerDay: 5,
    budgetUsdPerMonth: 60,
  }
  scene.routers = [local, { ...shop, strategy: 'cost_optimized' }]
  scene.keys = [
    key('Web shop backend', {
      environment: 'prod',
      budgetUsdPerMonth: 20,
      createdAtMs: nowMs - 112 * dayMs,
    }),
    key('Notebook', { lastUsedAtMs: null, createdAtMs: nowMs - 2 * hourMs, expiresAtMs: null }),
    key('Old importer', { environment: 'stage', revokedAtMs: nowMs - 3 * dayMs }),
  ]
  scene.requests = Array.from({ length: 14 }, (_, index) => pretendedRequest(shop, index))
  fillConversations(scene, shop.id)
  fillAgents(scene, nowMs)
  return scene
}

/** A busy router: more requests than the chart draws individually. */
export function busyScene(): Scene {
  const scene = usedScene()
  const shop = scene.routers[1]
  if (shop) scene.requests = Array.from({ length: 900 }, (_, at) => pretendedRequest(shop, at))
  return scene
}

function model(id: string, price: [number, number] | null): Model {
  return {
    id,
    providerId: id.slice(0, id.indexOf(':')),
    inputUsdPerMtok: price?.[0] ?? null,
    outputUsdPerMtok: price?.[1] ?? null,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    priceTiers: [],
    timedPrices: [],
    contextTokens: price ? 128_000 : null,
    maxOutputTokens: null,
    capabilities: [],
    quality: null,
    rating: null,
    efforts: [],
    energyWhPerKtok: null,
    size: null,
    speed: null,
    region: null,
    parameters: { refuses: [], samplesWithoutReasoning: false, sendsTemperature: false },
    priceSource: price ? { kind: 'catalog', source: 'example', asOf: '2026-11-01' } : null,
  }
}

export function provider(id: string, type: string, typeName: string): Provider {
  const needsKey = type !== 'local'
  return {
    id,
    type,
    typeName,
    baseUrl: null,
    privateNetwork: false,
    options: {},
    needsKey,
    hasKey: needsKey,
    keyBelongsTo: null,
    keys: needsKey ? [providerKey('default')] : [],
    createdAtMs: nowMs - 40 * dayMs,
    health: { status: 'ok', checkedAtMs: nowMs - hourMs, latencyMs: 212 },
    keySource: null,
    pausedModels: [],
    servedModels: [],
  }
}

export function providerKey(name: string): ProviderKey {
  return { name, belongsTo: null, problem: null, pausedUntilMs: null, remaining: null }
}

function router(id: string, name: string, models: string[]): Router {
  return {
    id,
    name,
    strategy: 'priority',
    models,
    tier: 'pro',
    dailyLimit: null,
    cacheTtlSeconds: null,
    timeLimits: {},
    hedge: null,
    routing: routingSettingsSchema.parse({}),
    requestsPerMinute: null,
    budgetUsdPerDay: null,
    budgetUsdPerMonth: null,
    createdAtMs: nowMs - 40 * dayMs,
    updatedAtMs: nowMs - dayMs,
  }
}

export function key(name: string, differences: Partial<ApiKey>): ApiKey {
  return {
    id: `key_${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    environment: 'dev',
    routers: 'all',
    hint: 'mp_…x7Qa',
    expiresAtMs: nowMs + 30 * dayMs,
    acceptAnyModel: false,
    metrics: false,
    explain: false,
    keepAlive: true,
    tag: null,
    budgetUsdPerDay: null,
    budgetUsdPerMonth: null,
    createdAtMs: nowMs - 20 * dayMs,
    lastUsedAtMs: nowMs - 5 * 60_000,
    revokedAtMs: null,
    rotatedFromId: null,
    ...differences,
  }
}

/** An earlier request: different for each number, but always the same for one number. */
function pretendedRequest(at: Router, index: number): RequestRecord {
  const wave = (Math.sin(index * 1.7) + 1) / 2
  const modelUsed = at.models[wave > 0.8 ? 1 : index % 5 === 4 ? 2 : 0] ?? null
  const isFree = modelUsed === 'local:SmolLM2-135M-Instruct'
  return {
    id: `request-${at.id}-${index}`,
    routerId: at.id,
    apiKeyId: null,
    source: 'chat',
    startedAtMs: nowMs - (14 - (index % 14)) * 7 * 60_000 - Math.floor(index / 14) * hourMs,
    status: 200,
    errorCode: null,
    modelUsed,
    routerDecision: 'cost_optimized',
    isStreamed: true,
    attempts: 1,
    reportedPromptTokens: 100,
    reportedCompletionTokens: 200,
    estimatedPromptTokens: null,
    estimatedCompletionTokens: null,
    costNanoUsd: isFree ? 0 : Math.round(400_000 + wave * 2_400_000),
    latencyMs: Math.round(480 + wave * 1900),
    firstTokenMs: 210,
    carbonGrams: 0.08 + wave * 0.35,
    cachedFrom: null,
    executionId: null,
    stepId: null,
    fallbackFrom: null,
    fallbackReason: null,
    sessionId: null,
    agentId: null,
    sessionStep: null,
    tag: null,
  }
}

const sampleAnswer = `A **router** is a set of models and a *strategy*. For each request it

1. leaves out the models that cannot answer it,
2. estimates what each of the others would cost,
3. asks the first, and falls over to the next when it fails.

| Strategy | Takes |
| --- | --- |
| Cost optimized | the cheapest |
| Priority | your order |

\`\`\`ts
const ranked = rankByCost(candidates, promptTokens)
\`\`\`

See [the notes](https://example.com/notes) and ![a diagram](https://example.com/router.png).
`

function fillConversations(scene: Scene, routerId: string): void {
  const titles = ['How a router decides', 'Names for a harbour', 'A regular expression for dates']
  scene.conversations = titles.map((title, index) =>
    sampleConversation({
      id: `conversation-${index}`,
      title,
      routerId,
      createdAtMs: nowMs - (index + 1) * hourMs * 5,
      updatedAtMs: nowMs - index * hourMs * 5 - 120_000,
    }),
  )
  const meta = {
    requestId: `request-${routerId}-1`,
    modelUsed: 'openai:gpt-5-mini',
    costUsd: 0.002_14,
    latencyMs: 812,
    carbonGrams: 0.27,
    routerDecision: 'cost_optimized',
    fallback: null,
  } as const
  scene.messages['conversation-0'] = threadOf([
    message('user', 'How does a router decide which model answers?'),
    { ...message('assistant', sampleAnswer), meta },
    message('user', 'And when every model is down?'),
    {
      ...message('assistant', 'Then the request is answered with status 503, and'),
      state: 'stopped',
      meta: {
        ...meta,
        requestId: `request-${routerId}-4`,
        costUsd: 0,
        modelUsed: 'local:SmolLM2-135M-Instruct',
        latencyMs: 3420,
      },
    },
    message('user', 'Try it.'),
    {
      ...message('assistant', ''),
      state: 'failed',
      error: 'No model could answer: openai:gpt-5-mini is out of credit, openai:gpt-5 timed out.',
    },
  ])
}

export function message(role: 'user' | 'assistant', text: string): ConversationMessage {
  return sampleMessage({ id: crypto.randomUUID(), role, text, createdAtMs: nowMs })
}
