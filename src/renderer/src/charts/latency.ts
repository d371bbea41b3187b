/** How long answers took. */
import { formatCount, formatDuration } from '../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, type Bucket } from './buckets.ts'
import { amountSeries, tableOf, type ChartSeries, type TimeData } from './chart-series.ts'
import { noRequests, type BaseFilter } from './chart-text.ts'
import { draftLevel, draftSentence, type DraftOverlay } from './draft-overlay.ts'
import { scaleOf, type Scale } from './scales.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The whole answer, or its first token. */
export type LatencyMeasure = 'total' | 'firstToken'

interface Quantiles {
  p50: number
  p95: number
  p99: number
}

export interface Latency extends TimeData {
  /** Quantiles of each bucket; null without an answer. */
  quantiles: readonly (Quantiles | null)[]
  /** Requests without an answer, of each bucket. */
  failures: readonly number[]
  /** The p95 of the whole range under unsaved settings; null without any, and for first tokens. */
  draftP95Ms: number | null
  /** Null without an answer. */
  scale: Scale | null
}

interface LatencyInput {
  measure: LatencyMeasure
  base: BaseFilter
  /** Unsaved settings of the router. */
  draft?: DraftOverlay | null
}

export function latencyOf(
  report: UsageReport,
  range: UsageRange,
  { measure, base, draft = null }: LatencyInput,
): Latency {
  const buckets = bucketsOf(report, range)
  const quantiles = buckets.map(({ point }) => point && quantilesOf(point.total, measure))
  const failures = buckets.map(({ point }) => (point ? failuresOf(point.total) : 0))
  const p95Ms = measure === 'total' ? (report.total.latencyMs?.p95 ?? null) : null
  const draftP95Ms = draftLevel(p95Ms, draft?.p95Factor)
  const series = seriesOf(quantiles, failures)
  const drawn = quantiles.flatMap((each) => (each ? [each.p50, each.p95, each.p99] : []))
  return {
    buckets,
    series,
    quantiles,
    failures,
    draftP95Ms,
    scale: drawn.length === 0 ? null : scaleOf([...drawn, draftP95Ms], 'duration'),
    text: {
      sentence: joinSentences([
        sentenceOf(report.total, measure),
        draft && draftP95Ms !== null ? draftSentence('ms', draftP95Ms, draft) : '',
      ]),
      table: tableOf(buckets, series, base),
    },
  }
}

/** Largest share of the buckets with a mark: marks everywhere say nothing. */
const mostMarked = 1 / 3
/** Multiple of the mean number of failures from which a bucket stands out, when more buckets have failures. */
const standingOut = 2

/** Whether a bucket has a mark for its failures. */
export function markedFailures(failures: readonly number[]): boolean[] {
  const failing = failures.filter((count) => count > 0)
  const mean = failing.reduce((sum, count) => sum + count, 0) / Math.max(1, failing.length)
  const isFew = failing.length <= failures.length * mostMarked
  return failures.map((count) => count > 0 && (isFew || count >= mean * standingOut))
}

function seriesOf(
  quantiles: readonly (Quantiles | null)[],
  failures: readonly number[],
): ChartSeries[] {
  const quantile = (name: keyof Quantiles) => ({
    label: name,
    valueOf: (_bucket: Bucket, index: number) => formatDuration(quantiles[index]?.[name] ?? null),
  })
  return [
    quantile('p50'),
    quantile('p95'),
    quantile('p99'),
    { label: t('Answers'), valueOf: ({ point }) => formatCount(point.total.answered) },
    amountSeries({ label: t('Failures') }, (_bucket, index) => failures[index] ?? 0, formatCount),
  ]
}

function quantilesOf(
  { latencyMs, firstTokenMs }: UsageFigures,
  measure: LatencyMeasure,
): Quantiles | null {
  return measure === 'total' ? latencyMs : firstTokenMs
}

function failuresOf({ requests, answered }: UsageFigures): number {
  return requests - answered
}

function sentenceOf(total: UsageFigures, measure: LatencyMeasure): string {
  if (total.requests === 0) return noRequests
  const all = quantilesOf(total, measure)
  const failures = failuresOf(total)
  const lost =
    failures === 0
      ? []
      : [
          t('{count, plural, one {1 request} other {# requests}} without an answer.', {
            count: failures,
          }),
        ]
  if (all === null || total.latencyMs === null) {
    const none = measure === 'total' ? t('No answers.') : t('No streamed answers.')
    return joinSentences([none, ...lost])
  }
  const p50 = formatDuration(all.p50)
  const p95 = formatDuration(all.p95)
  const most =
    measure === 'total'
      ? t('Half of the answers came within {p50}, 95 % within {p95}, the longest {longest}.', {
          p50,
          p95,
          longest: formatDuration(total.latencyMs.max),
        })
      : t('Half of the first tokens came within {p50}, 95 % within {p95}.', { p50, p95 })
  return joinSentences([most, ...lost])
}
