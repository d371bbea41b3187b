/** Two runs of a router, model by model. */
import { domainNames, type Domain } from '../../../../shared/app/domains.ts'
import { formatQualityPoints } from '../../../../shared/models/quality-words.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import type {
  Interval,
  TuningModelResult,
  TuningRun,
} from '../../../../shared/tuning/tuning-run.ts'
import { formatChange } from '../../decision/estimates.ts'
import { sourceText } from './run-words.ts'

export interface ComparedModel {
  model: string
  /** Null when the run did not ask the model. */
  earlier: TuningModelResult | null
  later: TuningModelResult | null
  /** Quality later less earlier, 0 to 1; 0 where the intervals overlap, null without two grades. */
  change: number | null
  /** Kinds of prompts with grades in both runs. */
  domains: readonly ComparedDomain[]
}

export interface ComparedDomain {
  domain: Domain
  earlier: Interval
  later: Interval
  change: number | null
}

type Models = readonly TuningModelResult[]

/** Models of both runs first, the best ones of the later run at the top. */
export function compareModels(earlier: Models, later: Models): ComparedModel[] {
  const names = new Set([...later, ...earlier].map(({ model }) => model))
  const compared = [...names].map((model) => {
    const find = (models: Models) => models.find((one) => one.model === model) ?? null
    const both = { earlier: find(earlier), later: find(later) }
    const qualityOf = (run: keyof typeof both) => both[run]?.all.quality ?? null
    const change = shownChange(qualityOf('earlier'), qualityOf('later'))
    return { model, ...both, change, domains: compareDomains(both) }
  })
  return compared.toSorted((a, b) => rankOf(b) - rankOf(a))
}

/** Later less earlier; 0 where the 90 % intervals overlap, because no difference is shown then. */
function shownChange(before: Interval | null, after: Interval | null): number | null {
  if (before === null || after === null) return null
  const overlaps = before.low <= after.high && after.low <= before.high
  return overlaps ? 0 : after.mean - before.mean
}

function compareDomains({
  earlier,
  later,
}: Pick<ComparedModel, 'earlier' | 'later'>): ComparedDomain[] {
  return domainNames.flatMap((domain) => {
    const qualityIn = (result: TuningModelResult | null) =>
      result?.domains.find((one) => one.domain === domain)?.quality ?? null
    const [before, after] = [qualityIn(earlier), qualityIn(later)]
    if (before === null || after === null) return []
    return { domain, earlier: before, later: after, change: shownChange(before, after) }
  })
}

function rankOf({ earlier, later, change }: ComparedModel): number {
  const quality = later?.all.quality ?? earlier?.all.quality
  return (change === null ? 0 : 2) + (quality?.mean ?? -1)
}

/** `B against A: 1 model better, 0 worse, 2 with no difference shown.` */
export function summaryOf(models: readonly ComparedModel[]): string {
  const changes = models.flatMap(({ change }) => change ?? [])
  if (changes.length === 0) return t('No model has grades in both runs.')
  return t(
    'B against A: {better, plural, one {1 model} other {# models}} better, {worse} worse, {same} with no difference shown.',
    {
      better: changes.filter((change) => change > 0).length,
      worse: changes.filter((change) => change < 0).length,
      same: changes.filter((change) => change === 0).length,
    },
  )
}

/** `+12 points`, `no difference shown` */
export function qualityChange(change: number | null): string {
  if (change === null) return '—'
  if (change === 0) return t('no difference shown')
  return `${change < 0 ? '−' : '+'}${formatQualityPoints(Math.round(change * 100) / 100)}`
}

/** `+$0.0002`, `no change`; both are means of an answer. */
export function meanChange(
  measure: 'usd' | 'ms',
  { earlier, later }: Pick<ComparedModel, 'earlier' | 'later'>,
): string {
  const of = (one: TuningModelResult | null) =>
    (measure === 'usd' ? one?.costUsd : one?.latencyMs) ?? null
  const [from, to] = [of(earlier), of(later)]
  return from === null || to === null ? '—' : formatChange(measure, { from, to })
}

/** Why a difference may not be one of the models; empty when nothing is known. */
export function caveatOf(earlier: TuningRun, later: TuningRun): string {
  const sentences = [
    ...(sourceText(earlier) === sourceText(later)
      ? []
      : [t('The prompts come from different sources, and a difference may come from them.')]),
    ...(earlier.judge === later.judge
      ? []
      : [t('Different judges graded the answers, and a difference may come from them.')]),
  ]
  return joinSentences(sentences)
}
