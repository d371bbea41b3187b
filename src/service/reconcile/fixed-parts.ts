/**
 * The parts of a difference that one line shows alone: credits, tools, classes with a price of their own, tiers. What
 * remains is split into a part from prices and a part from amounts of tokens.
 */
import type { BillClass } from '../../shared/requests/reconciliation.ts'
import type { CostName } from './bill.ts'
import {
  costOf,
  hasCosts,
  perClass,
  pricedNames,
  priceTolerance,
  take,
  theirTokens,
  type Line,
  type PerClass,
} from './line.ts'
import type { TheirSum } from './theirs.ts'

/** A line after its fixed parts. */
export interface Rest {
  line: Line
  /** Modelport's prices as it used them that day, in nano-dollars per token. */
  prices: PerClass
  /** The bill's cost and tokens without the fixed parts; tokens are null where the bill counts none. */
  costNanoUsd: number
  tokens: PerClass | null
  /** The bill's costs by class, if it has them for every class. */
  classCosts: PerClass | null
  ours: PerClass
  ourCostNanoUsd: number
  requests: number | null
  reasoning: number
  isPriced: boolean
  roundingNanoUsd: number
  /** What the ledger's requests paid at models that failed before. */
  besideNanoUsd: number
  /** Not named yet. */
  priceNanoUsd: number
  volumeNanoUsd: number
}

/** Vendors' discount on batches: half of every price, at OpenAI, Anthropic and Google. */
const batchShare = 0.5

/** @param searchesNanoUsd  web searches in the ledger's cost, which the bill lists elsewhere */
export function splitLine(line: Line, searchesNanoUsd: number): Rest {
  const { theirs, ours } = line
  take(line, -searchesNanoUsd, { kind: 'class', billClass: 'webSearch', label: null })
  const isPriced = !hasCosts(theirs) && theirs.length > 0
  const ledgerCost = ours.costNanoUsd - searchesNanoUsd
  const beside = isPriced ? 0 : paidBeside(line, ledgerCost)
  take(line, -beside, { kind: 'severalModels' })
  const ourCost = ledgerCost - beside
  const ourTokens = splitWrites(line, ourCost)
  const prices = usedPrices(line.listed, ourTokens, ourCost)
  const all = theirTokens(theirs)
  const batch = batchOf(theirs, prices, isPriced)
  // A day that the bill does not have has no tokens; one without counts has unknown ones.
  const counted = theirs.length === 0 ? perClass(() => 0) : all
  const tokens = counted && perClass((name) => counted[name] - (batch.tokens?.[name] ?? 0))
  const named = namedParts(line, prices)
  take(line, batch.nanoUsd, { kind: 'tier', tier: 'batch' })
  const billed = theirs.reduce((sum, { costs }) => sum + total(costs), 0)
  const volume = tokens === null ? 0 : volumeOf(prices, tokens, ourTokens)
  const costNanoUsd = isPriced ? ourCost + volume : billed - named - batch.nanoUsd
  return {
    line,
    prices,
    costNanoUsd,
    tokens,
    classCosts: classCostsOf(theirs),
    ours: ourTokens,
    ourCostNanoUsd: ourCost,
    requests: requestsOf(theirs),
    reasoning: all?.reasoning ?? 0,
    isPriced,
    roundingNanoUsd: theirs.reduce((sum, one) => sum + one.roundingNanoUsd, 1 + ours.requests / 2),
    besideNanoUsd: beside,
    priceNanoUsd: costNanoUsd - ourCost - volume,
    volumeNanoUsd: volume,
  }
}

/**
 * What the ledger paid per token: the listed prices, in proportion where tiers for long prompts, surcharges or an earlier
 * price made it another sum.
 */
function usedPrices(listed: PerClass | null, tokens: PerClass, costNanoUsd: number): PerClass {
  if (listed === null) return perClass(() => 0)
  const expected = costOf(listed, tokens)
  const factor = expected > 0 && costNanoUsd > 0 ? costNanoUsd / expected : 1
  return perClass((name) => listed[name] * factor)
}

/**
 * A request that failed at one model and was answered by another has one row, at the model that answered. The row's cost
 * is above that of its tokens, while the bill has the listed price: a surcharge would raise both.
 * @returns nano-dollars paid at the models that failed
 */
function paidBeside({ theirs, ours, listed }: Line, costNanoUsd: number): number {
  const tokens = theirTokens(theirs)
  if (ours.fallbacks === 0 || listed === null || tokens === null) return 0
  const standard = theirs.filter(({ tier }) => tier === 'standard')
  const billed = standard.reduce((sum, one) => sum + tokenCosts(one), 0)
  const expected = costOf(listed, theirTokens(standard) ?? {})
  const rounding = standard.reduce((sum, one) => sum + one.roundingNanoUsd, 0)
  if (Math.abs(billed - expected) > Math.max(rounding, priceTolerance * expected)) return 0
  const written = tokens.cacheWrite + tokens.cacheWrite1h
  const cacheWrite1h = written > 0 ? ours.tokens.cacheWrite * (tokens.cacheWrite1h / written) : 0
  const cacheWrite = ours.tokens.cacheWrite - cacheWrite1h
  return Math.max(0, costNanoUsd - costOf(listed, { ...ours.tokens, cacheWrite, cacheWrite1h }))
}

