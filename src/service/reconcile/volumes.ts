/** Names differences in the amounts of tokens: other requests, midnight, unfinished days, caches, estimates. */
import { dayAfter } from './days.ts'
import { hasCosts, take, theirTokens, type pricedNames } from './line.ts'
import type { Rest } from './fixed-parts.ts'

/** The ledger's cost in hours beside the border of a day, and outside the bill's moments. */
export interface HourCosts {
  /** The last hour of the day before, in nano-dollars. */
  beforeMidnight: (key: string, day: string) => number
  /** Hours of the day that the bill cannot have; null where it may lack any. */
  outside: (key: string, day: string) => number | null
}

/** @param rests  all lines of a comparison, in the order of days */
export function nameVolumes(rests: readonly Rest[], hours: HourCosts): void {
  nameUnfinished(rests, hours)
  const unseenWrites = modelsWithoutWrites(rests)
  for (const rest of rests) nameClasses(rest, unseenWrites.has(rest.line.key))
  nameElsewhere(rests, hours)
  for (const rest of rests) nameRequests(rest)
  nameUnpriced(rests)
}

function takeVolume(rest: Rest, nanoUsd: number, cause: Parameters<typeof take>[2]): void {
  take(rest.line, nanoUsd, cause)
  rest.volumeNanoUsd -= nanoUsd
}

function nameUnfinished(rests: readonly Rest[], hours: HourCosts): void {
  for (const rest of rests) {
    const { line, volumeNanoUsd } = rest
    const outside = hours.outside(line.key, line.day)
    if (volumeNanoUsd >= 0 || outside === 0) continue
    const part = Math.max(volumeNanoUsd, outside === null ? -Infinity : -outside)
    takeVolume(rest, part, { kind: 'partialDay' })
  }
}

/**
 * Names what the bill has at another model or on another day.
 *
 * A request that began before midnight and ended after it is on the next day of a bill that counts ends. What leaves a day
 * so arrives on the next one, and is no more than the ledger has in the day's last hour.
 */
function nameElsewhere(rests: readonly Rest[], hours: HourCosts): void {
  /** What left the day before, by model. */
  const left = new Map<string, { day: string; nanoUsd: number }>()
  for (const ofDay of byDay(rests)) {
    nameFailed(ofDay, (rest) => arrived(rest) ?? 0)
    for (const rest of ofDay) {
      const { key, day } = rest.line
      const arriving = arrived(rest) ?? arrivingFirst(rest, hours)
      const most = hours.beforeMidnight(key, dayAfter(day))
      const leaving = Math.min(most, Math.max(0, arriving - rest.volumeNanoUsd))
      takeVolume(rest, arriving - leaving, { kind: 'border' })
      left.set(key, { day, nanoUsd: leaving })
    }
  }

  function arrived({ line }: Rest): number | null {
    const before = left.get(line.key)
    return before !== undefined && dayAfter(before.day) === line.day ? before.nanoUsd : null
  }
}

/** Lines whose tokens the bill has, by day. */
function byDay(rests: readonly Rest[]): Rest[][] {
  const days = new Map<string, Rest[]>()
  for (const rest of rests) {
    if (rest.tokens === null) continue
    const ofDay = days.get(rest.line.day) ?? []
    days.set(rest.line.day, ofDay)
    ofDay.push(rest)
  }
  return [...days.values()]
}

/** On the first day of a bill, all that is too much can have arrived, or nothing. */
function arrivingFirst({ line, volumeNanoUsd }: Rest, hours: HourCosts): number {
  const isPossible = volumeNanoUsd <= hours.beforeMidnight(line.key, line.day)
  return isPossible ? Math.max(0, volumeNanoUsd) : 0
}

/**
 * What requests of the day paid beside their tokens, where the vendor bills it: at the models that failed.
 * @param ofDay  all lines of a day
 */
