/**
 * Whether a cheaper model for some steps of a session saves more than its cache costs to fill. docs/sessions.md explains
 * the figures; all are nano-dollars.
 */
import type { PriceRow, TokenPrice } from '../../shared/models/price.ts'
import type { ChangeSums } from '../../shared/requests/session-change.ts'
import { priceRow } from '../catalog/cost.ts'

/** The mean length of a run of steps without an edit. */
export const stepsOfRun = 3
/** The mean length of a turn. */
export const stepsOfTurn = 8
/** Steps that a cheaper model needs for one of the dearer model, where nothing is measured. */
const usualStepsForOne = 1.3
/** Between models whose steps cost less than so many times as much, an error of the estimate is larger than the saving. */
const leastTimes = 3
/** The share of a run's cost that a change must save at least. */
const margin = 0.1
/** The most of a session's cost that may be spent on changes. */
export const mostSwitchShare = 0.4

export interface ChangeQuestion {
  from: TokenPrice
  to: TokenPrice
  promptTokens: number
  /** What of the prompt the other model's vendor still has in its cache. */
  cachedTokens: number
  outputTokens: number
  /** By which each step lengthens the prompt. */
  appendedTokens: number
  /** Steps of the first model that will read what extra steps of the other append. */
  laterSteps: number
  /** Whether the first model's cache will have died when the session comes back. */
  losesCache: boolean
  steps: number
  /** Steps that the other model needs for one of the first; absent: as usual. */
  stepsForOne?: number | undefined
  /** How many runs share the filled cache; absent: this one alone. */
  visits?: number | undefined
}

interface KnownRow {
  read: number
  write: number
  output: number
}

export interface AnsweredQuestion {
  sums: ChangeSums
  /** What is left of the saving after filling caches, above the margin; negative: the change does not pay. */
  gainNanoUsd: number
}

/** @returns null where the price of reading a cache is unknown */
export function askChange(question: ChangeQuestion): AnsweredQuestion | null {
  const { promptTokens, cachedTokens, outputTokens, appendedTokens, laterSteps } = question
  const from = knownRow(question.from, promptTokens)
  const to = knownRow(question.to, promptTokens)
  if (from === null || to === null) return null
  const ofFirst = promptTokens * from.read + outputTokens * from.output
  const ofOther = promptTokens * to.read + outputTokens * to.output + appendedTokens * to.write
  const { stepsForOne = usualStepsForOne } = question
  const extra = (stepsForOne - 1) * appendedTokens * (from.write + laterSteps * from.read)
  const saved = ofFirst - stepsForOne * ofOther - extra
  const fill = Math.max(0, promptTokens - cachedTokens) * Math.max(0, to.write - to.read)
  const lost = question.losesCache ? promptTokens * Math.max(0, from.write - from.read) : 0
  const { steps, visits = 1 } = question
  const isNear = ofFirst < leastTimes * ofOther
  const gain = steps * saved - fill / visits - lost - margin * steps * promptTokens * from.read
  const sums = {
    steps,
    savedNanoUsd: Math.round(saved),
    fillNanoUsd: Math.round(fill),
    lostNanoUsd: Math.round(lost),
  }
  return { sums, gainNanoUsd: isNear ? -Infinity : gain }
}

/** What it costs to write tokens to a model's cache that could have been read; null where that price is unknown. */
export function fillNanoUsd(
  price: TokenPrice,
  { promptTokens, cachedTokens }: { promptTokens: number; cachedTokens: number },
): number | null {
  const row = knownRow(price, promptTokens)
  if (row === null) return null
  return Math.round(Math.max(0, promptTokens - cachedTokens) * Math.max(0, row.write - row.read))
}

/** Nano-dollars a token. */
function knownRow(price: TokenPrice, promptTokens: number): KnownRow | null {
  const row: PriceRow = priceRow(price, promptTokens)
  const { inputUsdPerMtok: input, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = row
  const read = cacheReadUsdPerMtok ?? (input === 0 ? 0 : null)
  if (read === null) return null
  const write = cacheWriteUsdPerMtok ?? input
  return { read: read * 1e3, write: write * 1e3, output: row.outputUsdPerMtok * 1e3 }
}
