/**
 * What charts show of unsaved settings: the replay of the newest requests, carried over to the range of the chart. The
 * replay gives sums, so charts draw one level for the whole range and no line over time.
 */
import { formatCount, formatShare } from '../../../shared/strings/format.ts'
import type { ReplayReport } from '../../../shared/routers/replay.ts'
import { t } from '../../../shared/strings/strings.ts'
import { formatAbout } from '../decision/estimates.ts'

export interface DraftOverlay {
  /** The requests that the estimate comes from. */
  replayed: number
  /** Ratio of the draft's figure to the recorded one; null when the recorded one is 0. */
  costFactor: number | null
  p95Factor: number | null
  carbonFactor: number | null
  /** The share of the replayed requests that each model answered, and would answer. */
  shares: ReadonlyMap<string, { actual: number; draft: number }>
  /** The model that the draft would choose most. */
  chosenMost: string | null
}

/** @returns null when no request could be replayed */
export function draftOverlay(report: ReplayReport): DraftOverlay | null {
  const { replayed, actual, expected, latencyP95Ms, models } = report
  if (replayed === 0) return null
  const [most] = models.toSorted((a, b) => b.expected - a.expected)
  return {
    replayed,
    costFactor: factorOf(expected.costUsd.mid, actual.costUsd),
    p95Factor: factorOf(latencyP95Ms.expected, latencyP95Ms.actual),
    carbonFactor: factorOf(expected.carbonGrams.mid, actual.carbonGrams),
    shares: new Map(
      models.map((each) => [
        each.model,
        { actual: each.actual / replayed, draft: each.expected / replayed },
      ]),
    ),
    chosenMost: most?.model ?? null,
  }
}

function factorOf(draft: number, actual: number): number | null {
  return actual > 0 ? draft / actual : null
}

/** A figure of the whole range under the draft; null without a draft, a figure or a factor. */
export function draftLevel(value: number | null, factor: number | null | undefined): number | null {
  return value === null || factor === null || factor === undefined ? null : value * factor
}

/** The name of the draft in keys. */
export const draftName = t('Unsaved settings')

/** `With the unsaved settings ≈ $1.2 (from the last 200 requests).` */
export function draftSentence(
  measure: 'usd' | 'ms' | 'grams',
  value: number,
  { replayed }: DraftOverlay,
): string {
  return t(
    'With the unsaved settings {amount}, estimated from {count, plural, one {1 replayed request} other {# replayed requests}}.',
    { amount: formatAbout(measure, value), count: replayed },
  )
}

/** Names the model that the draft would choose most. */
export function draftChoiceSentence({ chosenMost, shares, replayed }: DraftOverlay): string {
  const share = chosenMost === null ? undefined : shares.get(chosenMost)
  if (!share) return ''
  return t(
    'The unsaved settings would choose {model} most: {share} of {count} replayed requests.',
    {
      model: chosenMost,
      share: formatShare(share.draft),
      count: formatCount(replayed),
    },
  )
}

/** `60 % → 20 %`: the share of a model in the replayed requests and under the draft. */
export function draftShare(model: string, draft: DraftOverlay | null): string | null {
  const share = draft?.shares.get(model)
  return share ? `${formatShare(share.actual)} → ${formatShare(share.draft)}` : null
}