function nameFailed(ofDay: readonly Rest[], arrivedAt: (rest: Rest) => number): void {
  const paid = ofDay.reduce((sum, { besideNanoUsd }) => sum + besideNanoUsd, 0)
  const failed = ofDay.map((rest) => {
    return { rest, more: Math.max(0, rest.volumeNanoUsd - arrivedAt(rest)) }
  })
  const all = failed.reduce((sum, { more }) => sum + more, 0)
  const share = all > 0 ? Math.min(1, paid / all) : 0
  for (const { rest, more } of failed) takeVolume(rest, more * share, { kind: 'severalModels' })
}

/** Models whose cache writes are in the bill and never in the ledger. */
function modelsWithoutWrites(rests: readonly Rest[]): ReadonlySet<string> {
  const sums = new Map<string, { ours: number; theirs: number }>()
  for (const { line, ours, tokens } of rests) {
    const sum = sums.get(line.key) ?? { ours: 0, theirs: 0 }
    sum.ours += ours.cacheWrite + ours.cacheWrite1h
    sum.theirs += (tokens?.cacheWrite ?? 0) + (tokens?.cacheWrite1h ?? 0)
    sums.set(line.key, sum)
  }
  const found = [...sums].filter(([, { ours, theirs }]) => ours === 0 && theirs > 0)
  return new Set(found.map(([key]) => key))
}

/** Differences of classes in the same requests. */
function nameClasses(rest: Rest, isWithoutWrites: boolean): void {
  if (rest.tokens === null || rest.line.ours.requests === 0 || isSmall(rest)) return
  if (isWithoutWrites) return nameWrites(rest)
  nameMoves(rest)
  nameReasoning(rest)
}

function nameRequests(rest: Rest): void {
  const { line } = rest
  if (line.key === '') return
  if (line.ours.requests === 0) return nameUnknown(rest)
  if (rest.tokens === null || isSmall(rest)) return
  if (hasFewOthers(rest) && nameEstimated(rest)) return
  if (!isForeign(rest)) return
  const requests = rest.requests === null ? null : rest.requests - line.ours.requests
  if (rest.volumeNanoUsd > 0) takeVolume(rest, rest.volumeNanoUsd, { kind: 'foreign', requests })
}

/** A difference of more than so many usual requests for each one that the bill has more is hardly theirs. */
const mostTimesUsual = 3

/** Whether the bill has no more requests, or too few for the difference. True without counts: they prove nothing. */
function hasFewOthers({ line, requests, ourCostNanoUsd, volumeNanoUsd }: Rest): boolean {
  if (requests === null) return true
  const others = Math.max(0, requests - line.ours.requests)
  return mostTimesUsual * others * (ourCostNanoUsd / line.ours.requests) < volumeNanoUsd
}

/** The ledger has nothing of the model that day. */
function nameUnknown(rest: Rest): void {
  const nanoUsd = rest.priceNanoUsd + rest.volumeNanoUsd
  if (nanoUsd <= 0) return
  take(rest.line, nanoUsd, { kind: 'foreign', requests: rest.requests })
  rest.priceNanoUsd = 0
  rest.volumeNanoUsd = 0
}

function isSmall({ volumeNanoUsd, roundingNanoUsd }: Rest): boolean {
  return Math.abs(volumeNanoUsd) <= roundingNanoUsd
}

function deltasOf({ tokens, ours }: Pick<Rest, 'tokens' | 'ours'>) {
  const delta = (name: (typeof pricedNames)[number]) => (tokens?.[name] ?? 0) - ours[name]
  const writes = delta('cacheWrite') + delta('cacheWrite1h')
  const prompt = delta('input') + delta('cacheRead') + writes
  const moved = Math.abs(delta('input')) + Math.abs(delta('cacheRead')) + Math.abs(writes)
  return { delta, writes, prompt, moved, output: delta('output') }
}

/** More requests than the ledger has, or more of both prompts and answers where the bill does not count requests. */
function isForeign(rest: Rest): boolean {
  if (rest.requests !== null) return rest.requests > rest.line.ours.requests
  const { prompt, output } = deltasOf(rest)
  const hasOutput = (rest.tokens?.output ?? 0) + rest.ours.output > 0
  return prompt > 0 && (output > 0 || !hasOutput)
}

