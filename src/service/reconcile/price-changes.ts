/**
 * Finds prices that differ from a day on. Only a difference that one price explains on several days in a row is a price;
 * a single day that costs more stays unexplained.
 */
import { costOf, perClass, pricedNames, priceTolerance, take, type PerClass } from './line.ts'
import type { Rest } from './fixed-parts.ts'

export interface PriceChange {
  /** The days of the change, in order. */
  rests: readonly Rest[]
  /** The bill's prices, in nano-dollars per token. */
  prices: PerClass
  /** Whether it still holds on the last day that the bill has of the model. */
  isCurrent: boolean
}

/** @param rests  of one model, in the order of days. @returns the changes; their parts of the differences are named */
export function namePriceChanges(rests: readonly Rest[]): PriceChange[] {
  const used = rests.filter(({ tokens, costNanoUsd, isPriced, line }) => {
    return tokens !== null && costNanoUsd > 0 && !isPriced && line.listed !== null
  })
  const changes: PriceChange[] = []
  let start = 0
  while (start < used.length) {
    const first = used[start]
    if (first === undefined || !isOff(first)) {
      start += 1
      continue
    }
    const end = used.findIndex((rest, index) => index > start && !isOff(rest))
    const run = used.slice(start, end < 0 ? undefined : end)
    const found = longestFit(run)
    if (found !== null) {
      changes.push(nameChange(used, { start, ...found }))
      start += found.days
    } else start += 1
  }
  return changes
}

function isOff({ priceNanoUsd, costNanoUsd, roundingNanoUsd }: Rest): boolean {
  const expected = costNanoUsd - priceNanoUsd
  return Math.abs(priceNanoUsd) > Math.max(roundingNanoUsd, priceTolerance * Math.abs(expected))
}

function longestFit(run: readonly Rest[]): { days: number; prices: PerClass } | null {
  for (let days = run.length; days >= 2; days -= 1) {
    const prices = fit(run.slice(0, days))
    if (prices !== null) return { days, prices }
  }
  return null
}

interface Found {
  start: number
  days: number
  prices: PerClass
}

function nameChange(used: readonly Rest[], { start, days, prices }: Found): PriceChange {
  const rests = used.slice(start, start + days)
  // The price may change within a day: the days beside the run can have a part of it.
  const beside = [used[start - 1], used[start + days]].filter(
    (rest) => rest !== undefined && isPartOf(rest, prices),
  )
  const isCurrent = start + days === used.length
  const from = rests[0]?.line.day ?? ''
  const last = rests.at(-1)?.line.day ?? ''
  for (const rest of [...rests, ...beside]) {
    if (rest === undefined) continue
    const expected = rest.costNanoUsd - rest.priceNanoUsd
    const ratio = expected > 0 ? rest.costNanoUsd / expected : 1
    take(rest.line, rest.priceNanoUsd, {
      kind: 'price',
      from,
      until: isCurrent ? null : last,
      ratio,
    })
    rest.priceNanoUsd = 0
  }
  return { rests, prices, isCurrent }
}

function isPartOf(rest: Rest, prices: PerClass): boolean {
  const { tokens, costNanoUsd, priceNanoUsd } = rest
  if (tokens === null || !isOff(rest)) return false
  const full = costOf(prices, tokens) - (costNanoUsd - priceNanoUsd)
  const share = full === 0 ? 0 : priceNanoUsd / full
  return share > 0 && share < 1
}

// ---- the prices of a run ---------------------------------------------------------------------

/** Prices that give every day's cost; null if none do. The simplest that do are taken. */
function fit(run: readonly Rest[]): PerClass | null {
  return fitClasses(run) ?? fitUniform(run) ?? fitOneClass(run) ?? fitAll(run)
}

