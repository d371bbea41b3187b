/** The other models of a decision, by what they would change. */
import type { DecisionRecord, Estimate } from '../../../../shared/requests/detail.ts'
import type { Preview } from '../../../../shared/routers/preview.ts'
import { formatUsd } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface Alternative {
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

export interface OtherModel {
  model: string
  costUsd: number
  /** The expected differences from the router's own model, such as `−80 %, quality −12`. */
  changes: string
}

/** The model that the router would ask next; null when it has no other. */
export function runnerUpOf(preview: Preview): OtherModel | null {
  const unusable = new Set([preview.model, ...preview.skipped.map(({ model }) => model)])
  const next = preview.decision.ranked.find(({ model }) => !unusable.has(model))
  return next ? otherModelOf(preview, next.model) : null
}

/** @returns null for a model that the decision did not rank */
export function otherModelOf({ model: own, decision }: Preview, model: string): OtherModel | null {
  const estimateOf = (name: string) =>
    decision.ranked.find((ranked) => ranked.model === name)?.estimate
  const [from, to] = [estimateOf(own), estimateOf(model)]
  return from && to
    ? { model, costUsd: to.costNanoUsd / 1e9, changes: changesBetween(from, to) }
    : null
}

function changesBetween(from: Estimate, to: Estimate): string {
  const points = Math.round((to.quality - from.quality) * 100)
  const quality = t('quality {points}', { points: `${points < 0 ? '−' : '+'}${Math.abs(points)}` })
  return joinWords([costChange(to.costNanoUsd, from.costNanoUsd), points === 0 ? '' : quality])
}

/** Empty for hardly any change. */
function costChange(nanoUsd: number, ofNanoUsd: number): string {
  if (Math.abs(nanoUsd - ofNanoUsd) <= ofNanoUsd * leastSaving) return ''
  return nanoUsd < ofNanoUsd ? percent(nanoUsd, ofNanoUsd) : difference(nanoUsd - ofNanoUsd)
}

function percent(nanoUsd: number, ofNanoUsd: number): string {
  return `−${Math.round((1 - nanoUsd / ofNanoUsd) * 100)} %`
}

function difference(nanoUsd: number): string {
  return `${nanoUsd < 0 ? '−' : '+'}${formatUsd(Math.abs(nanoUsd) / 1e9)}`
}
