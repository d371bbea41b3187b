/** Compares a bill with the ledger, by day and model, and names the causes of the differences. */
import type {
  PriceFinding,
  Reconciliation,
  ReconciledLine,
} from '../../shared/requests/reconciliation.ts'
import type { PriceSchedule } from '../../shared/models/price.ts'
import { priceInForce } from '../catalog/price-schedule.ts'
import { dayAfter, daysIn, type Days } from './days.ts'
import { splitLine, type Rest } from './fixed-parts.ts'
import {
  emptyFigures,
  perToken,
  priceTolerance,
  take,
  theirTokens,
  type Line,
  type PerClass,
} from './line.ts'
import { openModelKeys, type KnownModel } from './match-models.ts'
import { figuresByDay, findShift, placeOf, type FiguresByDay, type KeyedSpan } from './our-days.ts'
import { unpackSpans, type OurSpans } from './ours.ts'
import { namePriceChanges, type PriceChange } from './price-changes.ts'
import type { TheirSum, TheirSums } from './theirs.ts'
import { nameVolumes, type HourCosts } from './volumes.ts'

const hourMs = 3_600_000

export interface PricedModel extends KnownModel {
  /** Null without a price. */
  schedule: PriceSchedule | null
}

export interface Comparison {
  theirs: TheirSums
  /** From a day before the first one to a day after the last one. */
  spans: OurSpans
  models: readonly PricedModel[]
  timeZone: string
  from: string
  to: string
  nowMs: number
}

type Compared = Pick<Reconciliation, 'lines' | 'total' | 'prices' | 'offsetMinutes'>

export function compare(comparison: Comparison): Compared {
  const { timeZone, from, to } = comparison
  const days = daysIn(timeZone)
  const matched = matchModels(comparison)
  const sums = comparison.theirs.sums.filter(({ day }) => day >= from && day <= to)
  const shiftHours = findShift(sums, matched.keyOf, { spans: matched.spans, days })
  const ours = figuresByDay(matched.spans, days, shiftHours * hourMs)
  const chosen = shiftHours === 0 ? ours : figuresByDay(matched.spans, days)
  const lines = buildLines({ ...comparison, sums, ours, chosen, days, matched })
  const searches = matchSearches(lines)
  const rests = lines.map((line) => splitLine(line, searches.get(line) ?? 0))
  const changes = [...byKey(rests).values()].flatMap(namePriceChanges)
  nameVolumes(rests, hourCosts(comparison, { ...matched, days, shiftHours }))
  const finished = rests.map((rest) =>
    finish(rest, chosen.get(placeOf(rest.line.key, rest.line.day))),
  )
  return {
    lines: finished.toSorted(byDayAndSize),
    total: totalOf(finished),
    prices: changes.flatMap((change) => findingOf(change, { comparison, days, matched })),
    offsetMinutes: shiftHours === 0 ? null : shiftHours * 60,
  }
}

// ---- models ----------------------------------------------------------------------------------

interface Matched {
  keyOf: (name: string) => string
  spans: KeyedSpan[]
  /** The most used model of each key. */
  models: ReadonlyMap<string, PricedModel>
}

function matchModels({ spans, models }: Comparison): Matched {
  const all = [...unpackSpans(spans)]
  const uses = new Map<string, number>()
  for (const { model, requests } of all) uses.set(model, (uses.get(model) ?? 0) + requests)
  const sorted = models.toSorted((a, b) => (uses.get(b.id) ?? 0) - (uses.get(a.id) ?? 0))
  const keyOf = openModelKeys(sorted)
  const keyOfId = (id: string) => keyOf(id.slice(id.indexOf(':') + 1))
  const byModelKey = new Map<string, PricedModel>()
  for (const model of sorted.toReversed()) byModelKey.set(keyOfId(model.id), model)
  const keys = new Map([...uses.keys()].map((id) => [id, keyOfId(id)]))
  const keyed = all.map((span) => ({ ...span, key: keys.get(span.model) ?? span.model }))
  return { keyOf, spans: keyed, models: byModelKey }
}

// ---- lines -----------------------------------------------------------------------------------

interface LineParts extends Comparison {
  sums: readonly TheirSum[]
  ours: FiguresByDay
  /** The same in the chosen zone, which differs where the bill's days are shifted. */
  chosen: FiguresByDay
  days: Days
  matched: Matched
}

