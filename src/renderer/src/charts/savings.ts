/** What the same tokens would have cost with one model: arithmetic on a report, with the model's price of today. */
import type { Model } from '../../../shared/entities.ts'
import { makesEmbeddings } from '../../../shared/models/model-abilities.ts'
import { priceSinceLastDate, type PriceRow } from '../../../shared/models/price.ts'
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

/** Figures by model. */
type ModelFigures = Readonly<Record<string, UsageFigures>>

/** Of a report by model; without its groups, all of it is of chats. */
type Spent = Pick<UsageReport, 'total'> & Partial<Pick<UsageReport, 'groups'>>

interface Compared {
  /** Every known model: those that make vectors stay, because no other model can take their tokens. */
  models?: readonly Model[]
  nowMs: number
}

/** The ids of the models that chatted. @param report  by model */
export function chattingModels(report: UsageReport, models: readonly Model[]): Set<string> {
  const vectors = new Set(models.filter(makesEmbeddings).map(({ id }) => id))
  return new Set(
    report.groups.map(({ name }) => name).filter((id) => id !== '' && !vectors.has(id)),
  )
}

export function savingOf(
  report: Spent,
  buckets: readonly Bucket[],
  { model, models = [], nowMs }: Compared & { model: Model },
): Saving {
  const price = priceToday(model, nowMs)
  if (price === null) return { model: model.id, alwaysUsd: null, savedUsd: null, bucketsUsd: null }
  const alwaysUsd = costWith(price, splitBy(models, report.total, figuresByModel(report)))
  return {
    model: model.id,
    alwaysUsd,
    savedUsd: alwaysUsd - report.total.costUsd,
    bucketsUsd: buckets.map(({ point }) =>
      point ? costWith(price, splitBy(models, point.total, point.groups)) : 0,
    ),
  }
}

/** The model for which the tokens would have cost the most; null without a priced model. */
export function dearestModel(
  report: Spent,
  compared: readonly Model[],
  { models = [], nowMs }: Compared,
): Model | null {
  const split = splitBy(models, report.total, figuresByModel(report))
  const priced = compared.flatMap((model) => {
    const price = priceToday(model, nowMs)
    return price ? { model, usd: costWith(price, split) } : []
  })
  return priced.toSorted((a, b) => b.usd - a.usd)[0]?.model ?? null
}

/**
 * The price that applies today; null when unknown. Prices of certain hours and of long prompts are left out,
 * because a report has neither hours of the day nor lengths of prompts.
 */
function priceToday(model: Model, nowMs: number): PriceRow | null {
  const { inputUsdPerMtok, outputUsdPerMtok, timedPrices } = model
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null
  return priceSinceLastDate(timedPrices, nowMs) ?? { ...model, inputUsdPerMtok, outputUsdPerMtok }
}

interface Split {
  /** Those of chats. */
  tokens: UsageFigures['tokens']
  /** What vectors cost, whatever model chats. */
  vectorsUsd: number
}

function splitBy(models: readonly Model[], total: UsageFigures, figures: ModelFigures): Split {
  const vectors = models.filter(makesEmbeddings).flatMap(({ id }) => figures[id] ?? [])
  const rest = (name: keyof UsageFigures['tokens']) =>
    vectors.reduce((sum, { tokens }) => sum - tokens[name], total.tokens[name])
  return {
    tokens: {
      input: rest('input'),
      cacheRead: rest('cacheRead'),
      cacheWrite: rest('cacheWrite'),
      output: rest('output'),
      reasoning: rest('reasoning'),
    },
    vectorsUsd: vectors.reduce((sum, { costUsd }) => sum + costUsd, 0),
  }
}

function figuresByModel({ groups = [] }: Spent): ModelFigures {
  return Object.fromEntries(groups.map(({ name, figures }) => [name, figures]))
}

function costWith(price: PriceRow, { tokens, vectorsUsd }: Split): number {
  const { inputUsdPerMtok } = price
  const cacheReadUsdPerMtok = price.cacheReadUsdPerMtok ?? inputUsdPerMtok
  const cacheWriteUsdPerMtok = price.cacheWriteUsdPerMtok ?? inputUsdPerMtok
  return (
    vectorsUsd +
    (tokens.input * inputUsdPerMtok +
      tokens.cacheRead * cacheReadUsdPerMtok +
      tokens.cacheWrite * cacheWriteUsdPerMtok +
      (tokens.output + tokens.reasoning) * price.outputUsdPerMtok) /
      1e6
  )
}
