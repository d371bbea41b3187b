/** Estimated emissions over time, and per token. */
import { formatGrams } from '../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, isFilled, type Bucket } from './buckets.ts'
import { bucketRow, noRequests, type BaseFilter, type ChartText } from './chart-text.ts'
import { draftLine, draftSentence, type DraftOverlay } from './draft-overlay.ts'
import { barLimit, linearScale, scaleOf, type Scale } from './scales.ts'
import { allTokens } from './tokens.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface Carbon {
  buckets: readonly Bucket[]
  scale: Scale
  /** Of each bucket; null without tokens. */
  gramsPerKtok: readonly (number | null)[]
  /** An estimate for the unsaved settings; null without any. */
  draftPerKtok: readonly (number | null)[] | null
  perKtokScale: Scale
  text: ChartText
}

interface CarbonInput {
  base: BaseFilter
  /** Unsaved settings of the router. */
  draft?: DraftOverlay | null
}

export function carbonOf(report: UsageReport, range: UsageRange, input: CarbonInput): Carbon {
  const buckets = bucketsOf(report, range)
  const gramsPerKtok = buckets.map(({ point }) => point && perKtok(point.total))
  const draftPerKtok = draftLine(gramsPerKtok, input.draft?.carbonFactor)
  return {
    buckets,
    draftPerKtok,
    scale: linearScale(barLimit(buckets.map(({ point }) => point?.total.carbonHighGrams ?? 0))),
    gramsPerKtok,
    perKtokScale: scaleOf([...gramsPerKtok, ...(draftPerKtok ?? [])]),
    text: textOf({ total: report.total, buckets, draftPerKtok }, input),
  }
}

/** Grams per 1,000 tokens; null without tokens. */
export function perKtok(figures: UsageFigures): number | null {
  const tokens = allTokens(figures)
  return tokens === 0 ? null : (figures.carbonGrams / tokens) * 1000
}

interface TextInput extends Pick<Carbon, 'buckets' | 'draftPerKtok'> {
  total: UsageFigures
}

function textOf(
  { total, buckets, draftPerKtok }: TextInput,
  { base, draft }: CarbonInput,
): ChartText {
  const filled = buckets.filter(isFilled)
  return {
    sentence: total.requests === 0 ? noRequests : `${sentenceOf(total)}${draftPart(total, draft)}`,
    table: {
      columns: [
        t('Time'),
        t('Estimate'),
        t('At least'),
        t('At most'),
        t('Per 1,000 tokens'),
        ...(draftPerKtok ? [t('Per 1,000 tokens, unsaved settings')] : []),
      ],
      rows: filled.map((bucket) => {
        const { carbonGrams, carbonLowGrams, carbonHighGrams } = bucket.point.total
        const grams = [carbonGrams, carbonLowGrams, carbonHighGrams, perKtok(bucket.point.total)]
        const unsaved = draftPerKtok ? [draftPerKtok[buckets.indexOf(bucket)] ?? null] : []
        return bucketRow(bucket, base, [...grams, ...unsaved].map(formatGrams))
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

function draftPart({ carbonGrams }: UsageFigures, draft: CarbonInput['draft']): string {
  if (!draft || draft.carbonFactor === null) return ''
  return ` ${draftSentence('grams', carbonGrams * draft.carbonFactor, draft)}`
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
