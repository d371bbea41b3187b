/**
 * A small model of how vendors bill, written apart from the product: requests with their tokens, the vendor's price of each,
 * and the ledger that Modelport would have. It imports nothing of the product.
 */

export interface Tokens {
  input: number
  cacheRead: number
  write5m: number
  write1h: number
  output: number
}

export type Prices = Record<keyof Tokens, number>

export type Tier = 'standard' | 'batch' | 'flex' | 'priority'

/** What a tier's tokens cost, as a share of the listed price. */
const tierFactors: Record<Tier, number> = { standard: 1, batch: 0.5, flex: 0.5, priority: 2 }

/** Tokens with a price of their own. They are also among the prompt's or the answer's tokens, and cost only this. */
export interface Part {
  tokens: number
  nanoUsd: number
}

/** Audio in prompts, images in answers: their price as a multiple of text. */
const partFactors = { audio: 8, image: 4 }

export interface VendorModel {
  /** Modelport's name, and the bill's. */
  name: string
  billed: string
  /** US dollars per million tokens. */
  prices: Prices
}

export interface VendorRequest {
  atMs: number
  /** The vendor counts a request when it ends. */
  endMs: number
  model: VendorModel
  tokens: Tokens
  isForeign: boolean
  tier: Tier
  /** What the vendor charges for text, in billionths of a dollar. */
  nanoUsd: Tokens
  audio: Part
  image: Part
  /** Hidden tokens of the answer. */
  reasoning: number
  /** The vendor's answer had no usage: what Modelport counted instead. */
  estimate: Tokens | null
  /** The model that took the prompt first and failed. */
  failed: VendorModel | null
}

export interface VendorPlan {
  seed: number
  requests: number
  timeZone: string
  models: readonly VendorModel[]
  /** Whether the vendor's prompts are cached, and with a longer time. */
  hasWrites: boolean
  hasHourlyWrites: boolean
  /** From the eighth day, the second model's answers cost a quarter more. */
  changesPrice: boolean
  foreignShare: number
  tierShares: Partial<Record<Tier, number>>
  /** Shares of the requests; 0 if absent. */
  audioShare?: number
  imageShare?: number
  estimatedShare?: number
  failedShare?: number
}

export const firstDay = '2026-10-25'
export const dayCount = 14
export const changeDay = '2026-11-01'
const changeFactor = 1.25
/** The longest answer: some requests begin before midnight and end after it. */
const longestMs = 600_000

const classes = ['input', 'cacheRead', 'write5m', 'write1h', 'output'] as const

export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function makeRequests(plan: VendorPlan): VendorRequest[] {
  const random = randomOf(plan.seed)
  const randomParts = randomOf(plan.seed + 1_000_000)
  const startMs = midnight(firstDay, plan.timeZone)
  const endMs = midnight(nextDay(firstDay, dayCount), plan.timeZone)
  return Array.from({ length: plan.requests }, () => {
    const atMs = Math.floor(startMs + random() * (endMs - startMs - longestMs))
    const model = pick(plan.models, random())
    const isForeign = random() < plan.foreignShare
    const tier = tierAt(plan.tierShares, random())
    const tokens = tokensOf(random, plan)
    const isDearer = plan.changesPrice && model === plan.models[1]
    const dayNow = dayOf(atMs, plan.timeZone)
    const priceOf = (name: keyof Tokens) =>
      model.prices[name] *
      1000 *
      tierFactors[tier] *
      (isDearer && name === 'output' && dayNow >= changeDay ? changeFactor : 1)
    const lastsMs = Math.floor(random() * longestMs)
    const parts = partsOf(randomParts, { plan, tokens, priceOf })
    const text = { ...tokens, input: tokens.input - parts.audio.tokens }
    text.output -= parts.image.tokens
    const nanoUsd = map((name) => text[name] * priceOf(name))
    const failed = parts.isFailed ? otherThan(model, plan.models) : null
    const { isFailed: _, ...own } = parts
    return { atMs, endMs: atMs + lastsMs, model, tokens, isForeign, tier, nanoUsd, failed, ...own }
  })
}

function pick(models: readonly VendorModel[], at: number): VendorModel {
  const model = models[Math.floor(at * models.length)]
  if (model === undefined) throw new Error('a plan needs models')
  return model
}

function otherThan(model: VendorModel, models: readonly VendorModel[]): VendorModel | null {
  return models[(models.indexOf(model) + 1) % models.length] ?? null
}

function tierAt(shares: VendorPlan['tierShares'], at: number): Tier {
  let sum = 0
  for (const tier of ['batch', 'flex', 'priority'] as const) {
    sum += shares[tier] ?? 0
    if (at < sum) return tier
  }
  return 'standard'
}

interface Made {
  plan: VendorPlan
  tokens: Tokens
  priceOf: (name: keyof Tokens) => number
}

function partsOf(random: () => number, { plan, tokens, priceOf }: Made) {
  const part = (share: number, name: 'input' | 'output', factor: number): Part => {
    const count = random() < share ? Math.floor(tokens[name] * random()) : 0
    return { tokens: count, nanoUsd: count * priceOf(name) * factor }
  }
  const isEstimated = random() < (plan.estimatedShare ?? 0)
  // Estimates are three tenths too low on average.
  const estimated = 0.5 + 0.4 * random()
  return {
    audio: part(plan.audioShare ?? 0, 'input', partFactors.audio),
    image: part(plan.imageShare ?? 0, 'output', partFactors.image),
    reasoning: Math.floor(tokens.output * random() * 0.5),
    estimate: isEstimated ? map((name) => Math.round(tokens[name] * estimated)) : null,
    isFailed: random() < (plan.failedShare ?? 0),
  }
}

