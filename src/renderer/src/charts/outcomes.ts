/** How requests ended over time. */
import { formatCount } from '../../../shared/strings/format.ts'
import type { RequestEnd } from '../../../shared/requests/search.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { amountSeries, tableOf, type TimeData } from './chart-series.ts'
import { formatShare, noRequests, type BaseFilter } from './chart-text.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface Outcome {
  end: Exclude<RequestEnd, 'error'>
  label: string
  /** Neutral for answers and for callers that left, red for all others. */
  color: string
  /** Words in the sentence: "3 were refused". */
  words: string
  countOf: (figures: UsageFigures) => number
}

const neutral = 'var(--color-muted)'
const faint = 'var(--color-edge)'
const red = 'var(--color-bad)'

/** Every request is one of these; a fallback is also answered. */
const outcomes: readonly Outcome[] = [
  {
    end: 'answered',
    color: neutral,
    label: t('Answered'),
    words: 'answered',
    countOf: ({ answered }) => answered,
  },
  {
    end: 'fallback',
    color: neutral,
    label: t('Fallback'),
    words: t('answered by a fallback'),
    countOf: ({ fallbacks }) => fallbacks,
  },
  {
    end: 'limited',
    color: red,
    label: t('Over limit'),
    words: t('over a limit'),
    countOf: ({ limited }) => limited,
  },
  {
    end: 'refused',
    color: red,
    label: t('Refused'),
    words: 'refused',
    countOf: ({ refused }) => refused,
  },
  {
    end: 'failed',
    color: red,
    label: t('Failed'),
    words: 'failed',
    countOf: ({ failed }) => failed,
  },
  {
    end: 'aborted',
    color: faint,
    label: t('Aborted'),
    words: t('aborted by the caller'),
    countOf: ({ aborted }) => aborted,
  },
]

export interface OutcomeLane {
  outcome: Outcome
  total: number
  /** Count of each bucket. */
  counts: readonly number[]
  /** The highest of them. */
  highest: number
}

export interface Outcomes extends TimeData {
  /** Lanes of the outcomes that occurred. */
  lanes: readonly OutcomeLane[]
}

export function outcomesOf(report: UsageReport, range: UsageRange, base: BaseFilter): Outcomes {
  const buckets = bucketsOf(report, range)
  const lanes = outcomes
    .map((outcome) => {
      const counts = buckets.map(({ point }) => (point ? outcome.countOf(point.total) : 0))
      return {
        outcome,
        counts,
        total: outcome.countOf(report.total),
        highest: Math.max(0, ...counts),
      }
    })
    .filter(({ total }) => total > 0)
  const series = outcomes.map((outcome) =>
    amountSeries(outcome, ({ point }) => outcome.countOf(point.total), formatCount),
  )
  return {
    buckets,
    series,
    lanes,
    text: { sentence: sentenceOf(report.total, lanes), table: tableOf(buckets, series, base) },
  }
}

function sentenceOf(total: UsageFigures, lanes: readonly OutcomeLane[]): string {
  const { requests, answered, fallbacks } = total
  if (requests === 0) return noRequests
  const byFallback =
    fallbacks === 0
      ? t('No fallback was needed.')
      : t('Fallbacks answered {share} of them.', { share: formatShare(fallbacks / answered) })
  const others = lanes
    .filter(({ outcome: { end } }) => end !== 'answered' && end !== 'fallback')
    .map(({ outcome, total: count }) => `${formatCount(count)} ${outcome.words}`)
  const rest = others.length === 0 ? [] : [`${capital(others.join(', '))}.`]
  const share =
    requests === 1
      ? answered === 1
        ? t('The only request was answered.')
        : t('The only request was not answered.')
      : t('{share} of {count, plural, one {# request} other {# requests}} were answered.', {
          share: formatShare(answered / requests),
          count: requests,
        })
  return [share, ...(answered === 0 ? [] : [byFallback]), ...rest].join(' ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
