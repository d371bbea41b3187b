/** Tokens by class over time. */
import { formatCount, formatTokens } from '../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, isFilled, type Bucket } from './buckets.ts'
import {
  bucketRow,
  formatShare,
  noRequests,
  type BaseFilter,
  type ChartText,
} from './chart-text.ts'
import { t } from '../../../shared/strings/strings.ts'

const tokenClasses = [
  { name: 'input', label: 'Prompt' },
  { name: 'cacheRead', label: 'Prompt, from cache' },
  { name: 'cacheWrite', label: 'Prompt, to cache' },
  { name: 'output', label: 'Completion' },
  { name: 'reasoning', label: 'Reasoning' },
] as const

type TokenClass = (typeof tokenClasses)[number]

export interface Tokens {
  buckets: readonly Bucket[]
  /** The classes that occurred. */
  series: readonly (TokenClass & { total: number })[]
  text: ChartText
}

export function tokensOf(report: UsageReport, range: UsageRange, base: BaseFilter): Tokens {
  const buckets = bucketsOf(report, range)
  const { tokens, requests } = report.total
  const all = allTokens(report.total)
  const series = tokenClasses
    .map((each) => ({ ...each, total: tokens[each.name] }))
    .filter(({ total }) => total > 0)
  const filled = buckets.filter(isFilled)
  return {
    buckets,
    series,
    text: {
      sentence: requests === 0 ? noRequests : sentenceOf(report.total),
      table: {
        columns: [t('Time'), ...tokenClasses.map(({ label }) => label)],
        rows: filled.map((bucket) =>
          bucketRow(
            bucket,
            base,
            tokenClasses.map(({ name }) => formatCount(bucket.point.total.tokens[name])),
          ),
        ),
      },
      single: filled.length === 1 ? { value: formatTokens(all), detail: 'tokens' } : null,
    },
  }
}

/** The classes do not overlap. */
export function allTokens({ tokens }: UsageFigures): number {
  return tokenClasses.reduce((sum, { name }) => sum + tokens[name], 0)
}

function sentenceOf(total: UsageFigures): string {
  const { input, cacheRead, cacheWrite, output, reasoning } = total.tokens
  const prompt = input + cacheRead + cacheWrite
  const cached =
    cacheRead > 0
      ? [
          t("{share} of the prompt came from providers' caches.", {
            share: formatShare(cacheRead / prompt),
          }),
        ]
      : []
  const estimated =
    total.estimated > 0
      ? [
          t('Tokens of {count, plural, one {1 request} other {# requests}} are estimated.', {
            count: total.estimated,
          }),
        ]
      : []
  const sum = t('{prompt} prompt and {completion} completion tokens.', {
    prompt: formatTokens(prompt),
    completion: formatTokens(output + reasoning),
  })
  return [sum, ...cached, ...estimated].join(' ')
}
