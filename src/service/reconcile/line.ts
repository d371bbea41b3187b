/** A model on a day: the bill's figures, the ledger's, and the parts of their difference that have no name yet. */
import type { Cause } from '../../shared/requests/reconciliation.ts'
import type { PriceRow } from '../../shared/models/price.ts'
import type { TokenName } from './bill.ts'
import type { TheirSum } from './theirs.ts'

export const pricedNames = ['input', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'output'] as const
export type PricedName = (typeof pricedNames)[number]
export type PerClass = Record<PricedName, number>

/** Largest error of a fitted price, and the smallest difference that counts as another price. */
export const priceTolerance = 0.003

export interface OurFigures {
  requests: number
  estimated: number
  fallbacks: number
  /** Cache writes of both times are in `cacheWrite`. */
  tokens: PerClass
  reasoning: number
  costNanoUsd: number
}

export interface Line {
  day: string
  /** Equal for all names of the model; empty for costs without one. */
  key: string
  /** Modelport's id, or the bill's name. */
  name: string
  theirs: readonly TheirSum[]
  ours: OurFigures
  /** Nano-dollars per token that day by the catalogue and the user; null without a price. */
  listed: PerClass | null
  causes: Cause[]
}

export function perClass(valueOf: (name: PricedName) => number): PerClass {
  return {
    input: valueOf('input'),
    cacheRead: valueOf('cacheRead'),
    cacheWrite: valueOf('cacheWrite'),
    cacheWrite1h: valueOf('cacheWrite1h'),
    output: valueOf('output'),
  }
}

export function emptyFigures(): OurFigures {
  return {
    requests: 0,
    estimated: 0,
    fallbacks: 0,
    tokens: perClass(() => 0),
    reasoning: 0,
    costNanoUsd: 0,
  }
}

/** A dollar per million tokens is a thousand nano-dollars per token. */
export function perToken(row: PriceRow): PerClass {
  const input = row.inputUsdPerMtok
  const cacheWrite = row.cacheWriteUsdPerMtok ?? input
  const usd: PerClass = {
    input,
    cacheRead: row.cacheReadUsdPerMtok ?? input,
    cacheWrite,
    cacheWrite1h: row.cacheWrite1hUsdPerMtok ?? cacheWrite,
    output: row.outputUsdPerMtok,
  }
  return perClass((name) => usd[name] * 1000)
}

/** The cost of tokens. */
export function costOf(prices: PerClass, tokens: Partial<PerClass>): number {
  return pricedNames.reduce((sum, name) => sum + prices[name] * (tokens[name] ?? 0), 0)
}

export function hasCosts(sums: readonly TheirSum[]): boolean {
  return sums.some(({ costs }) => Object.keys(costs).length > 0)
}

/** The tokens of some sums; null where none of them counts tokens. */
export function theirTokens(sums: readonly TheirSum[]): Record<TokenName, number> | null {
  if (!sums.some(({ tokens }) => Object.keys(tokens).length > 0)) return null
  const sumOf = (name: TokenName) => sums.reduce((sum, one) => sum + (one.tokens[name] ?? 0), 0)
  return {
    ...perClass(sumOf),
    audio: sumOf('audio'),
    audioOutput: sumOf('audioOutput'),
    image: sumOf('image'),
    reasoning: sumOf('reasoning'),
  }
}

export function take(line: Line, nanoUsd: number, cause: Omit<Cause, 'usd'>): void {
  if (nanoUsd !== 0) line.causes.push({ ...cause, usd: nanoUsd / 1e9 })
}
