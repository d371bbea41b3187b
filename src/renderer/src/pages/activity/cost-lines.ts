/** The arithmetic of a request's cost: tokens by class, each with its price. */
import { formatCount, formatDay, formatUsd } from '../../../../shared/strings/format.ts'
import type { RequestDetail, TokenClasses } from '../../../../shared/requests/detail.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface CostLine {
  name: string
  tokens: number
  /** Null when the price is unknown. */
  usdPerMtok: number | null
  costUsd: number | null
}

export interface CostBreakdown {
  lines: CostLine[]
  /** What the lines do not explain: other tries, and surcharges. 0 when they explain all. */
  restUsd: number
}

type Price = NonNullable<RequestDetail['price']>

const classes: readonly {
  name: string
  count: keyof TokenClasses
  priceOf: (price: Price) => number
}[] = [
  { name: t('Input'), count: 'input', priceOf: (price) => price.inputUsdPerMtok },
  {
    name: t('Read from cache'),
    count: 'cacheRead',
    priceOf: (price) => price.cacheReadUsdPerMtok ?? price.inputUsdPerMtok,
  },
  {
    name: t('Written to cache'),
    count: 'cacheWrite',
    priceOf: (price) => price.cacheWriteUsdPerMtok ?? price.inputUsdPerMtok,
  },
  { name: t('Output'), count: 'output', priceOf: (price) => price.outputUsdPerMtok },
  { name: t('Reasoning'), count: 'reasoning', priceOf: (price) => price.outputUsdPerMtok },
]

/** The classes that the request used; input and output always. */
export function costBreakdown(
  { tokens, price }: Pick<RequestDetail, 'tokens' | 'price'>,
  costUsd: number,
): CostBreakdown {
  const lines = classes.flatMap(({ name, count, priceOf }) => {
    const used = tokens[count]
    if (used === null || (used === 0 && count !== 'input' && count !== 'output')) return []
    const usdPerMtok = price && priceOf(price)
    const lineUsd = usdPerMtok === null ? null : (used * usdPerMtok) / 1e6
    return [{ name, tokens: used, usdPerMtok, costUsd: lineUsd }]
  })
  const explainedUsd = lines.reduce((sum, line) => sum + (line.costUsd ?? 0), 0)
  const restUsd = costUsd - explainedUsd
  // The cost is rounded to a nano-dollar.
  return { lines, restUsd: Math.abs(restUsd) < 1e-9 ? 0 : restUsd }
}

/** Names the source of the price. */
export function priceSourceText(price: RequestDetail['price']): string {
  if (price === null) return t('No price applied.')
  if (price.source === 'user') return t('Your own price.')
  const { source, asOf } = price
  return asOf === null
    ? t('Price from {source}.', { source })
    : t('Price from {source}, as of {date}.', { source, date: dayText(asOf) })
}

/** A date of the catalogue: a day, or a longer text of a source. */
function dayText(asOf: string): string {
  const atMs = Date.parse(`${asOf}T00:00`)
  return Number.isNaN(atMs) ? asOf : formatDay(atMs)
}

/** `1,240 × $2.50 per million` */
export function lineText({ tokens, usdPerMtok }: CostLine): string {
  if (usdPerMtok === null) return formatCount(tokens)
  return usdPerMtok === 0
    ? t('{count} × free', { count: formatCount(tokens) })
    : t('{count} × {price} per million', {
        count: formatCount(tokens),
        price: formatUsd(usdPerMtok),
      })
}
