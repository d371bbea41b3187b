/** Estimated emissions over time, and per token. */
import { formatGrams } from '../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { tableOf, type ChartSeries, type TimeData } from './chart-series.ts'
import { noRequests, type BaseFilter } from './chart-text.ts'
import { draftLevel, draftSentence, type DraftOverlay } from './draft-overlay.ts'
import { barLimit, linearScale, scaleOf, type Scale } from './scales.ts'
import { allTokens } from './tokens.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface Carbon extends TimeData {
  scale: Scale
  /** Grams of each bucket; null without tokens. */
  gramsPerKtok: readonly (number | null)[]
  /** The mean of the whole range under the unsaved settings; null without any. */
  draftPerKtok: number | null
  perKtokScale: Scale
}

/** The colours of the bars and of the line per 1,000 tokens. */
export const carbonColors = { grams: 'var(--color-series-6)', perKtok: 'var(--color-series-7)' }

interface CarbonInput {
  base: BaseFilter
  /** Unsaved settings of the router. */
  draft?: DraftOverlay | null
}

export function carbonOf(report: UsageReport, range: UsageRange, input: CarbonInput): Carbon {
  const { total } = report
  const { base, draft } = input
  const buckets = bucketsOf(report, range)
  const gramsPerKtok = buckets.map(({ point }) => point && perKtok(point.total))
  const draftPerKtok = draftLevel(perKtok(total), draft?.carbonFactor)
  return {
    buckets,
    series,
    draftPerKtok,
    scale: linearScale(barLimit(buckets.map(({ point }) => point?.total.carbonHighGrams ?? 0))),
    gramsPerKtok,
    perKtokScale: scaleOf([...gramsPerKtok, draftPerKtok]),
    text: {
      sentence:
        total.requests === 0
          ? noRequests
          : joinSentences([sentenceOf(total), draftPart(total, draft)]),
      table: tableOf(buckets, series, base),
    },
  }
}

const series: readonly ChartSeries[] = [
  {
    label: t('Estimate'),
    valueOf: ({ point }) => formatGrams(point.total.carbonGrams),
    color: carbonColors.grams,
  },
  { label: t('At least'), valueOf: ({ point }) => formatGrams(point.total.carbonLowGrams) },
  { label: t('At most'), valueOf: ({ point }) => formatGrams(point.total.carbonHighGrams) },
  {
    label: t('Per 1,000 tokens'),
    valueOf: ({ point }) => formatGrams(perKtok(point.total)),
    color: carbonColors.perKtok,
  },
]

/** Grams per 1,000 tokens; null without tokens. */
export function perKtok(figures: UsageFigures): number | null {
  const tokens = allTokens(figures)
  return tokens === 0 ? null : (figures.carbonGrams / tokens) * 1000
}

function draftPart({ carbonGrams }: UsageFigures, draft: CarbonInput['draft']): string {
  if (!draft || draft.carbonFactor === null) return ''
  return draftSentence('grams', carbonGrams * draft.carbonFactor, draft)
}

function sentenceOf(total: UsageFigures): string {
  const grams = perKtok(total)
  const carbon = formatGrams(total.carbonGrams)
  const bounds = boundsOf(total)
  return grams === null
    ? t('Estimate: {carbon} CO₂e, {bounds}.', { carbon, bounds })
    : t('Estimate: {carbon} CO₂e, {bounds}, {perTokens} per 1,000 tokens.', {
        carbon,
        bounds,
        perTokens: formatGrams(grams),
      })
}

function boundsOf({ carbonLowGrams, carbonHighGrams }: UsageFigures): string {
  const [low, high] = [carbonLowGrams, carbonHighGrams].map((grams) =>
    formatGrams(grams).replace('≈ ', ''),
  )
  return t('between {low} and {high}', { low, high })
}
