/**
 * What a rule would have cost on one's own sessions, without using it. Sessions differ by far more than steps, so the
 * interval comes from drawing whole sessions again.
 */

/** A session as it was charged, and as the rule would have been, in nano-dollars. */
export interface PricedSession {
  chargedNanoUsd: number
  ruleNanoUsd: number
}

interface LookOnly {
  sessions: number
  savedNanoUsd: number
  /** 95 % of the draws lie between these. */
  lowNanoUsd: number
  highNanoUsd: number
  /** Further sessions until the saving can be told from chance; 0 when it can. */
  missing: number
}

const draws = 1_000
/** One-sided 5 % and a power of 80 %. */
export const distance = 1.645 + 0.84
/** Standard deviation of the logarithm of a session's ratio, before there are enough to measure it. */
const usualDeviation = 0.3
export const fewestSessions = 5
/** A saving below this is not looked for: it would need thousands of sessions. */
const leastSaving = 0.01

/** @param sessions  those that the rule would have changed */
export function lookOnly(sessions: readonly PricedSession[]): LookOnly {
  const saved = sessions.map(({ chargedNanoUsd, ruleNanoUsd }) => chargedNanoUsd - ruleNanoUsd)
  const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0)
  const { low, high } = rangeOfDraws(saved, sumOf)
  return {
    sessions: sessions.length,
    savedNanoUsd: Math.round(sumOf(saved)),
    lowNanoUsd: Math.round(low),
    highNanoUsd: Math.round(high),
    missing: Math.max(0, neededSessions(sessions) - sessions.length),
  }
}

function neededSessions(sessions: readonly PricedSession[]): number {
  const ratios = sessions.flatMap(({ chargedNanoUsd, ruleNanoUsd }) =>
    chargedNanoUsd > 0 && ruleNanoUsd > 0 ? Math.log(ruleNanoUsd / chargedNanoUsd) : [],
  )
  const mean = ratios.reduce((sum, one) => sum + one, 0) / Math.max(1, ratios.length)
  const squares = ratios.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const isMeasured = ratios.length >= fewestSessions
  const deviation = isMeasured ? Math.sqrt(squares / (ratios.length - 1)) : usualDeviation
  const effect = Math.max(Math.abs(mean), -Math.log(1 - leastSaving))
  return Math.max(fewestSessions, Math.ceil(((distance * deviation) / effect) ** 2))
}

/** The 95 % range of a figure of as many items as given, drawn with replacement; the same for the same items. */
export function rangeOfDraws<Item>(
  items: readonly Item[],
  figureOf: (drawn: readonly Item[]) => number,
): { low: number; high: number } {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const figures = Array.from({ length: draws }, () =>
    figureOf(items.flatMap(() => items[Math.floor(next() * items.length)] ?? [])),
  ).toSorted((a, b) => a - b)
  const at = (share: number) => figures[Math.floor(share * (draws - 1))] ?? 0
  return { low: at(0.025), high: at(0.975) }
}

/** A rule beside a router's traffic: its subagents on another of its models. */
export interface LookedRule extends LookOnly {
  routerId: string
  routerName: string
  /** `<provider>:<model_name>` */
  model: string
}
