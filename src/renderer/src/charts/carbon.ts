/** Estimated emissions over time, and per token. */
import { formatGrams } from '../../../shared/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, isFilled, type Bucket } from './buckets.ts'
import { bucketRow, noRequests, type BaseFilter, type ChartText } from './chart-text.ts'
import { barLimit, linearScale, scaleOf, type Scale } from './scales.ts'
import { allTokens } from './tokens.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface Carbon {
  buckets: readonly Bucket[]
  scale: Scale
  /** Of each bucket; null without tokens. */
  gramsPerKtok: readonly (number | null)[]
  perKtokScale: Scale
  text: ChartText
}

export function carbonOf(report: UsageReport, range: UsageRange, base: BaseFilter): Carbon {
  const buckets = bucketsOf(report, range)
  const gramsPerKtok = buckets.map(({ point }) => point && perKtok(point.total))
  return {
    buckets,
    scale: linearScale(barLimit(buckets.map(({ point }) => point?.total.carbonHighGrams ?? 0))),
    gramsPerKtok,
    perKtokScale: scaleOf(gramsPerKtok),
    text: textOf({ total: report.total, buckets }, base),
  }
}

/** Grams per 1,000 tokens; null without tokens. */
export function perKtok(figures: UsageFigures): number | null {
  const tokens = allTokens(figures)
  return tokens === 0 ? null : (figures.carbonGrams / tokens) * 1000
}

function textOf(
  { total, buckets }: { total: UsageFigures; buckets: readonly Bucket[] },
  base: BaseFilter,
): ChartText {
  const filled = buckets.filter(isFilled)
  return {
    sentence: total.requests === 0 ? noRequests : sentenceOf(total),
    table: {
      columns: [t('Time'), t('Estimate'), t('At least'), t('At most'), t('Per 1,000 tokens')],
      rows: filled.map((bucket) => {
        const { carbonGrams, carbonLowGrams, carbonHighGrams } = bucket.point.total
        const grams = [carbonGrams, carbonLowGrams, carbonHighGrams, perKtok(bucket.point.total)]
        return bucketRow(bucket, base, grams.map(formatGrams))
      }),
    },
    single:
      filled.length === 1
        ? {
            value: formatGrams(total.carbonGrams),
            detail: t('estimated CO₂e, {boundsOf}', { boundsOf: boundsOf(total) }),
          }
        : null,
  }
}

function sentenceOf(total: UsageFigures): string {
  const grams = perKtok(total)
  const each = grams === null ? '' : t(', {grams} per 1,000 tokens', { grams: formatGrams(grams) })
  return t('Estimate: {carbonGrams} CO₂e, {boundsOf}{each}.', {
    carbonGrams: formatGrams(total.carbonGrams),
    boundsOf: boundsOf(total),
    each,
  })
}

function boundsOf({ carbonLowGrams, carbonHighGrams }: UsageFigures): string {
  const [low, high] = [carbonLowGrams, carbonHighGrams].map((grams) =>
    formatGrams(grams).replace('≈ ', ''),
  )
  return t('between {low} and {high}', { low, high })
}
