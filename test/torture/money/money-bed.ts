/** The real service with every vendor of the mock, and what a mix sets up in it. */
import { Agent } from 'undici'
import type { Model, RequestRecord, RouterInput } from '../../../src/shared/entities.ts'
import { routerInputSchema } from '../../../src/shared/entities.ts'
import { startTestService, type TestService } from '../../test-service.ts'
import type { BilledCall } from './billed-call.ts'
import { startBillingUpstream, type BillingUpstream } from './billing-upstream.ts'
import type { CallPrice } from './judge-call.ts'
import type { Mix } from './mix.ts'
import type { Caller } from './send-request.ts'

export interface MoneyBed extends Pick<TestService, 'service'> {
  upstream: BillingUpstream
  dispatcher: Agent
  /** `http://localhost:…/api/router/` */
  url: string
  /** Router with the model of the probes and no budget; `adminKey` has none either. */
  probeRouterId: string
  adminKey: string
}

/** A nano-dollar for a token of output. */
export const probeModel = 'probe:any'

/** Ends with the test. @param atEnd  as of `startTestService` */
export async function startMoneyBed(atEnd: (end: () => Promise<void>) => void): Promise<MoneyBed> {
  const upstream = await startBillingUpstream()
  const running = await startTestService({ service: { httpPort: 0 } }, atEnd)
  const dispatcher = new Agent({ connections: 128 })
  atEnd(async () => {
    await dispatcher.close()
    await upstream.close()
  })
  const { service, apiKey } = running
  const baseUrl = `${upstream.origin}/openai/v1`
  const own = { id: 'probe', type: 'openai-compatible', baseUrl, apiKey: 'sk-probe' }
  await service.dashboard.addProvider(own)
  const price = { inputUsdPerMtok: 0, outputUsdPerMtok: 0.001 }
  await service.dashboard.saveModel({ id: probeModel, ...price, contextTokens: 1e11 })
  const router = { name: 'Probes', strategy: 'priority' as const, models: [probeModel] }
  const { id } = await service.dashboard.createRouter({ ...router, tier: 'enterprise' })
  const endpoint = service.endpoint()
  const origin = endpoint.status === 'listening' ? (endpoint.httpUrl ?? '') : ''
  const url = new URL('/api/router/', origin).href
  return { service, upstream, dispatcher, url, probeRouterId: id, adminKey: apiKey }
}

export interface ModelFigures {
  price: CallPrice
  contextTokens: number
}

export interface SetUpMix {
  routerId: string
  routerInput: RouterInput
  keyId: string
  key: string
  embeddingModel: string | null
  agent: string
  /** Prices by `<vendor>:<model>`. */
  prices: ReadonlyMap<string, ModelFigures>
}

export async function setUp({ service, upstream }: MoneyBed, mix: Mix): Promise<SetUpMix> {
  const { dashboard } = service
  for (const { providerId, vendor, isClosed } of providersOf(mix)) {
    const { name, type, options = {}, apiKey, basePath } = vendor
    const origin = isClosed ? closedOrigin : upstream.origin
    const baseUrl = `${origin}/${name}${basePath}`
    await dashboard.addProvider({ id: providerId, type, baseUrl, apiKey, options })
  }
  for (const { id, price, vendor } of mix.models) {
    const choices = vendor.hasChoices === true ? (['n'] as const) : []
    const capabilities = ['vision', 'files', 'tools', ...choices] as const
    if (price !== null) await dashboard.saveModel({ id, ...price, capabilities: [...capabilities] })
  }
  const routerInput = routerInputSchema.parse({ ...mix.router, ...mix.budgets.router })
  const router = await dashboard.createRouter(routerInput)
  const own = { name: `Mix ${mix.index}`, routers: 'all' as const, ...mix.budgets.key }
  const { key, apiKey } = await dashboard.createApiKey(own)
  const agent = await applyAgent(service, mix)
  const embedding = mix.models.find(({ isEmbedding }) => isEmbedding)
  return {
    routerId: router.id,
    routerInput,
    keyId: apiKey.id,
    key,
    embeddingModel: embedding?.id ?? null,
    agent,
    prices: pricesOf(mix, await dashboard.models()),
  }
}

/** Two questions at once, and one that has both answers; a failed question has a text in place of its answer. */
async function applyAgent({ dashboard }: MoneyBed['service'], { index }: Mix): Promise<string> {
  const name = `money-${index}`
  const user = '{{ input }}'
  const steps = [
    { id: 'one', type: 'prompt', user, max_tokens: 200, fallback: 'none' },
    { id: 'two', type: 'prompt', user: `${user} Briefly.`, max_tokens: 60 },
    { id: 'last', type: 'prompt', needs: ['one', 'two'], user: `${user} {{ steps.one.output }}` },
  ]
  await dashboard.applyAgent(JSON.stringify({ name, steps, limits: { max_cost_usd: 1 } }))
  return name
}

function pricesOf({ models }: Mix, listed: readonly Model[]): Map<string, ModelFigures> {
  return new Map(
    models.flatMap(({ id, vendor, isClosed }): [string, ModelFigures][] => {
      if (isClosed) return []
      const model = listed.find((one) => one.id === id)
      const input = model?.inputUsdPerMtok ?? NaN
      const price = {
        input,
        cacheRead: model?.cacheReadUsdPerMtok ?? input,
        cacheWrite: model?.cacheWriteUsdPerMtok ?? input,
        output: model?.outputUsdPerMtok ?? NaN,
      }
      const contextTokens = model?.contextTokens ?? Infinity
      return [[`${vendor.name}:${id.slice(id.indexOf(':') + 1)}`, { price, contextTokens }]]
    }),
  )
}

export function callerOf(
  { url, dispatcher }: MoneyBed,
  { routerId, key, embeddingModel, agent }: SetUpMix,
  left: Caller['left'],
): Caller {
  return { routerUrl: `${url}${routerId}/`, key, dispatcher, embeddingModel, agent, left }
}

/** The newest first. */
export async function rowsOf({ service }: MoneyBed, routerId: string): Promise<RequestRecord[]> {
  return await service.usage.requests({ routerId, limit: 100_000 })
}

export async function takeDown(
  { service }: MoneyBed,
  mix: Mix,
  { routerId, keyId, agent }: SetUpMix,
) {
  const { dashboard } = service
  await dashboard.removeRouter(routerId)
  await dashboard.revokeApiKey(keyId)
  await dashboard.removeAgent(agent)
  for (const { providerId } of providersOf(mix)) await dashboard.removeProvider(providerId)
}

/** The port of discarded data, which nothing serves here. */
const closedOrigin = 'http://127.0.0.1:9'

function providersOf({ models }: Mix) {
  const providers = models.map(({ id, vendor, isClosed }) => {
    const [providerId = ''] = id.split(':')
    return { providerId, vendor, isClosed }
  })
  return new Map(providers.map((provider) => [provider.providerId, provider])).values()
}

export function figuresOf({ prices }: SetUpMix, { vendor, model }: BilledCall): ModelFigures {
  const figures = prices.get(`${vendor.name}:${model}`)
  if (figures === undefined) throw new Error(`no price of ${vendor.name}:${model}`)
  return figures
}
