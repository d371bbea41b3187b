/** Counts which models a router chose over time. */
import {
  formatClock,
  formatCount,
  formatDateTime,
  formatShare,
} from '../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import type { RouterChange } from '../../../shared/routers/router-change.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, type Bucket } from './buckets.ts'
import { changeFlags, type ChangeFlag, type ChangeFlags } from './change-flags.ts'
import { draftChoiceSentence, draftShare, type DraftOverlay } from './draft-overlay.ts'
import { amountSeries, tableOf, type ChartSeries, type TimeData } from './chart-series.ts'
import { noRequests, type BaseFilter } from './chart-text.ts'
import { joinSentences, joinWords } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The number of models with a colour of their own; the others share one. */
const mostSeries = 7
/** The model's name in reports for requests that no model answered. */
const noModel = ''
/** Names that no model has. */
export const otherSeries = 'other'
export const unansweredSeries = 'unanswered'

interface DecisionSeries {
  /** A model, `otherSeries` or `unansweredSeries`. */
  name: string
  label: string
  requests: number
  color: string
  isHatched: boolean
}

export interface Decisions extends TimeData {
  /** The most requests first, then the other models, then requests without an answer. */
  models: readonly DecisionSeries[]
  countIn: (name: string, bucket: Bucket) => number
  changes: ChangeFlags
}

interface DecisionsInput {
  base: BaseFilter
  /** Changes to the router's settings, in any order; missing where several routers are counted. */
  changes?: readonly RouterChange[]
  /** Unsaved settings of the router. */
  draft?: DraftOverlay | null
  /** The look of a series. */
  colourOf: (name: string) => { color: string; isHatched: boolean }
}

/** @param report  by model */
export function decisionsOf(
  report: UsageReport,
  range: UsageRange,
  { base, changes = [], draft = null, colourOf }: DecisionsInput,
): Decisions {
  const buckets = bucketsOf(report, range)
  const models = report.groups.filter(({ name }) => name !== noModel)
  const own = models.slice(0, mostSeries).map(({ name }) => name)
  const countIn = (name: string, { point }: Bucket) =>
    point === null ? 0 : valueIn(point.groups, name, own)
  const totals = Object.fromEntries(report.groups.map(({ name, figures }) => [name, figures]))
  const drawn = [...own, otherSeries, unansweredSeries]
    .map((name) => ({
      name,
      label: labelOf(name),
      ...colourOf(name),
      requests: valueIn(totals, name, own),
    }))
    .filter(({ requests }) => requests > 0)
  const flags = changeFlags(changes, range, buckets)
  const ofSeries =
    ({ name }: DecisionSeries) =>
    (bucket: Bucket) =>
      countIn(name, bucket)
  const series = [
    ...changeSeries(flags),
    ...drawn.map((each) => amountSeries(each, ofSeries(each), formatCount)),
  ]
  const sentences = [
    sentenceOf(drawn, report.total.requests),
    flags.sentence,
    draft ? draftChoiceSentence(draft) : '',
  ]
  return {
    buckets,
    series,
    models: drawn,
    countIn,
    changes: flags,
    text: {
      sentence: drawn.length === 0 ? noRequests : joinSentences(sentences),
      table: tableOf(buckets, series, base),
    },
  }
}

/** Series of the changes; empty without a change. */
function changeSeries({ flags, flagsAt }: ChangeFlags): ChartSeries[] {
  const valueOf = (bucket: Bucket) =>
    joinWords(
      flagsAt(bucket).flatMap((flag) =>
        flag.lines.map((line) => `${changeTime(flag, bucket)} ${line}`),
      ),
    )
  return flags.length === 0 ? [] : [{ label: t('Changes'), valueOf, isSentence: true }]
}

/** The requests of a series within others, such as those of a bucket; null where no filter selects exactly these. */
export function filterOfSeries(name: string, within: RequestFilter): RequestFilter | null {
  if (name === otherSeries) return null
  return name === unansweredSeries ? { ...within, end: 'error' } : { ...within, model: name }
}

const dayMs = 86_400_000

/** The title of the tooltip says the day of a change within a short bucket. */
function changeTime({ atMs }: ChangeFlag, { startMs, endMs }: Bucket): string {
  const isWithin = atMs >= startMs && atMs < endMs
  return isWithin && endMs - startMs < dayMs ? formatClock(atMs) : formatDateTime(atMs)
}

/** Each series with its share, then the models that only the draft would choose. */
export function legendRows(
  series: readonly Pick<DecisionSeries, 'name' | 'label' | 'requests'>[],
  draft: DraftOverlay | null,
): { name: string; label: string; value: string }[] {
  const total = series.reduce((sum, { requests }) => sum + requests, 0)
  const shareOf = ({ name, requests }: Pick<DecisionSeries, 'name' | 'requests'>) =>
    draft === null ? formatShare(requests / total) : (draftShare(name, draft) ?? '—')
  const drawn = series.map((each) => ({
    name: each.name,
    label: each.label,
    value: shareOf(each),
  }))
  const names = new Set(series.map(({ name }) => name))
  const onlyDraft = [...(draft?.shares ?? [])]
    .filter(([model, share]) => !names.has(model) && share.draft > 0)
    .map(([model]) => ({ name: model, label: model, value: draftShare(model, draft) ?? '—' }))
  return [...drawn, ...onlyDraft]
}

function valueIn(
  groups: Readonly<Record<string, UsageFigures>>,
  name: string,
  own: readonly string[],
): number {
  if (name === unansweredSeries) return groups[noModel]?.requests ?? 0
  if (name !== otherSeries) return groups[name]?.requests ?? 0
  const others = Object.entries(groups).filter(
    ([model]) => model !== noModel && !own.includes(model),
  )
  return others.reduce((sum, [, { requests }]) => sum + requests, 0)
}

function labelOf(name: string): string {
  if (name === otherSeries) return t('Other models')
  return name === unansweredSeries ? t('No answer') : name
}

function sentenceOf(series: readonly DecisionSeries[], total: number): string {
  const first = series.find(({ name }) => name !== otherSeries && name !== unansweredSeries)
  const unanswered = series.find(({ name }) => name === unansweredSeries)?.requests ?? 0
  const lost =
    unanswered === 0
      ? []
      : [t('For {requests}, no model began to answer.', { requests: formatCount(unanswered) })]
  if (!first) return t('{countOf}, none of them answered.', { countOf: countOf(total) })
  const most = t('{model} was chosen most: {share} of {countOf}.', {
    model: first.label,
    share: formatShare(first.requests / total),
    countOf: countOf(total),
  })
  return joinSentences([most, ...lost])
}

function countOf(requests: number): string {
  return t('{count, plural, one {1 request} other {# requests}}', { count: requests })
}
