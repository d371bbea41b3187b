/** The fake service's configuration: providers, models, routers, keys, settings. */
import type { RouterChange } from '../../src/shared/routers/router-change.ts'
import { trustHandlers } from './fake-trust.ts'
import { exampleBundle, exampleConnections, exampleSecurityChecks } from './fake-diagnostics.ts'
import type { CatalogState } from '../../src/shared/models/catalog.ts'
import type { ProviderType } from '../../src/shared/models/provider-type.ts'
import type { StrategyName } from '../../src/shared/routers/strategy-names.ts'
import type { Band, ReplayReport } from '../../src/shared/routers/replay.ts'
import type { Model, Provider, ProviderInput, RequestRecord } from '../../src/shared/entities.ts'
import type { ListedModel } from '../../src/shared/models/listed-model.ts'
import { reportOf, searched } from './fake-usage.ts'
import { usageReportQuerySchema } from '../../src/shared/requests/usage.ts'
import { ipcCalls } from '../../src/shared/ipc.ts'
import { graceMs } from '../../src/shared/app/key-rotation.ts'
import { decisionOf, previewOf } from './fake-decisions.ts'
import { found, Refusal, type HandlersOf } from './handlers.ts'
import type { Scene } from './scene.ts'
import { key, provider, providerKey } from './scenes.ts'

export function dashboardHandlers(scene: Scene): DashboardHandlers {
  return {
    ...providerHandlers(scene),
    ...catalogHandlers(),
    ...routerHandlers(scene),
    ...keyHandlers(scene),
    ...usageHandlers(scene),
    ...feedbackHandlers(scene),
  }
}

type DashboardHandlers = ReturnType<typeof providerHandlers> &
  ReturnType<typeof catalogHandlers> &
  ReturnType<typeof routerHandlers> &
  ReturnType<typeof keyHandlers> &
  ReturnType<typeof usageHandlers> &
  ReturnType<typeof feedbackHandlers>

function catalogHandlers(): HandlersOf<`catalog:${string}`> {
  let state: CatalogState = { origin: 'bundled', asOf: '2026-09-23', models: 137 }
  return {
    'catalog:state': () => state,
    'catalog:check': () => ({
      token: 'fetched',
      asOf: '2026-11-21',
      changes: [
        { modelId: 'openai:gpt-5.4', kind: 'dearer', before: usd(2.5, 15), after: usd(3, 18) },
        { modelId: 'openai:gpt-5-mini', kind: 'cheaper', before: usd(0.25, 2), after: usd(0.2, 2) },
        { modelId: 'xai:grok-4.6', kind: 'changed', before: usd(2, 6), after: usd(2, 6) },
        { modelId: 'openai:gpt-7', kind: 'new', before: null, after: usd(4, 20) },
      ],
    }),
    'catalog:apply': () => (state = { origin: 'downloaded', asOf: '2026-11-21', models: 138 }),
    'catalog:reset': () => (state = { origin: 'bundled', asOf: '2026-09-23', models: 137 }),
  }
}

function usd(inputUsdPerMtok: number, outputUsdPerMtok: number) {
  return { inputUsdPerMtok, outputUsdPerMtok }
}

const providerTypes: ProviderType[] = [
  {
    type: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyRule: 'required',
    isLocal: false,
    isSelfHosted: false,
    keyUrl: 'https://platform.openai.com/api-keys',
    options: [],
    documentation: {
      url: 'https://platform.openai.com/docs/api-reference/chat',
      comparedAt: '2026-11-22',
    },
  },
  {
    type: 'openai-compatible',
    name: 'OpenAI-compatible server',
    baseUrl: null,
    keyRule: 'optional',
    isLocal: false,
    isSelfHosted: true,
    keyUrl: null,
    options: [
      { name: 'key-header', label: 'Header of the key', hint: 'such as api-key' },
      { name: 'header.*', label: 'Extra headers', hint: 'one per line: Name: value' },
    ],
    documentation: { url: 'https://platform.openai.com/docs/api-reference/chat', comparedAt: null },
  },
  {
    type: 'local',
    name: 'Built-in local model',
    baseUrl: null,
    keyRule: 'none',
    isLocal: true,
    isSelfHosted: false,
    keyUrl: null,
    options: [],
    documentation: null,
  },
]