function buildLines({ sums, ours, chosen, days, matched, from, to }: LineParts): Line[] {
  const theirs = new Map<string, TheirSum[]>()
  for (const sum of sums) {
    const place = placeOf(sum.name === null ? '' : matched.keyOf(sum.name), sum.day)
    const others = theirs.get(place) ?? []
    theirs.set(place, others)
    others.push(sum)
  }
  const places = new Set([...theirs.keys(), ...ours.keys(), ...chosen.keys()])
  const lines = [...places].flatMap((place): Line[] => {
    const day = place.slice(0, 10)
    const key = place.slice(11)
    if (day < from || day > to) return []
    const found = theirs.get(place) ?? []
    const figures = ours.get(place) ?? emptyFigures()
    const schedule = matched.models.get(key)?.schedule ?? null
    const atMs = days.startOf(day) + 12 * hourMs
    const listed = schedule && perToken(priceInForce(schedule, atMs).price)
    const name = matched.models.get(key)?.id ?? found[0]?.name ?? key
    return [{ day, key, name, theirs: found, ours: figures, listed, causes: [] }]
  })
  return lines.toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/** What a search costs, in nano-dollars: `catalog/surcharges.ts`. */
const searchNanoUsd = 10_000_000

/**
 * Web searches that the bill lists apart from models, and the ledger at the model. They are found where the ledger's cost
 * is whole searches above the price of its tokens, and the bill has as many that day.
 */
function matchSearches(lines: readonly Line[]): ReadonlyMap<Line, number> {
  const searches = new Map<Line, number>()
  for (const billed of lines) {
    const listed = billed.theirs.reduce((sum, { costs }) => sum + (costs.webSearch ?? 0), 0)
    if (billed.key !== '' || listed <= 0) continue
    const found = lines
      .filter(({ day, key }) => day === billed.day && key !== '')
      .map((line) => ({ line, nanoUsd: wholeSearches(line) }))
    const all = found.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0)
    if (all > listed * 1.001) continue
    for (const { line, nanoUsd } of found) searches.set(line, nanoUsd)
  }
  return searches
}

function wholeSearches({ listed, ours }: Line): number {
  if (listed === null || ours.requests === 0) return 0
  const { input, output, cacheRead, cacheWrite } = ours.tokens
  const tokens = input * listed.input + output * listed.output + cacheRead * listed.cacheRead
  const above = ours.costNanoUsd - tokens - cacheWrite * listed.cacheWrite
  const count = Math.round(above / searchNanoUsd)
  const isWhole = Math.abs(above - count * searchNanoUsd) <= ours.requests
  return count > 0 && isWhole ? count * searchNanoUsd : 0
}

function byKey(rests: readonly Rest[]): Map<string, Rest[]> {
  const groups = new Map<string, Rest[]>()
  for (const rest of rests) {
    const group = groups.get(rest.line.key) ?? []
    groups.set(rest.line.key, group)
    group.push(rest)
  }
  return groups
}

// ---- hours -----------------------------------------------------------------------------------

function hourCosts(
  { theirs, to, nowMs }: Comparison,
  { spans, days, shiftHours }: Matched & { days: Days; shiftHours: number },
): HourCosts {
  const costs = new Map<string, number>()
  for (const { key, startMs, costNanoUsd } of spans) {
    const place = `${Math.floor((startMs + shiftHours * hourMs) / hourMs)} ${key}`
    costs.set(place, (costs.get(place) ?? 0) + costNanoUsd)
  }
  const costAt = (key: string, atMs: number) =>
    costs.get(`${Math.floor(atMs / hourMs)} ${key}`) ?? 0
  const today = days.dayOf(nowMs)
  const { moments } = theirs
  return {
    beforeMidnight: (key, day) => costAt(key, days.startOf(day) - 1),
    outside(key, day) {
      if (day === today && day === to) return null
      if (moments === null) return 0
      let sum = 0
      const endMs = days.startOf(dayAfter(day))
      for (let atMs = days.startOf(day); atMs < endMs; atMs += hourMs) {
        const isOutside = atMs + hourMs <= moments.firstMs || atMs > moments.lastMs
        if (isOutside) sum += costAt(key, atMs)
      }
      return sum
    },
  }
}

// ---- results ---------------------------------------------------------------------------------

/** @param chosen  the ledger's figures of the day in the chosen zone, which differ where the bill's days are shifted */
function finish(rest: Rest, chosen = emptyFigures()): ReconciledLine {
  const { line, roundingNanoUsd } = rest
  take(line, line.ours.costNanoUsd - chosen.costNanoUsd, { kind: 'border' })
  const left = rest.priceNanoUsd + rest.volumeNanoUsd
  const isRounding = Math.abs(left) <= roundingNanoUsd
  if (isRounding) take(line, left, { kind: 'rounding' })
  const unexplainedUsd = isRounding ? 0 : left / 1e9
  const explainedUsd = line.causes.reduce((sum, { usd }) => sum + usd, 0)
  const differenceUsd = explainedUsd + unexplainedUsd
  const oursUsd = chosen.costNanoUsd / 1e9
  return {
    day: line.day,
    model: line.name,
    theirs: {
      usd: oursUsd + differenceUsd,
      requests: rest.requests,
      tokens: tokensOf(theirTokens(line.theirs)),
    },
    isPriced: rest.isPriced,
    ours: { usd: oursUsd, requests: chosen.requests, tokens: tokensOf(chosen.tokens) },
    differenceUsd,
    causes: joined(line.causes),
    unexplainedUsd,
  }
}

