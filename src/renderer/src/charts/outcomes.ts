/** How requests ended over time. */
import { formatCount, formatShare } from '../../../shared/strings/format.ts'
import type { RequestEnd } from '../../../shared/requests/search.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { amountSeries, tableOf, type TimeData } from './chart-series.ts'
import { noRequests, type BaseFilter } from './chart-text.ts'
import { asSentence, joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface Outcome {
  end: Exclude<RequestEnd, 'error'>
  label: string
  /** Neutral for answers and for callers that left, red for all others. */
  color: string
  /** How the sentence counts it: `3 refused`. Answers are its beginning. */
  words?: (count: string) => string
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
    countOf: ({ answered }) => answered,
  },
  {
    end: 'fallback',
    color: neutral,
    label: t('Fallback'),
    countOf: ({ fallbacks }) => fallbacks,
  },
  {
    end: 'limited',
    color: red,
    label: t('Over limit'),
    words: (count) => t('{count} over a limit', { count }),
    countOf: ({ limited }) => limited,
  },
  {
    end: 'refused',
    color: red,
    label: t('Refused'),
    words: (count) => t('{count} refused', { count }),
    countOf: ({ refused }) => refused,
  },
  {
    end: 'failed',
    color: red,
    label: t('Failed'),
    words: (count) => t('{count} failed', { count }),
    countOf: ({ failed }) => failed,
  },
  {
    end: 'aborted',
    color: faint,
    label: t('Aborted'),
    words: (count) => t('{count} aborted by the caller', { count }),
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
  const others = lanes.flatMap(({ outcome: { words }, total: count }) =>
    words ? [words(formatCount(count))] : [],
  )
  const rest = others.length === 0 ? [] : [asSentence(others)]
  const share =
    requests === 1
      ? answered === 1
        ? t('The only request was answered.')
        : t('The only request was not answered.')
      : t('{share} of {count, plural, one {# request} other {# requests}} were answered.', {
          share: formatShare(answered / requests),
          count: requests,
        })
  return joinSentences([share, ...(answered === 0 ? [] : [byFallback]), ...rest])
}