function providerHandlers(scene: Scene): HandlersOf<`providers:${string}` | `models:${string}`> {
  return {
    'providers:types': () => providerTypes,
    'providers:list': () => scene.providers,
    'providers:add': (input) => addedTo(scene, input),
    'providers:add-tested': (input) => {
      if (input.apiKey?.includes('bad')) {
        const message = 'the provider refused the key (401)'
        return { provider: null, test: { ok: false, problem: 'key_rejected', message } }
      }
      const added = addedTo(scene, input)
      const models = scene.models.filter(({ providerId }) => providerId === added.id)
      const names = models.map(({ id }) => id.slice(added.id.length + 1))
      return { provider: added, test: { ok: true, latencyMs: 231, models: names } }
    },
    'providers:update': ({ id, changes }) => {
      const changed = found(scene.providers, id)
      return Object.assign(changed, { baseUrl: changes.baseUrl ?? changed.baseUrl })
    },
    'providers:add-key': ({ id, key: { name } }) => {
      const changed = found(scene.providers, id)
      changed.keys.push(providerKey(name ?? `key-${changed.keys.length + 1}`))
      return changed
    },
    'providers:remove-key': ({ id, name }) => {
      const changed = found(scene.providers, id)
      changed.keys = changed.keys.filter((each) => each.name !== name)
      return changed
    },
    'providers:set-key': ({ id }) => found(scene.providers, id),
    'providers:discover': () => [],
    'providers:add-server': () => provider('ollama', 'ollama', 'Ollama'),
    'providers:found-keys': () => [],
    'providers:add-found-key': () => {
      throw new Refusal('not_found', 'No variable has an unused key of this type.')
    },
    'providers:test': ({ id }) => ({ ok: true, latencyMs: 231, models: [`${id}:a`, `${id}:b`] }),
    'providers:remove': ({ id }) => {
      const user = scene.routers.find(({ models }) => models.some((m) => m.startsWith(`${id}:`)))
      if (user) throw new Refusal('in_use', `The router ${user.name} uses a model of ${id}.`)
      scene.providers = scene.providers.filter((old) => old.id !== id)
    },
    'models:list': () => scene.models,
    'models:catalog': () => scene.models.map((model) => listedModel(model)),
    'models:save': (input) => {
      const saved = { ...found(scene.models, input.id), ...input, priceSource: { kind: 'user' } }
      // `optional` fields of the input are absent here, which the spread's type cannot express.
      const model = saved as Scene['models'][number]
      scene.models = scene.models.map((old) => (old.id === model.id ? model : old))
      return model
    },
  }
}

function addedTo(scene: Scene, { id, type, apiKey }: ProviderInput): Provider {
  if (scene.providers.some((old) => old.id === id)) {
    throw new Refusal('conflict', `There is a provider named ${id} already.`, 'id')
  }
  if (type === 'openai' && !apiKey) throw new Refusal('invalid', 'OpenAI needs a key.', 'apiKey')
  const added = provider(id, type, type)
  scene.providers.push(added)
  return added
}

function listedModel(model: Model): ListedModel {
  return {
    model,
    isOwn: true,
    providerType: model.providerId,
    typeName: model.providerId,
    energy: { low: 0.2, mid: 0.4, high: 0.9, method: 'modelled' },
    sources: { context: null, capabilities: null, energy: null, size: null, speed: null },
  }
}

