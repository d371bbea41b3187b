/** The other models of a decision, by what they would change. */
import type { DecisionRecord } from '../../../../shared/requests/detail.ts'
import { formatUsd } from '../../../../shared/strings/format.ts'

interface Alternative {
  model: string
  /** The expected change of the cost: `−80 %` or `+$0.01`. */
  change: string
}

export interface Alternatives {
  /** The best of the models that are clearly cheaper. */
  cheaper: Alternative | null
  /** The cheapest of the models that are clearly better. */
  stronger: Alternative | null
}

/** A change of less than this share of the cost is none. */
const leastSaving = 0.1
/** A gain of less than two of a hundred points is none. */
const leastGain = 0.02

/** @param used  the model that answered */
export function alternativesOf(ranked: DecisionRecord['ranked'], used: string): Alternatives {
  const mine = ranked.find(({ model }) => model === used)?.estimate
  if (!mine) return { cheaper: null, stronger: null }
  const others = ranked.filter(({ model }) => model !== used)
  const [cheaper] = others
    .filter(({ estimate }) => estimate.costNanoUsd <= mine.costNanoUsd * (1 - leastSaving))
    .filter(() => mine.costNanoUsd > 0)
    .toSorted((one, other) => other.estimate.quality - one.estimate.quality)
  const [stronger] = others
    .filter(({ estimate }) => estimate.quality >= mine.quality + leastGain)
    .toSorted((one, other) => one.estimate.costNanoUsd - other.estimate.costNanoUsd)
  return {
    cheaper: cheaper
      ? { model: cheaper.model, change: percent(cheaper.estimate.costNanoUsd, mine.costNanoUsd) }
      : null,
    stronger: stronger
      ? {
          model: stronger.model,
          change: difference(stronger.estimate.costNanoUsd - mine.costNanoUsd),
        }
      : null,
  }
}

function percent(nanoUsd: number, ofNanoUsd: number): string {
  return `−${Math.round((1 - nanoUsd / ofNanoUsd) * 100)} %`
}

function difference(nanoUsd: number): string {
  return `${nanoUsd < 0 ? '−' : '+'}${formatUsd(Math.abs(nanoUsd) / 1e9)}`
}