function tokensOf(tokens: PerClass | null) {
  if (tokens === null) return null
  const { input, cacheRead, cacheWrite, cacheWrite1h, output } = tokens
  return { input, cacheRead, cacheWrite: cacheWrite + cacheWrite1h, output }
}

/** One cause of each kind, class and tier; the largest first. Only the lack of a price has no amount. */
function joined(causes: Line['causes']): Line['causes'] {
  const groups = new Map<string, Line['causes'][number]>()
  for (const cause of causes) {
    const { kind, billClass, tier, label } = cause
    const key = JSON.stringify([kind, billClass, tier, label])
    const other = groups.get(key)
    if (other) other.usd += cause.usd
    else groups.set(key, { ...cause })
  }
  return [...groups.values()]
    .filter(({ kind, usd }) => usd !== 0 || kind === 'noPrice')
    .toSorted((a, b) => Math.abs(b.usd) - Math.abs(a.usd))
}

function byDayAndSize(a: ReconciledLine, b: ReconciledLine): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return Math.abs(b.differenceUsd) - Math.abs(a.differenceUsd)
}

function totalOf(lines: readonly ReconciledLine[]): Reconciliation['total'] {
  const sum = (valueOf: (line: ReconciledLine) => number) =>
    lines.reduce((all, line) => all + valueOf(line), 0)
  return {
    theirsUsd: sum(({ theirs }) => theirs.usd),
    oursUsd: sum(({ ours }) => ours.usd),
    differenceUsd: sum(({ differenceUsd }) => differenceUsd),
    unexplainedUsd: sum(({ unexplainedUsd }) => Math.abs(unexplainedUsd)),
  }
}

/** A price that still holds at the bill's end, unless Modelport has it by now. */
function findingOf(
  { rests, prices, isCurrent }: PriceChange,
  { comparison, days, matched }: { comparison: Comparison; days: Days; matched: Matched },
): PriceFinding[] {
  const [first] = rests
  const model = first && matched.models.get(first.line.key)
  if (!isCurrent || first === undefined || !model?.schedule) return []
  // Prices of long prompts and of regions are computed from the listed one, which they do not show.
  if (!rests.every(isListed)) return []
  const { day } = first.line
  const now = priceInForce(model.schedule, comparison.nowMs).price
  const used = (name: keyof PerClass) => rests.some(({ tokens }) => (tokens?.[name] ?? 0) > 0)
  const listed = perToken(now)
  const correct = (name: keyof PerClass) =>
    (used(name) ? rounded(prices[name]) : listed[name]) / 1000
  const isKnown = (['input', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'output'] as const).every(
    (name) => !used(name) || Math.abs(prices[name] - listed[name]) <= priceTolerance * listed[name],
  )
  if (isKnown) return []
  const optional = (name: keyof PerClass, known: number | null | undefined) =>
    used(name) || known != null ? correct(name) : null
  return [
    {
      modelId: model.id,
      from: day,
      fromMs: days.startOf(day),
      inputUsdPerMtok: correct('input'),
      outputUsdPerMtok: correct('output'),
      cacheReadUsdPerMtok: optional('cacheRead', now.cacheReadUsdPerMtok),
      cacheWriteUsdPerMtok: optional('cacheWrite', now.cacheWriteUsdPerMtok),
      cacheWrite1hUsdPerMtok: optional('cacheWrite1h', now.cacheWrite1hUsdPerMtok),
      before: { inputUsdPerMtok: now.inputUsdPerMtok, outputUsdPerMtok: now.outputUsdPerMtok },
    },
  ]
}

/** Whether Modelport used its listed price that day, not one of a tier or with a surcharge. */
function isListed({ prices, line: { listed } }: PriceChange['rests'][number]): boolean {
  return listed !== null && Math.abs(prices.input - listed.input) <= priceTolerance * listed.input
}

/** The roundest price near a measured one: vendors' prices have few digits. @param nanoUsd  per token */
function rounded(nanoUsd: number): number {
  for (let digits = 1; digits < 6; digits += 1) {
    const round = Number(nanoUsd.toPrecision(digits))
    if (Math.abs(round - nanoUsd) <= 0.002 * nanoUsd) return round
  }
  return nanoUsd
}