function routerHandlers(scene: Scene): HandlersOf<`routers:${string}`> {
  return {
    'routers:list': () => scene.routers,
    'routers:create': (input) => {
      const router = {
        ...ipcCalls['routers:create'].input.parse(input),
        id: `router_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`,
        createdAtMs: Date.now(),
        updatedAtMs: Date.now(),
      }
      scene.routers.push(router)
      return router
    },
    'routers:update': (input) => {
      const { id, router } = ipcCalls['routers:update'].input.parse(input)
      const updated = { ...found(scene.routers, id), ...router, updatedAtMs: Date.now() }
      scene.routers = scene.routers.map((old) => (old.id === id ? updated : old))
      return updated
    },
    'routers:changes': ({ id }) => changesOf(found(scene.routers, id)),
    'routers:remove': ({ id }) => {
      scene.routers = scene.routers.filter((old) => old.id !== id)
    },
  }
}

/** Two changes of the last week, so that ranges have flags. */
function changesOf({ models }: Scene['routers'][number]): RouterChange[] {
  const hourMs = 3_600_000
  return [
    {
      atMs: Date.now() - 5 * hourMs,
      fields: [{ field: 'strategy', from: 'priority', to: 'cost_optimized' }],
    },
    {
      atMs: Date.now() - 60 * hourMs,
      fields: [{ field: 'model', from: null, to: models[0] ?? 'openai:gpt-5' }],
    },
  ]
}

function keyHandlers(
  scene: Scene,
): HandlersOf<
  | `keys:${string}`
  | `settings:${string}`
  | `clipboard:${string}`
  | `configuration:${string}`
  | 'connections:list'
  | `diagnostics:${string}`
  | `trust:${string}`
> {
  return {
    'keys:list': () => scene.keys,
    'keys:create': (input) => {
      const apiKey = key(input.name, {
        ...ipcCalls['keys:create'].input.parse(input),
        createdAtMs: Date.now(),
        lastUsedAtMs: null,
      })
      scene.keys.unshift(apiKey)
      return { key: `mp_${'pretended'.repeat(4)}`, apiKey }
    },
    'keys:revoke': ({ id }) => {
      const revoked = found(scene.keys, id)
      revoked.revokedAtMs = Date.now()
      return revoked
    },
    'keys:rotate': ({ id, grace }) => {
      const old = found(scene.keys, id)
      old.expiresAtMs = Date.now() + graceMs[grace]
      const successor = { createdAtMs: Date.now(), lastUsedAtMs: null, rotatedFromId: id }
      const apiKey = key(old.name, { ...old, ...successor, id: `${id}-2`, hint: 'mp_…k2Rd' })
      scene.keys.unshift(apiKey)
      return { key: `mp_${'pretended'.repeat(4)}`, apiKey }
    },
    'clipboard:holds': () => true,
    ...trustHandlers(),
    'connections:list': () => exampleConnections,
    'diagnostics:security': () => exampleSecurityChecks,
    'diagnostics:bundle': () => exampleBundle,
    'configuration:export': () => {
      const { providers, models, routers, agents } = scene
      return {
        text: '{}\n',
        providers: providers.length,
        models: models.length,
        routers: routers.length,
        agents: agents.length,
      }
    },
    'settings:get': () => scene.settings,
    'settings:set': ({ name, value }) => {
      scene.settings = { ...scene.settings, [name]: value }
      return scene.settings
    },
  }
}

function feedbackHandlers(scene: Scene): HandlersOf<`feedback:${string}`> {
  const thumbs = new Map<string, 'up' | 'down'>()
  return {
    'feedback:give': ({ requestId, kind }) => {
      const { modelUsed } = found(scene.requests, requestId)
      if (kind === 'up' || kind === 'down') thumbs.set(requestId, kind)
      return { modelId: modelUsed ?? '', domain: 'code', judged: 1, good: kind === 'up' ? 1 : 0 }
    },
    'feedback:withdraw': ({ requestId }) => {
      found(scene.requests, requestId)
      thumbs.delete(requestId)
    },
    'feedback:thumbs': () => Object.fromEntries(thumbs),
  }
}