/** The ledger counts cache writes of both times together; its cost shows how many stay for an hour. */
function splitWrites({ listed, ours, theirs }: Line, costNanoUsd: number): PerClass {
  const { tokens } = ours
  const isHourly = theirs.some((sum) => sum.tokens.cacheWrite1h || sum.costs.cacheWrite1h)
  const more = listed === null ? 0 : listed.cacheWrite1h - listed.cacheWrite
  if (listed === null || !isHourly || more <= 0) return tokens
  const hourly = Math.round((costNanoUsd - costOf(listed, tokens)) / more)
  const cacheWrite1h = Math.min(tokens.cacheWrite, Math.max(0, hourly))
  return { ...tokens, cacheWrite: tokens.cacheWrite - cacheWrite1h, cacheWrite1h }
}

function volumeOf(prices: PerClass, theirs: PerClass, ours: PerClass): number {
  return costOf(
    prices,
    perClass((name) => theirs[name] - ours[name]),
  )
}

/** Batches never pass through Modelport. Their cost is the bill's, or half of Modelport's price. */
function batchOf(theirs: readonly TheirSum[], prices: PerClass, isPriced: boolean) {
  const sums = theirs.filter(({ tier }) => tier === 'batch')
  const tokens = sums.length === 0 ? null : theirTokens(sums)
  const billed = sums.reduce((sum, { costs }) => sum + total(costs), 0)
  const isBilledApart = billed !== 0 && !isPriced
  const nanoUsd = isBilledApart ? billed : batchShare * (tokens ? costOf(prices, tokens) : 0)
  return { tokens, nanoUsd }
}

/** Takes the costs that are no tokens, or tokens at another price. @returns their part of the bill beyond Modelport's price */
function namedParts(line: Line, prices: PerClass): number {
  let sum = 0
  const part = (nanoUsd: number, cause: Parameters<typeof take>[2]) => {
    take(line, nanoUsd, cause)
    sum += nanoUsd
  }
  for (const one of line.theirs) {
    if (one.tier === 'batch') continue
    for (const [name, cost] of costsOf(one)) {
      if (name === 'credit') part(cost, { kind: 'credit', label: one.label })
      else if (isApart(name)) {
        const ours = pricedAs(name, one, prices)
        part(cost - ours, { kind: 'class', billClass: name, label: one.label })
      }
    }
    if (one.tier === 'standard') continue
    const cost = tokenCosts(one)
    if (cost > 0) part(cost - costOf(prices, one.tokens), { kind: 'tier', tier: one.tier })
  }
  return sum
}

const apart: ReadonlySet<CostName> = new Set<BillClass>([
  'audio',
  'image',
  'reasoning',
  'webSearch',
  'codeExecution',
  'storage',
  'other',
])

function isApart(name: CostName): name is BillClass {
  return apart.has(name)
}

/** What Modelport counts for these tokens, which it has among input and output. */
function pricedAs(name: BillClass, { tokens }: TheirSum, prices: PerClass): number {
  if (name === 'image') return prices.output * (tokens.image ?? 0)
  if (name !== 'audio') return 0
  return prices.input * (tokens.audio ?? 0) + prices.output * (tokens.audioOutput ?? 0)
}

function costsOf({ costs }: TheirSum): [CostName, number][] {
  // The keys of a record are its names.
  return Object.entries(costs) as [CostName, number][]
}

function total(costs: TheirSum['costs']): number {
  return Object.values(costs).reduce((sum, cost) => sum + cost, 0)
}

function tokenCosts(sum: TheirSum): number {
  return costsOf(sum).reduce(
    (costs, [name, cost]) => costs + (name === 'credit' || isApart(name) ? 0 : cost),
    0,
  )
}

/** Null where the bill has one amount for all classes, or another tier's costs among them. */
function classCostsOf(theirs: readonly TheirSum[]): PerClass | null {
  const standard = theirs.filter(({ tier }) => tier === 'standard')
  if (standard.some(({ costs }) => costs.all !== undefined || costs.audio !== undefined))
    return null
  const costs = perClass((name) => standard.reduce((sum, one) => sum + (one.costs[name] ?? 0), 0))
  return pricedNames.some((name) => costs[name] > 0) ? costs : null
}

function requestsOf(theirs: readonly TheirSum[]): number | null {
  const known = theirs.filter(({ tier, requests }) => tier !== 'batch' && requests !== null)
  if (known.length === 0) return null
  return known.reduce((sum, { requests }) => sum + (requests ?? 0), 0)
}
