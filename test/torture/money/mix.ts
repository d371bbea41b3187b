/** One random mix: a router, its budgets and models, and the requests that callers send to it at once. */
import { acceptances } from '../../../src/shared/routers/routing-settings.ts'
import { strategyNames } from '../../../src/shared/routers/strategy-names.ts'
import { seeded, type Chance } from '../../agents/random.ts'
import { seedOf, type Weather } from './call-plan.ts'
import { doors, laterKindsOf, type Door, type Later } from './later-fields.ts'
import { vendorOf, vendors, type Vendor } from './vendors.ts'

/** Moment at which the caller leaves: milliseconds after it sent its request, or pieces of the answer. */
export type Leaving = { afterMs: number } | { afterPieces: number } | null

export interface DrawnRequest {
  mark: string
  door: Door
  isStreamed: boolean
  prompt: string
  /** The answer's limit in tokens; null: none is sent. */
  maxTokens: number | null
  choices: number
  hasCacheMark: boolean
  /** What the vendor bills beside the text. */
  later: Later | null
  leaving: Leaving
}

export interface DrawnModel {
  vendor: Vendor
  /** `<provider>:<model>`; each mix has providers of its own. */
  id: string
  isEmbedding: boolean
  /** True if nothing listens at the provider's address. */
  isClosed: boolean
  /** US dollars for a million tokens, in place of the catalogue's prices. */
  price: DrawnPrice | null
}

/** With a context so short that a budget covers a prompt that may fill it. */
export interface DrawnPrice {
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  contextTokens: number
}

export interface Mix {
  index: number
  models: readonly DrawnModel[]
  router: object
  budgets: { router: Budget; key: Budget }
  weather: Weather
  usesFastLane: boolean
  requests: readonly DrawnRequest[]
}

/** US dollars; null for none. */
export interface Budget {
  budgetUsdPerDay: number | null
  budgetUsdPerMonth: number | null
}

/** @param count  of requests */
export function drawMix(seed: number, index: number, count: number): Mix {
  const chance = seeded(seedOf(`mix ${seed} ${index}`))
  const budgets = drawBudgets(chance)
  // A few long prompts use up the budget, and most attempts are paid for without an answer.
  const isStarved = chance.isTrue(0.3) && onlyOf(index) === undefined
  const models = drawModels(chance, { index, isStarved, budgetUsd: leastOf(budgets) })
  const chats = models.filter(({ isEmbedding }) => !isEmbedding).map(({ id }) => id)
  const able = { isStarved, hasEmbeddings: models.length > chats.length, only: onlyOf(index)?.door }
  return {
    index,
    models,
    router: drawRouter(chance, { name: `Mix ${index}`, ids: models.map(({ id }) => id), chats }),
    budgets,
    weather: {
      seed,
      isStarved,
      faultShare: isStarved ? 0.8 : chance.pick([0, 0.03, 0.08, 0.15, 0.3]),
      slowness: chance.pick([0.2, 1, 1]),
    },
    usesFastLane: chance.isTrue(0.5),
    requests: Array.from({ length: count }, (_, nth) =>
      drawRequest(chance, `${index}.${nth}`, able),
    ),
  }
}

/** Draws at least one of two budgets, from five cents to five dollars. */
function drawBudgets(chance: Chance): Mix['budgets'] {
  const draw = (): Budget => {
    const usd = Math.round(0.05 * 100 ** chance.next() * 1e6) / 1e6
    const isPerDay = chance.isTrue(0.5)
    return { budgetUsdPerDay: isPerDay ? usd : null, budgetUsdPerMonth: isPerDay ? null : usd }
  }
  const none: Budget = { budgetUsdPerDay: null, budgetUsdPerMonth: null }
  const which = chance.below(3)
  return { router: which === 0 ? none : draw(), key: which === 1 ? none : draw() }
}

function leastOf({ router, key }: Mix['budgets']): number {
  const all = [router, key].flatMap((one) => [one.budgetUsdPerDay, one.budgetUsdPerMonth])
  return Math.min(...all.filter((usd) => usd !== null))
}

interface ModelsOf {
  index: number
  isStarved: boolean
  /** The smallest of the mix. */
  budgetUsd: number
  /** Whether each model has a context of its own, which many of the requests may fill. */
  hasContexts?: boolean
}

function drawModels(chance: Chance, given: ModelsOf): DrawnModel[] {
  const { index, isStarved } = given
  const drawn = new Map<string, DrawnModel>()
  const count = (isStarved ? 4 : 3) + chance.below(3)
  const [first, ...others] = vendors
  if (first === undefined) return []
  const only = onlyOf(index)
  if (only !== undefined) return drawModelsOf(chance, vendorOf(only.name), given)
  for (let nth = 0; nth < count; nth += 1) {
    // Three of them in turn, so that a few mixes have every vendor.
    const inTurn = nth < 3 ? vendors[((index >> 1) * 3 + nth) % vendors.length] : undefined
    const vendor = inTurn ?? chance.pick([first, ...others])
    const id = `m${index}-${vendor.name}:${chance.pick(vendor.models)}`
    const price = drawPrice(chance, vendor, given)
    drawn.set(id, { vendor, id, isEmbedding: false, isClosed: false, price })
  }
  const embedding = chance.pick([first, ...others])
  if (embedding.embeddingModel !== null) {
    const id = `m${index}-${embedding.name}:${embedding.embeddingModel}`
    drawn.set(id, { vendor: embedding, id, isEmbedding: true, isClosed: false, price: null })
  }
  const id = `m${index}-closed:${first.models[0]}`
  const closed = { vendor: first, id, isEmbedding: false, isClosed: true, price: null }
  return chance.isTrue(0.2) ? [closed, ...drawn.values()] : [...drawn.values()]
}

