/**
 * What clients are checked against: a service on its own data folder with a router per upstream, one whose daily
 * limit is used up, and one whose only model is out of order.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { localModelName } from '../src/service/local/local-model.ts'
import type { Dashboard } from '../src/service/dashboard/dashboard.ts'
import { builtInProvider } from '../src/shared/models/provider-type.ts'
import type { RequestRecord } from '../src/shared/entities.ts'
import type { Door, UpstreamName } from './check.ts'
import type { Upstreams } from './upstreams.ts'

/** Routers and keys that the dashboard created. */
export interface Configured {
  /** Ids by upstream and by door, because OpenAI has two forms. */
  routers: Readonly<Record<UpstreamName, Readonly<Record<Door, string>>>>
  limited: string
  unavailable: string
  /** Takes only names of the router's models, and `auto`. */
  key: string
  /** Key for tools that send names of their own. */
  toolKey: string
}

export interface TestBed extends Configured {
  /** `https://localhost:<port>` */
  origin: string
  caFile: string
  caBundleFile: string
  upstreams: Upstreams
  /** Whether the built-in model can answer. */
  hasBuiltIn: boolean
  /** The newest row of a router; null before its first. */
  newestRow(routerId: string): Promise<RequestRecord | null>
}

const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2 }

/** @throws when the configuration is refused */
export async function configure(dashboard: Dashboard, upstreams: Upstreams): Promise<Configured> {
  await addProviders(dashboard, upstreams)
  const add = async (name: string, models: string[], dailyLimit: number | null = null) => {
    const input = { name, models, strategy: 'priority', tier: 'enterprise', dailyLimit } as const
    return (await dashboard.createRouter(input)).id
  }
  const builtIn = await add('Built-in', [`${builtInProvider.id}:${localModelName}`])
  const chat = await add('OpenAI', ['chat:model'])
  const responses = await add('OpenAI Responses', ['responses:model'])
  const messages = await add('Anthropic', ['messages:model'])
  const mixed = await add('Mixed', ['unsteady:model', 'chat:model'])
  const mixedResponses = await add('Mixed Responses', ['unsteady:model', 'responses:model'])
  const { key } = await dashboard.createApiKey({ name: 'SDKs', routers: 'all' })
  const tools = { name: 'Tools', routers: 'all' as const, acceptAnyModel: true }
  return {
    routers: {
      'built-in': { chat: builtIn, responses: builtIn, messages: builtIn },
      OpenAI: { chat, responses, messages: chat },
      Anthropic: { chat: messages, responses: messages, messages },
      mixed: { chat: mixed, responses: mixedResponses, messages: mixed },
    },
    limited: await add('Limited', ['chat:model'], 1),
    unavailable: await add('Unavailable', ['broken:model']),
    key,
    toolKey: (await dashboard.createApiKey(tools)).key,
  }
}

async function addProviders(dashboard: Dashboard, upstreams: Upstreams): Promise<void> {
  const { chat, responses, messages, unsteady, broken } = upstreams
  const openAi = (id: string, { origin }: { origin: string }, options = {}) =>
    dashboard.addProvider({ id, type: 'openai', baseUrl: `${origin}/v1`, apiKey: 'sk', options })
  const anthropic = (id: string, { origin }: { origin: string }) =>
    dashboard.addProvider({ id, type: 'anthropic', baseUrl: origin, apiKey: 'sk-ant' })
  await openAi('chat', chat)
  await openAi('responses', responses, { api: 'responses' })
  await anthropic('messages', messages)
  await anthropic('unsteady', unsteady)
  await openAi('broken', broken)
  for (const provider of ['chat', 'responses', 'messages', 'unsteady', 'broken']) {
    const capabilities = ['tools', 'json', 'vision'] as const
    const limits = { contextTokens: 200_000, capabilities: [...capabilities] }
    await dashboard.saveModel({ id: `${provider}:model`, ...price, ...limits })
  }
}

/** Sends the one request that the limited router allows. @throws Error when it is refused */
export async function useUpLimit(bed: TestBed, ca: string): Promise<void> {
  const dispatcher = new Agent({ connect: { ca } })
  const response = await fetch(`${bed.origin}/api/router/${bed.limited}/v1/chat/completions`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  })
  const text = await response.text()
  await dispatcher.close()
  if (!response.ok) throw new Error(`the limited router answered ${response.status}: ${text}`)
}

const patienceMs = 5_000

/** Resolves to whether the condition held in time. */
export async function eventually(
  isTrue: () => Promise<boolean>,
  limitMs = patienceMs,
): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline) {
    if (await isTrue()) return true
    await pause(20)
  }
  return false
}
