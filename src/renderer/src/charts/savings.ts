/** What the same tokens would have cost with one model: arithmetic on a report, with the model's price of today. */
import type { Model } from '../../../shared/entities.ts'
import { makesEmbeddings } from '../../../shared/models/model-abilities.ts'
import type { PriceRow } from '../../../shared/models/price.ts'
import type { UsageFigures, UsageReport } from '../../../shared/requests/usage.ts'
import type { Bucket } from './buckets.ts'

export interface Saving {
  model: string
  /** Null when the model has no price. */
  alwaysUsd: number | null
  savedUsd: number | null
  /** The cost of each bucket with the model. */
  bucketsUsd: readonly number[] | null
}

/**
 * The tokens and costs of a report without models that make vectors, whose tokens no other model could have taken.
 * @param report  by model
 */
export function withoutEmbeddings(report: UsageReport, models: readonly Model[]): UsageReport {
  const names = models.filter(makesEmbeddings).map(({ id }) => id)
  if (!report.groups.some(({ name }) => names.includes(name))) return report
  const groups = Object.fromEntries(report.groups.map(({ name, figures }) => [name, figures]))
  return {
    ...report,
    total: without(names, report.total, groups),
    points: report.points.map((point) => ({
      ...point,
      total: without(names, point.total, point.groups),
    })),
  }
}

function without(
  names: readonly string[],
  total: UsageFigures,
  groups: UsageReport['points'][number]['groups'],
): UsageFigures {
  const parts = names.flatMap((name) => groups[name] ?? [])
  return parts.reduce(
    (rest, { tokens, costUsd }) => ({
      ...rest,
      costUsd: rest.costUsd - costUsd,
      tokens: {
        input: rest.tokens.input - tokens.input,
        cacheRead: rest.tokens.cacheRead - tokens.cacheRead,
        cacheWrite: rest.tokens.cacheWrite - tokens.cacheWrite,
        output: rest.tokens.output - tokens.output,
        reasoning: rest.tokens.reasoning - tokens.reasoning,
      },
    }),
    total,
  )
}

export function savingOf(
  report: Pick<UsageReport, 'total'>,
  buckets: readonly Bucket[],
  { model, nowMs }: { model: Model; nowMs: number },
): Saving {
  const price = priceToday(model, nowMs)
  if (price === null) return { model: model.id, alwaysUsd: null, savedUsd: null, bucketsUsd: null }
  const alwaysUsd = costWith(price, report.total.tokens)
  return {
    model: model.id,
    alwaysUsd,
    savedUsd: alwaysUsd - report.total.costUsd,
    bucketsUsd: buckets.map(({ point }) => (point ? costWith(price, point.total.tokens) : 0)),
  }
}

/** The model for which the tokens would have cost the most; null without a priced model. */
export function dearestModel(
  report: Pick<UsageReport, 'total'>,
  models: readonly Model[],
  nowMs: number,
): Model | null {
  const priced = models.flatMap((model) => {
    const price = priceToday(model, nowMs)
    return price ? { model, usd: costWith(price, report.total.tokens) } : []
  })
  return priced.toSorted((a, b) => b.usd - a.usd)[0]?.model ?? null
}

/**
 * The price that applies today; null when unknown. Prices of certain hours and of long prompts are left out,
 * because a report has neither hours of the day nor lengths of prompts.
 */
function priceToday(model: Model, nowMs: number): PriceRow | null {
  const { inputUsdPerMtok, outputUsdPerMtok } = model
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null
  const dated = model.timedPrices.findLast(
    ({ startsAtMs, hoursUtc }) => hoursUtc === null && (startsAtMs === null || startsAtMs <= nowMs),
  )
  return dated ?? { ...model, inputUsdPerMtok, outputUsdPerMtok }
}

function costWith(price: PriceRow, tokens: UsageFigures['tokens']): number {
  const { inputUsdPerMtok } = price
  const cacheReadUsdPerMtok = price.cacheReadUsdPerMtok ?? inputUsdPerMtok
  const cacheWriteUsdPerMtok = price.cacheWriteUsdPerMtok ?? inputUsdPerMtok
  return (
    (tokens.input * inputUsdPerMtok +
      tokens.cacheRead * cacheReadUsdPerMtok +
      tokens.cacheWrite * cacheWriteUsdPerMtok +
      (tokens.output + tokens.reasoning) * price.outputUsdPerMtok) /
    1e6
  )
}