function tokensOf(random: () => number, plan: VendorPlan): Tokens {
  const prompt = Math.floor(2_000 + random() ** 3 * 60_000)
  const cached = random() < 0.5 ? Math.floor(prompt * random() * 0.9) : 0
  const isHourly = plan.hasHourlyWrites && random() < 0.3
  const written = plan.hasWrites && random() < 0.4 ? Math.floor((prompt - cached) * random()) : 0
  return {
    input: prompt - cached - written,
    cacheRead: cached,
    write5m: isHourly ? 0 : written,
    write1h: isHourly ? written : 0,
    output: Math.floor(100 + random() ** 2 * 4_000),
  }
}

export function map(valueOf: (name: keyof Tokens) => number): Tokens {
  return {
    input: valueOf('input'),
    cacheRead: valueOf('cacheRead'),
    write5m: valueOf('write5m'),
    write1h: valueOf('write1h'),
    output: valueOf('output'),
  }
}

export function totalOf(values: Tokens): number {
  return classes.reduce((sum, name) => sum + values[name], 0)
}

// ---- the ledger ------------------------------------------------------------------------------

/** A row of the ledger: the old price, and no requests of other programs. */
export interface LedgerEntry {
  atMs: number
  name: string
  tokens: Tokens
  reasoning: number
  isEstimated: boolean
  hasFailed: boolean
  nanoUsd: number
}

/** Modelport knows one price of a token, whatever its tier or part; a prompt that failed is at the model that answered. */
export function ledgerOf(requests: readonly VendorRequest[]): LedgerEntry[] {
  return requests
    .filter(({ isForeign, tier }) => !isForeign && tier !== 'batch')
    .map(({ atMs, model, reasoning, estimate, failed, ...request }) => {
      const tokens = estimate ?? request.tokens
      return {
        atMs,
        name: model.name,
        tokens,
        reasoning: estimate === null ? reasoning : 0,
        isEstimated: estimate !== null,
        hasFailed: failed !== null,
        nanoUsd: Math.round(
          listPrice(tokens, model) + (failed ? listPrice(promptOf(request), failed) : 0),
        ),
      }
    })
}

export function listPrice(tokens: Tokens, { prices }: VendorModel): number {
  return totalOf(map((name) => tokens[name] * prices[name] * 1000))
}

export function promptOf({ tokens }: Pick<VendorRequest, 'tokens'>): Tokens {
  return { ...map(() => 0), input: totalOf({ ...tokens, output: 0 }) }
}

// ---- days ------------------------------------------------------------------------------------

/** Creating one takes longer than a thousand uses. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

export function dayOf(atMs: number, timeZone: string): string {
  const known = dayFormats.get(timeZone)
  const format = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  if (!known) dayFormats.set(timeZone, format)
  return format.format(atMs)
}

export function nextDay(day: string, count = 1): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
}

/** The first moment of a day, found by trying. */
export function midnight(day: string, timeZone: string): number {
  const middle = Date.parse(`${day}T00:00Z`)
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const atMs = middle + minutes * 60_000
    if (dayOf(atMs, timeZone) === day && dayOf(atMs - 1, timeZone) !== day) return atMs
  }
  throw new Error(`no midnight on ${day} in ${timeZone}`)
}

// ---- bills -----------------------------------------------------------------------------------

/** What the vendor bills: the requests, and the prompts that other models took before they failed. */
export function billedRequests(requests: readonly VendorRequest[]): VendorRequest[] {
  return requests.flatMap((request) => {
    if (request.failed === null) return [request]
    const { failed: model, atMs } = request
    const tokens = promptOf(request)
    const nanoUsd = map((name) => tokens[name] * model.prices[name] * 1000)
    const none = { tokens: 0, nanoUsd: 0 }
    const failed = { model, tokens, nanoUsd, endMs: atMs, audio: none, image: none, reasoning: 0 }
    return [request, { ...request, ...failed }]
  })
}

/** The vendor's sums of a model, a day and a tier. */
export interface DayBill {
  day: string
  startMs: number
  endMs: number
  model: string
  tier: Tier
  requests: number
  tokens: Tokens
  /** Of text. */
  nanoUsd: Tokens
  audio: Part
  image: Part
}

export function dayBills(requests: readonly VendorRequest[], timeZone: string): DayBill[] {
  const days = new Map<string, DayBill>()
  const none = { tokens: 0, nanoUsd: 0 }
  for (const { endMs, model, tier, tokens, nanoUsd, audio, image } of requests) {
    const day = dayOf(endMs, timeZone)
    const key = `${day} ${model.billed} ${tier}`
    const known = days.get(key) ?? {
      day,
      startMs: midnight(day, timeZone),
      endMs: midnight(nextDay(day), timeZone),
      model: model.billed,
      tier,
      requests: 0,
      tokens: map(() => 0),
      nanoUsd: map(() => 0),
      audio: none,
      image: none,
    }
    days.set(key, {
      ...known,
      requests: known.requests + 1,
      tokens: map((name) => known.tokens[name] + tokens[name]),
      nanoUsd: map((name) => known.nanoUsd[name] + nanoUsd[name]),
      audio: sumOf(known.audio, audio),
      image: sumOf(known.image, image),
    })
  }
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

function sumOf(a: Part, b: Part): Part {
  return { tokens: a.tokens + b.tokens, nanoUsd: a.nanoUsd + b.nanoUsd }
}

/** All that a request or a day costs. */
export function wholeCost({ nanoUsd, audio, image }: Pick<DayBill, 'nanoUsd' | 'audio' | 'image'>) {
  return totalOf(nanoUsd) + audio.nanoUsd + image.nanoUsd
}