/** Vendors whose mixes have no other, because what they have stored is accepted only there; and the door of their form. */
const onlyVendors = [
  { name: 'responses', door: 'responses' },
  { name: 'anthropic', door: 'messages' },
  { name: 'google', door: 'gemini' },
  { name: 'openai', door: 'chat' },
] as const

/** In every second mix. */
function onlyOf(index: number): (typeof onlyVendors)[number] | undefined {
  return index % 2 === 0 ? undefined : onlyVendors[(index >> 1) % onlyVendors.length]
}

function drawModelsOf(chance: Chance, vendor: Vendor, given: ModelsOf): DrawnModel[] {
  return vendor.models.map((name) => {
    const id = `m${given.index}-${vendor.name}:${name}`
    const price = drawPrice(chance, vendor, { ...given, hasContexts: true })
    return { vendor, id, isEmbedding: false, isClosed: false, price }
  })
}

/**
 * Half of the models have a price at which some dozens of requests use up the budget; the others the catalogue's. In a
 * starved mix two to eight requests use it up, with any model.
 */
function drawPrice(
  chance: Chance,
  { isFree }: Vendor,
  { isStarved, budgetUsd, hasContexts = false }: ModelsOf,
): DrawnModel['price'] {
  const contextTokens = 16_000 + chance.below(16_000)
  if (isFree === true) return { inputUsdPerMtok: 0, outputUsdPerMtok: 0, contextTokens }
  if (!isStarved && !hasContexts && chance.isTrue(0.5)) return null
  const requests = isStarved ? 2 + chance.below(6) : 100 / (0.3 + chance.next() * 2)
  const usualTokens = isStarved ? 3_000 : hasContexts ? 10_000 : 900
  const inputUsdPerMtok = round((budgetUsd / requests / usualTokens) * 1e6)
  const outputUsdPerMtok = round(inputUsdPerMtok * (1 + chance.below(8)))
  return { inputUsdPerMtok, outputUsdPerMtok, contextTokens }
}

const round = (usd: number) => Math.round(usd * 1e3) / 1e3

interface Listed {
  name: string
  ids: readonly string[]
  chats: readonly string[]
}

function drawRouter(chance: Chance, { name, ids, chats }: Listed): object {
  const [first, ...others] = strategyNames
  const hedge = chance.isTrue(0.3) ? { afterMs: 100, maxExtraPercent: 100 } : null
  return {
    name,
    strategy: chance.pick([first, ...others]),
    models: ids,
    tier: 'enterprise',
    hedge,
    timeLimits: {
      firstTokenMs: 120 + chance.below(300),
      betweenChunksMs: 100 + chance.below(200),
      totalMs: 300 + chance.below(900),
    },
    routing: {
      fallback: chance.isTrue(0.9),
      pacing: chance.isTrue(0.3),
      cascade: chance.isTrue(0.3) ? drawCascade(chance, chats) : null,
    },
  }
}

function drawCascade(chance: Chance, [first, ...others]: readonly string[]): object | null {
  if (first === undefined) return null
  const tiers = Array.from({ length: 1 + chance.below(2) }, () => {
    const models = [chance.pick([first, ...others])]
    const other = chance.pick([first, ...others])
    if (other !== models[0] && chance.isTrue(0.5))
      return { models: [...models, other], accept: 'agree' }
    return { models, accept: chance.pick(['not_refused_not_cut_off', ...acceptances.slice(1)]) }
  })
  return { tiers }
}

interface Able {
  hasEmbeddings: boolean
  isStarved: boolean
  /** The door of half of the requests. */
  only: Door | undefined
}

function drawRequest(
  chance: Chance,
  mark: string,
  { hasEmbeddings, isStarved, only }: Able,
): DrawnRequest {
  const any = chance.pick<Door>(['chat', ...doors])
  const door = only !== undefined && chance.isTrue(0.5) ? only : any
  const words = isStarved
    ? 2_000 + chance.below(2_000)
    : 20 + chance.below(chance.isTrue(0.15) ? 4_000 : 800)
  const own = door === 'embeddings' && !hasEmbeddings ? 'chat' : door
  return {
    mark,
    door: own,
    isStreamed: door !== 'embeddings' && chance.isTrue(0.6),
    prompt: `[${door === 'agent' ? mark.replace('.', '.a') : mark}] ${'Tell me of it. '.repeat(Math.ceil(words / 4))}`,
    maxTokens: drawLimit(chance, isStarved),
    choices: door === 'chat' && chance.isTrue(0.1) ? 2 + chance.below(2) : 1,
    hasCacheMark: chance.isTrue(0.3),
    later: chance.isTrue(only === undefined ? 0.3 : 0.6) ? drawLater(chance, own) : null,
    leaving: drawLeaving(chance),
  }
}

function drawLimit(chance: Chance, isStarved: boolean): number | null {
  if (isStarved) return 1 + chance.below(16)
  return chance.isTrue(0.15) ? null : 16 + chance.below(400)
}

function drawLater(chance: Chance, door: Door): Later | null {
  const [first, ...others] = laterKindsOf(door)
  if (first === undefined) return null
  const kind = chance.pick([first, ...others])
  if (kind === 'image') return { kind, amount: 200 + chance.below(900) }
  const isText = kind === 'document' || kind === 'file' || kind === 'stored'
  return { kind, amount: isText ? 500 + chance.below(5_000) : 2 + chance.below(2) }
}

function drawLeaving(chance: Chance): Leaving {
  const drawn = chance.next()
  if (drawn < 0.04) return { afterMs: 0 }
  if (drawn < 0.12) return { afterMs: chance.below(60) }
  if (drawn < 0.2) return { afterMs: chance.below(400) }
  return drawn < 0.28 ? { afterPieces: 1 + chance.below(20) } : null
}
