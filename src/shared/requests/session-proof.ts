/**
 * What a person's own sessions say about a router's rules. Sessions differ by far more than steps, so whole sessions are drawn
 * and counted; until an interval decides, the number of sessions that are missing is told instead.
 */
import { z } from 'zod'
import { stepClasses } from './session-step.ts'
import { distance, fewestSessions, rangeOfDraws } from './look-only.ts'

/** A step as both models would take it. */
export const shadowOutcomeSchema = z.strictObject({
  first: z.enum(stepClasses),
  second: z.enum(stepClasses),
  /** Whether both call the same tools first. */
  isSameTool: z.boolean(),
  /** Whether both call it for the same file; null where not both name one. */
  isSameFile: z.boolean().nullable(),
})
export type ShadowOutcome = z.output<typeof shadowOutcomeSchema>

/** A session that ended, of a router whose sessions are split. */
export interface SplitSession {
  routerId: string
  arm: 'rules' | 'plain'
  costNanoUsd: number
  /** 1 when a mark said that it was stuck. */
  stuck: number
}

/** A figure with its 95 % interval. */
export interface Proven {
  value: number
  low: number
  high: number
  /** Further sessions until the interval decides; 0 when it does. */
  missing: number
}

/** The sessions with a router's rules beside those without. */
export interface SplitProof {
  routerId: string
  routerName: string
  /** Sessions of each side. */
  rules: number
  plain: number
  /** What a typical session with the rules costs more, as a share; below 0 it costs less. */
  cost: Proven
  /** How much larger the share of stuck sessions is. */
  stuck: Proven
}

/** The steps of a router that another model was asked as well. */
export interface ShadowProof {
  routerId: string
  routerName: string
  model: string
  sessions: number
  steps: number
  spentUsd: number
  /** Null where no more steps are asked. */
  capUsd: number | null
  /** Share of steps of the same class. */
  same: Proven
}

export interface RuleProofs {
  splits: SplitProof[]
  shadows: ShadowProof[]
}

const z95 = 1.96
/** Standard deviation of the logarithm of a session's cost, until there are enough to measure it. */
const usualSpread = 1.2
/** A difference in cost below this is none. */
const smallestDifference = 0.05
/** More stuck sessions than this are too many. */
const mostMoreStuck = 0.1

/** @param sessions  of one router */
export function splitFigures(
  sessions: readonly SplitSession[],
): Pick<SplitProof, 'rules' | 'plain' | 'cost' | 'stuck'> {
  const [rules, plain] = (['rules', 'plain'] as const).map((arm) =>
    sessions.filter((one) => one.arm === arm),
  ) as [SplitSession[], SplitSession[]]
  return {
    rules: rules.length,
    plain: plain.length,
    cost: costDifference(rules, plain),
    stuck: stuckDifference(rules, plain),
  }
}

/** Of logarithms, because a few long sessions cost most. */
function costDifference(rules: readonly SplitSession[], plain: readonly SplitSession[]): Proven {
  const sides = [rules, plain].map((side) =>
    side.flatMap(({ costNanoUsd }) => (costNanoUsd > 0 ? Math.log(costNanoUsd) : [])),
  )
  const [first = [], second = []] = sides
  const fewest = Math.min(first.length, second.length)
  const difference = fewest === 0 ? 0 : meanOf(first) - meanOf(second)
  const variance =
    fewest < fewestSessions ? usualSpread ** 2 : (varianceOf(first) + varianceOf(second)) / 2
  const half =
    z95 * Math.sqrt(variance / Math.max(1, first.length) + variance / Math.max(1, second.length))
  const [low, high] = [difference - half, difference + half].map(Math.expm1) as [number, number]
  const isTold =
    fewest >= fewestSessions && (low > 0 || high < 0 || Math.max(-low, high) < smallestDifference)
  const effect = Math.max(Math.abs(difference), Math.log1p(smallestDifference))
  const needed = 2 * Math.ceil(2 * variance * (distance / effect) ** 2)
  return {
    value: Math.expm1(difference),
    low,
    high,
    missing: missingOf(isTold, needed, first.length + second.length),
  }
}

/** By Agresti and Caffo: one stuck and one other session more on each side. */
function stuckDifference(rules: readonly SplitSession[], plain: readonly SplitSession[]): Proven {
  const shareOf = (side: readonly SplitSession[]) =>
    (side.filter(({ stuck }) => stuck === 1).length + 1) / (side.length + 2)
  const [first, second] = [shareOf(rules), shareOf(plain)]
  const variance = (share: number, { length }: readonly SplitSession[]) =>
    (share * (1 - share)) / (length + 2)
  const half = z95 * Math.sqrt(variance(first, rules) + variance(second, plain))
  const value = first - second
  const [low, high] = [value - half, value + half]
  const isTold =
    Math.min(rules.length, plain.length) >= fewestSessions && (low > 0 || high < mostMoreStuck)
  const effect = Math.max(0.02, Math.abs(mostMoreStuck - value))
  const spread = first * (1 - first) + second * (1 - second)
  const needed = 2 * Math.ceil(spread * (distance / effect) ** 2)
  return { value, low, high, missing: missingOf(isTold, needed, rules.length + plain.length) }
}

/** The interval of the share of equal steps is this wide at most, in all. */
const widestShare = 0.1
/** Deviation of that share between sessions: at least, and until there are enough to measure it. */
const leastDeviation = 0.1
const usualDeviation = 0.2

export interface ShadowedSession {
  steps: number
  same: number
}

/** @param sessions  with at least one step each */
export function sameShare(sessions: readonly ShadowedSession[]): Proven {
  const shareOf = (drawn: readonly ShadowedSession[]) =>
    sumOf(drawn, ({ same }) => same) /
    Math.max(
      1,
      sumOf(drawn, ({ steps }) => steps),
    )
  const { low, high } = rangeOfDraws(sessions, shareOf)
  const shares = sessions.map((one) => one.same / one.steps)
  const isMeasured = shares.length >= fewestSessions
  const deviation = isMeasured
    ? Math.max(leastDeviation, Math.sqrt(varianceOf(shares)))
    : usualDeviation
  const needed = Math.ceil(((2 * z95 * deviation) / widestShare) ** 2)
  const isTold = sessions.length >= needed && high - low <= widestShare
  return {
    value: shareOf(sessions),
    low,
    high,
    missing: missingOf(isTold, needed, sessions.length),
  }
}

/** Never 0 before the interval decides. */
function missingOf(isTold: boolean, needed: number, had: number): number {
  return isTold ? 0 : Math.max(1, needed - had)
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0)
}

function meanOf(values: readonly number[]): number {
  return sumOf(values, (value) => value) / Math.max(1, values.length)
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return sumOf(values, (value) => (value - mean) ** 2) / Math.max(1, values.length - 1)
}
