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
  isBatch: boolean
  /** What the vendor charges, in billionths of a dollar. */
  nanoUsd: Record<keyof Tokens, number>
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
  batchShare: number
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
  const startMs = midnight(firstDay, plan.timeZone)
  const endMs = midnight(nextDay(firstDay, dayCount), plan.timeZone)
  return Array.from({ length: plan.requests }, () => {
    const atMs = Math.floor(startMs + random() * (endMs - startMs - longestMs))
    const model = plan.models[Math.floor(random() * plan.models.length)]
    if (model === undefined) throw new Error('a plan needs models')
    const isForeign = random() < plan.foreignShare
    const isBatch = random() < plan.batchShare
    const tokens = tokensOf(random, plan)
    const isDearer = plan.changesPrice && model === plan.models[1]
    const dayNow = dayOf(atMs, plan.timeZone)
    const factor = (name: keyof Tokens) =>
      (isBatch ? 0.5 : 1) *
      (isDearer && name === 'output' && dayNow >= changeDay ? changeFactor : 1)
    const nanoUsd = map((name) => tokens[name] * model.prices[name] * 1000 * factor(name))
    const lastsMs = Math.floor(random() * longestMs)
    return { atMs, endMs: atMs + lastsMs, model, tokens, isForeign, isBatch, nanoUsd }
  })
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
  nanoUsd: number
}

export function ledgerOf(requests: readonly VendorRequest[]): LedgerEntry[] {
  return requests
    .filter(({ isForeign, isBatch }) => !isForeign && !isBatch)
    .map(({ atMs, model, tokens }) => ({
      atMs,
      name: model.name,
      tokens,
      nanoUsd: Math.round(totalOf(map((name) => tokens[name] * model.prices[name] * 1000))),
    }))
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

/** The vendor's sums of a model, a day and a tier. */
export interface DayBill {
  day: string
  startMs: number
  endMs: number
  model: string
  isBatch: boolean
  requests: number
  tokens: Tokens
  nanoUsd: Tokens
}

export function dayBills(requests: readonly VendorRequest[], timeZone: string): DayBill[] {
  const days = new Map<string, DayBill>()
  for (const { endMs, model, isBatch, tokens, nanoUsd } of requests) {
    const day = dayOf(endMs, timeZone)
    const key = `${day} ${model.billed} ${isBatch}`
    const known = days.get(key) ?? {
      day,
      startMs: midnight(day, timeZone),
      endMs: midnight(nextDay(day), timeZone),
      model: model.billed,
      isBatch,
      requests: 0,
      tokens: map(() => 0),
      nanoUsd: map(() => 0),
    }
    days.set(key, {
      ...known,
      requests: known.requests + 1,
      tokens: map((name) => known.tokens[name] + tokens[name]),
      nanoUsd: map((name) => known.nanoUsd[name] + nanoUsd[name]),
    })
  }
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}