function nameWrites(rest: Rest): void {
  const { delta } = deltasOf(rest)
  const { cacheWrite, cacheWrite1h } = rest.prices
  const written = cacheWrite * delta('cacheWrite') + cacheWrite1h * delta('cacheWrite1h')
  // Where the provider reported no writes, the ledger has these tokens as input.
  const nanoUsd = written + rest.prices.input * Math.min(0, delta('input'))
  takeVolume(rest, Math.min(nanoUsd, rest.volumeNanoUsd), { kind: 'cacheWrites' })
}

/** Shares of the ledger's tokens: less than the first moves by requests around midnight, more than the second by other requests. */
const leastMoved = 0.05
const mostOther = 0.03

/** The same requests, of which the bill has other parts of the prompts in the cache, or only more written ones. */
function nameMoves(rest: Rest): void {
  const { ours, prices } = rest
  const { delta, prompt, moved, writes, output } = deltasOf(rest)
  const ourPrompt = ours.input + ours.cacheRead + ours.cacheWrite + ours.cacheWrite1h
  const isOther = Math.abs(output) > mostOther * ours.output
  if (isOther || moved <= leastMoved * ourPrompt) return
  const written =
    prices.cacheWrite * delta('cacheWrite') + prices.cacheWrite1h * delta('cacheWrite1h')
  if (Math.abs(prompt) > 0.1 * moved) {
    const isOnlyWrites = moved - Math.abs(writes) <= 0.5 * Math.abs(writes)
    if (isOnlyWrites) takeVolume(rest, written, { kind: 'cacheWrites' })
    return
  }
  const nanoUsd = written + prices.input * delta('input') + prices.cacheRead * delta('cacheRead')
  const isOfWrites = Math.abs(writes) > 0.1 * moved
  takeVolume(rest, nanoUsd, { kind: isOfWrites ? 'cacheWrites' : 'cacheReads' })
}

/** The bill has hidden tokens that the ledger lacks, and about as much more output: requests around midnight move some. */
function nameReasoning(rest: Rest): void {
  const { output } = deltasOf(rest)
  const hidden = rest.reasoning - rest.line.ours.reasoning
  const mayBeOther = hidden <= mostOther * rest.ours.output
  if (output <= 0 || mayBeOther || Math.abs(output - hidden) > 0.1 * hidden) return
  const nanoUsd = rest.prices.output * hidden
  takeVolume(rest, nanoUsd, { kind: 'class', billClass: 'reasoning', label: null })
}

/** Estimates may be wrong by as much as twice their share of the requests. @returns whether they explain the rest */
function nameEstimated(rest: Rest): boolean {
  const { requests, estimated } = rest.line.ours
  const most = rest.ourCostNanoUsd * Math.min(1, (2 * estimated) / requests)
  if (isSmall(rest) || estimated === 0 || Math.abs(rest.volumeNanoUsd) > most) return false
  takeVolume(rest, rest.volumeNanoUsd, { kind: 'estimated' })
  return true
}

/** Without a price, tokens that differ make a difference of $0, which would look like an agreement. */
function nameUnpriced(rests: readonly Rest[]): void {
  const isUsageOnly = !rests.some(({ line }) => hasCosts(line.theirs))
  for (const { line, isPriced, tokens, ourCostNanoUsd } of rests) {
    if (line.listed !== null || tokens === null) continue
    // A usage-only bill without the model has a difference of $0, too, unless the ledger has a cost.
    const isAbsent = isUsageOnly && line.theirs.length === 0 && ourCostNanoUsd === 0
    if (!isPriced && !isAbsent) continue
    // Of all tiers: `tokens` leaves out batches, which have no price here either.
    const { moved, output } = deltasOf({
      tokens: theirTokens(line.theirs),
      ours: line.ours.tokens,
    })
    if (moved + Math.abs(output) >= 1) line.causes.push({ kind: 'noPrice', usd: 0 })
  }
}
