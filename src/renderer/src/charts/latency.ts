/** How long answers took. */
import { formatCount, formatDuration } from '../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, isFilled, type Bucket } from './buckets.ts'
import { bucketRow, noRequests, type BaseFilter, type ChartText } from './chart-text.ts'
import { draftLine, draftSentence, type DraftOverlay } from './draft-overlay.ts'
import { formatAbout } from '../decision/estimates.ts'
import { scaleOf, type Scale } from './scales.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The whole answer, or its first token. */
export type LatencyMeasure = 'total' | 'firstToken'

interface Quantiles {
  p50: number
  p95: number
  p99: number
}

export interface Latency {
  buckets: readonly Bucket[]
  /** Of each bucket; null without an answer. */
  quantiles: readonly (Quantiles | null)[]
  /** Requests without an answer, of each bucket. */
  failures: readonly number[]
  /** An estimate for unsaved settings, of each bucket; null without any, and for first tokens. */
  draftP95Ms: readonly (number | null)[] | null
  /** Null without an answer. */
  scale: Scale | null
  text: ChartText
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
  const p95Ms = quantiles.map((each) => each && each.p95)
  const draftP95Ms = measure === 'total' ? draftLine(p95Ms, draft?.p95Factor) : null
  return {
    buckets,
    quantiles,
    failures,
    draftP95Ms,
    scale: quantiles.every((each) => each === null)
      ? null
      : scaleOf(
          [
            ...quantiles.flatMap((each) => (each ? [each.p50, each.p95, each.p99] : [])),
            ...(draftP95Ms ?? []),
          ],
          'duration',
        ),
    text: textOf({ report, buckets, quantiles, draftP95Ms }, { measure, base, draft }),
  }
}

export function quantilesOf(
  { latencyMs, firstTokenMs }: UsageFigures,
  measure: LatencyMeasure,
): Quantiles | null {
  return measure === 'total' ? latencyMs : firstTokenMs
}

export function failuresOf({ requests, answered }: UsageFigures): number {
  return requests - answered
}

interface TextInput extends Pick<Latency, 'buckets' | 'quantiles' | 'draftP95Ms'> {
  report: UsageReport
}

function textOf(
  { report, buckets, quantiles, draftP95Ms }: TextInput,
  { measure, base, draft }: LatencyInput,
): ChartText {
  const known = quantiles.filter((each) => each !== null)
  const only = known.length === 1 ? known[0] : undefined
  const answered = buckets.filter(isFilled)
  return {
    sentence: [sentenceOf(report.total, measure), draftPart(report.total, draft, draftP95Ms)]
      .filter(Boolean)
      .join(' '),
    table: {
      columns: [
        t('Time'),
        t('Answers'),
        'p50',
        'p95',
        'p99',
        t('Failures'),
        ...(draftP95Ms ? [t('p95, unsaved settings')] : []),
      ],
      rows: answered.map((bucket) => {
        const each = quantilesOf(bucket.point.total, measure)
        return bucketRow(bucket, base, [
          formatCount(bucket.point.total.answered),
          formatDuration(each?.p50 ?? null),
          formatDuration(each?.p95 ?? null),
          formatDuration(each?.p99 ?? null),
          formatCount(failuresOf(bucket.point.total)),
          ...(draftP95Ms ? [draftCell(draftP95Ms[buckets.indexOf(bucket)] ?? null)] : []),
        ])
      }),
    },
    single: only
      ? { value: formatDuration(only.p50), detail: singleDetail(report.total, only) }
      : null,
  }
}

/** An estimate in a table or beside the pointer. */
export function draftCell(ms: number | null): string {
  return ms === null ? '—' : formatAbout('ms', ms)
}

/** The p95 of the whole range under the draft. */
function draftPart(
  { latencyMs }: UsageFigures,
  draft: DraftOverlay | null | undefined,
  draftP95Ms: Latency['draftP95Ms'],
): string {
  if (!draft || !draftP95Ms || latencyMs === null) return ''
  return draftSentence('ms', latencyMs.p95 * (draft.p95Factor ?? 1), draft)
}

function singleDetail({ answered }: UsageFigures, { p95 }: Quantiles): string {
  if (answered === 1) return t('1 answer')
  return t('median of {count} answers, 95 % within {p95}', {
    count: formatCount(answered),
    p95: formatDuration(p95),
  })
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
    return [none, ...lost].join(' ')
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
  return [most, ...lost].join(' ')
}
