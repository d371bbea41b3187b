/**
 * How much slower than assumed all models are, and those of each provider beyond that: what the latency of a model
 * without recent answers is expected from. Models of this computer neither give nor take, because their published
 * figures are of other machines.
 */
import type { AnswerForm, LatencyAverage, ModelFigures } from '../../storage/model-statistics.ts'
import type { LnTimes } from './latency-average.ts'

/** Time in which an answer's weight for other models halves: four hours. */
const halfLifeMs = 4 * 3_600_000
/** Weight of the assumed latency, in models. */
const assumedModels = 1

export interface SharedLatency {
  ofAll: LnTimes
  byProvider: ReadonlyMap<string, WeightedTimes>
}

export const noLatency: LnTimes = { lnFirstToken: 0, lnPerToken: 0 }

export function sharedLatency(
  models: Iterable<readonly [string, ModelFigures]>,
  form: AnswerForm,
  nowMs: number,
): SharedLatency {
  const all = new WeightedTimes()
  const byProvider = new Map<string, WeightedTimes>()
  for (const [name, { latencies, served }] of models) {
    const average = latencies[form]
    if (average === undefined || served !== undefined) continue
    const weight = weightOf(average, nowMs)
    all.add(average.fast, weight)
    const providerId = name.slice(0, name.indexOf(':'))
    const ofProvider = byProvider.get(providerId) ?? new WeightedTimes()
    byProvider.set(providerId, ofProvider)
    ofProvider.add(average.fast, weight)
  }
  return { ofAll: all.mean(), byProvider }
}

/** How much slower than assumed a model of the provider is expected to be. */
export function expectedOf({ ofAll, byProvider }: SharedLatency, providerId: string): LnTimes {
  const own = byProvider.get(providerId)?.mean(ofAll) ?? noLatency
  return {
    lnFirstToken: ofAll.lnFirstToken + own.lnFirstToken,
    lnPerToken: ofAll.lnPerToken + own.lnPerToken,
  }
}

function weightOf({ atMs, greatestShare }: LatencyAverage, nowMs: number): number {
  return greatestShare * 2 ** (-Math.max(0, nowMs - atMs) / halfLifeMs)
}

class WeightedTimes {
  #lnFirstToken = 0
  #lnPerToken = 0
  #weight = 0

  add({ lnFirstToken, lnPerToken }: LnTimes, weight: number): void {
    this.#lnFirstToken += weight * lnFirstToken
    this.#lnPerToken += weight * lnPerToken
    this.#weight += weight
  }

  /** The mean of the differences to `from`, drawn towards none. */
  mean(from: LnTimes = noLatency): LnTimes {
    const total = assumedModels + this.#weight
    return {
      lnFirstToken: (this.#lnFirstToken - this.#weight * from.lnFirstToken) / total,
      lnPerToken: (this.#lnPerToken - this.#weight * from.lnPerToken) / total,
    }
  }
}