/** The bill's own prices, where it has costs by class. */
function fitClasses(run: readonly Rest[]): PerClass | null {
  if (run.some(({ classCosts }) => classCosts === null)) return null
  const last = run.at(-1)
  const prices = perClass((name) => {
    const tokens = sum(run, (rest) => rest.tokens?.[name] ?? 0)
    const cost = sum(run, (rest) => rest.classCosts?.[name] ?? 0)
    return tokens > 0 ? cost / tokens : (last?.prices[name] ?? 0)
  })
  return isFit(run, prices) ? prices : null
}

/** All prices changed in the same proportion. */
function fitUniform(run: readonly Rest[]): PerClass | null {
  const ratio =
    sum(run, (rest) => rest.costNanoUsd) / sum(run, (rest) => rest.costNanoUsd - rest.priceNanoUsd)
  const prices = run.at(-1)?.prices
  if (prices === undefined || !(ratio > 0)) return null
  const scaled = perClass((name) => prices[name] * ratio)
  return isFit(run, scaled) ? scaled : null
}

function fitOneClass(run: readonly Rest[]): PerClass | null {
  const prices = run.at(-1)?.prices
  if (prices === undefined) return null
  for (const name of pricedNames) {
    const tokens = sum(run, (rest) => rest.tokens?.[name] ?? 0)
    if (tokens === 0) continue
    const rest = sum(run, ({ tokens: all, costNanoUsd }) => {
      return costNanoUsd - costOf(prices, { ...all, [name]: 0 })
    })
    const changed = { ...prices, [name]: rest / tokens }
    if (changed[name] >= 0 && isFit(run, changed)) return changed
  }
  return null
}

/** Least squares over the days, each weighted by its cost. It needs more days than there are prices. */
function fitAll(run: readonly Rest[]): PerClass | null {
  const names = pricedNames.filter((name) => run.some(({ tokens }) => (tokens?.[name] ?? 0) > 0))
  if (run.length < names.length + 2) return null
  const rows = run.map(({ tokens, costNanoUsd }) => ({
    factors: names.map((name) => (tokens?.[name] ?? 0) / costNanoUsd),
    value: 1,
  }))
  const solved = leastSquares(rows)
  const last = run.at(-1)?.prices
  if (solved === null || last === undefined || solved.some((price) => price < 0)) return null
  const prices = perClass((name) => solved[names.indexOf(name)] ?? last[name])
  return isFit(run, prices) ? prices : null
}

function isFit(run: readonly Rest[], prices: PerClass): boolean {
  return run.every(({ tokens, costNanoUsd, roundingNanoUsd }) => {
    const error = Math.abs(costNanoUsd - costOf(prices, tokens ?? {}))
    return error <= Math.max(roundingNanoUsd, priceTolerance * costNanoUsd)
  })
}

function sum(run: readonly Rest[], valueOf: (rest: Rest) => number): number {
  return run.reduce((all, rest) => all + valueOf(rest), 0)
}

/** The normal equations by elimination; null where the days do not determine every price. */
function leastSquares(rows: readonly { factors: number[]; value: number }[]): number[] | null {
  const size = rows[0]?.factors.length ?? 0
  const matrix = Array.from({ length: size }, (_row, i) => [
    ...Array.from({ length: size }, (_cell, j) =>
      rows.reduce((all, { factors }) => all + (factors[i] ?? 0) * (factors[j] ?? 0), 0),
    ),
    rows.reduce((all, { factors, value }) => all + (factors[i] ?? 0) * value, 0),
  ])
  for (let pivot = 0; pivot < size; pivot += 1) {
    const row = matrix[pivot]
    const head = row?.[pivot] ?? 0
    const diagonal = rows.reduce((all, { factors }) => all + (factors[pivot] ?? 0) ** 2, 0)
    if (row === undefined || Math.abs(head) <= 1e-9 * diagonal) return null
    for (const [index, other] of matrix.entries()) {
      if (index === pivot) continue
      const factor = (other[pivot] ?? 0) / head
      for (let column = pivot; column <= size; column += 1) {
        other[column] = (other[column] ?? 0) - factor * (row[column] ?? 0)
      }
    }
  }
  return matrix.map((row, index) => (row[size] ?? 0) / (row[index] ?? 1))
}
