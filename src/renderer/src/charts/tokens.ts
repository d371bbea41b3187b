/** Tokens by class over time. */
import { formatCount, formatShare, formatTokens } from '../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { amountSeries, tableOf, type TimeData } from './chart-series.ts'
import { noRequests, type BaseFilter } from './chart-text.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Parts of the prompt share a colour, and so do those of the completion. */
const tokenClasses = [
  { name: 'input', label: t('Prompt'), color: 'var(--color-series-5)', isHatched: false },
  {
    name: 'cacheRead',
    label: t('Prompt, from cache'),
    color: 'var(--color-series-5)',
    isHatched: true,
  },
  {
    name: 'cacheWrite',
    label: t('Prompt, to cache'),
    color: 'var(--color-series-3)',
    isHatched: true,
  },
  { name: 'output', label: t('Answer'), color: 'var(--color-series-2)', isHatched: false },
  { name: 'reasoning', label: t('Reasoning'), color: 'var(--color-series-2)', isHatched: true },
] as const

type TokenClass = (typeof tokenClasses)[number]

export interface Tokens extends TimeData {
  /** The classes that occurred. */
  classes: readonly (TokenClass & { total: number })[]
}

export function tokensOf(report: UsageReport, range: UsageRange, base: BaseFilter): Tokens {
  const buckets = bucketsOf(report, range)
  const { tokens, requests } = report.total
  const classes = tokenClasses
    .map((each) => ({ ...each, total: tokens[each.name] }))
    .filter(({ total }) => total > 0)
  const series = classes.map((each) =>
    amountSeries(each, ({ point }) => point.total.tokens[each.name], formatCount),
  )
  return {
    buckets,
    series,
    classes,
    text: {
      sentence: requests === 0 ? noRequests : sentenceOf(report.total),
      table: tableOf(buckets, series, base),
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
  const sum = t('{prompt} prompt and {answer} answer tokens.', {
    prompt: formatTokens(prompt),
    answer: formatTokens(output + reasoning),
  })
  return joinSentences([sum, ...cached, ...estimated])
}