function usageHandlers(
  scene: Scene,
): HandlersOf<`${'usage' | 'refusals' | 'unexpected' | 'findings' | 'sessions' | 'reconcile' | 'requests'}:${string}`> {
  return {
    'usage:report': (query) => reportOf(scene.requests, usageReportQuerySchema.parse(query)),
    'usage:daily': () => scene.routers.map(({ id }) => ({ routerId: id, requests: 0 })),
    'requests:search': ({ filter, after = null, offset = 0, limit }) => {
      const matches = searched(scene.requests, filter)
      const from = matches.findIndex(({ id }) => id === after) + 1 + offset
      return matches.slice(from, from + limit)
    },
    'requests:count': (filter) => searched(scene.requests, filter).length,
    'refusals:counts': () => [],
    'refusals:newest': () => [],
    'unexpected:list': () => [],
    'unexpected:dismiss': () => true,
    'findings:list': () => [],
    'findings:dismiss': () => true,
    'findings:probes': () => [],
    'findings:set-probe': () => undefined,
    'sessions:list': () => [],
    'sessions:get': () => null,
    'sessions:pin': () => undefined,
    'sessions:export': () => '{}',
    'sessions:delete': () => undefined,
    'sessions:broken': () => [],
    'sessions:rules': () => [],
    'sessions:proofs': () => ({ splits: [], shadows: [] }),
    'reconcile:run': ({ files: [file] }) => {
      throw new Refusal('invalid', `${file?.name ?? 'The file'} is no bill.`)
    },
    'reconcile:correct': ({ modelId }) => found(scene.models, modelId),
    'usage:replay': ({ routerId, draft }) =>
      replayOf(
        scene.requests.filter((r) => r.routerId === routerId),
        draft.strategy,
      ),
    'requests:content': () => null,
    'requests:conversation': ({ id }) =>
      scene.conversations.find((conversation) =>
        scene.messages[conversation.id]?.some(({ meta }) => meta?.requestId === id),
      ) ?? null,
    'requests:preview': ({ routerId }) => previewOf(found(scene.routers, routerId)),
    'requests:explain': ({ id }) => {
      const record = scene.requests.find((request) => request.id === id)
      if (!record) return null
      const detail = decisionOf(record, found(scene.routers, record.routerId))
      return { record, detail, toolCalls: [] }
    },
  }
}

/** A replay as if every other request had gone to another model, at half the price. */
function replayOf(requests: readonly RequestRecord[], strategy: StrategyName): ReplayReport {
  const costUsd = sum(requests.map(({ costNanoUsd }) => costNanoUsd / 1e9))
  const latencyMs = sum(requests.map((request) => request.latencyMs)) / requests.length
  const carbonGrams = sum(requests.map((request) => request.carbonGrams))
  const band = (mid: number): Band => ({ low: mid * 0.9, mid, high: mid * 1.1 })
  return {
    strategy,
    requests: requests.length + 3,
    replayed: requests.length,
    skipped: {
      failed: 1,
      pinned: 0,
      from_cache: 2,
      cascade: 0,
      embeddings: 0,
      not_recorded: 0,
      no_model: 0,
    },
    changed: Math.floor(requests.length / 2),
    actual: { costUsd, latencyMs, carbonGrams, quality: 0.81 },
    expected: {
      costUsd: band(costUsd / 2),
      latencyMs: band(latencyMs * 0.8),
      carbonGrams: band(carbonGrams / 2),
      quality: band(0.79),
    },
    latencyP95Ms: { actual: latencyMs * 2, expected: latencyMs * 1.7 },
    models: Object.entries(countsOf(requests.map(({ modelUsed }) => modelUsed ?? ''))).map(
      ([model, actual], at, all) => ({ model, actual, expected: all.at(-1 - at)?.[1] ?? actual }),
    ),
    isCut: false,
  }
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
