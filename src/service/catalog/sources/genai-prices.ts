/**
 * Converts the price collection @pydantic/genai-prices to the catalogue's form. Its data file is checked
 * here, from the package and from a download alike; an invalid model is left out.
 */
import { z } from 'zod'
import type { PriceRow, TimedPrice } from '../../../shared/models/price.ts'

type Match =
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string }
  | { or: Match[] }
  | { and: Match[] }

const matchSchema: z.ZodType<Match> = z.lazy(() =>
  z.union([
    z.object({ equals: z.string() }),
    z.object({ starts_with: z.string() }),
    z.object({ ends_with: z.string() }),
    z.object({ contains: z.string() }),
    z.object({ regex: z.string() }),
    z.object({ or: z.array(matchSchema) }),
    z.object({ and: z.array(matchSchema) }),
  ]),
)

const usdPerMtok = z.number().min(0).max(1_000_000)
const amountSchema = z.union([
  usdPerMtok,
  z.object({
    base: usdPerMtok,
    tiers: z.array(z.object({ start: z.int().min(0), price: usdPerMtok })),
  }),
])
type Amount = z.output<typeof amountSchema>

const rowSchema = z.object({
  input_mtok: amountSchema.optional(),
  output_mtok: amountSchema.optional(),
  cache_read_mtok: amountSchema.optional(),
  cache_write_mtok: amountSchema.optional(),
  cache_write_1h_mtok: amountSchema.optional(),
})
type Row = z.output<typeof rowSchema>

/** Whole UTC minutes, the catalogue's precision. */
const timeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:00Z$/)
const constraintSchema = z.union([
  z.object({ start_date: z.iso.date() }),
  z.object({ start_time: timeSchema, end_time: timeSchema }),
])
const conditionalSchema = z.object({ constraint: constraintSchema.nullish(), prices: rowSchema })
type Conditional = z.output<typeof conditionalSchema>

const modelSchema = z.object({
  id: z.string().min(1).max(200),
  match: matchSchema,
  prices: z.union([z.array(conditionalSchema).min(1), rowSchema]),
  context_window: z.int().min(1).nullish(),
})
type PricedModel = z.output<typeof modelSchema>

const documentSchema = z
  .array(z.object({ id: z.string(), models: z.array(z.unknown()) }))
  .min(1, 'it contains no provider')

/** Every price is present or known to be missing. */
export interface PublishedRow extends PriceRow {
  cacheReadUsdPerMtok: number | null
  cacheWriteUsdPerMtok: number | null
  cacheWrite1hUsdPerMtok?: number
}

/** A price and its replacements. */
export interface PublishedPrice extends PublishedRow {
  tiers: (PublishedRow & { fromPromptTokens: number })[]
  timed: (Omit<PublishedPrice, 'timed'> & Pick<TimedPrice, 'startsAtMs' | 'hoursUtc'>)[]
}

export interface PricedOffer {
  price: PublishedPrice
  /** Dated names of the same model. */
  aliases: string[]
  contextTokens: number | null
}

/** The collection's names for our provider types. */
const providerIds: Readonly<Record<string, string>> = {
  bedrock: 'aws',
  'google-vertex': 'google',
  xai: 'x-ai',
  moonshot: 'moonshotai',
}

export interface PriceMoment {
  /** Prices replaced before this UTC day are left out, `YYYY-MM-DD`. */
  asOf: string
  /** Unix milliseconds at which a day begins: the platform's calendar. */
  dayStartMs: (day: string) => number
}

export interface PublishedPrices {
  /** @returns null for a model without a price in the collection */
  offerOf(type: string, name: string): PricedOffer | null
}

/** @throws z.ZodError for any other file */
export function readGenaiPrices(document: unknown, moment: PriceMoment): PublishedPrices {
  const byProvider = new Map<string, PricedModel[]>()
  for (const { id, models } of documentSchema.parse(document)) {
    const readable = models.flatMap((model) => modelSchema.safeParse(model).data ?? [])
    byProvider.set(id, readable)
  }
  return {
    offerOf(type, name) {
      const models = byProvider.get(providerIds[type] ?? type) ?? []
      const found =
        models.find(({ match }) => equalNames(match).includes(name)) ??
        // Where the collection finds its own name only with a pattern.
        models.find(({ id }) => id === name) ??
        models.find(({ match }) => isMatch(match, name))
      return found ? offerFrom(found, name, moment) : null
    },
  }
}

function offerFrom(model: PricedModel, name: string, moment: PriceMoment): PricedOffer | null {
  // OpenRouter's free variants have no price in the collection.
  const isFree = name.endsWith(':free') && isEmpty(model.prices)
  const price = scheduleOf(isFree ? { input_mtok: 0, output_mtok: 0 } : model.prices, moment)
  if (price === null) return null
  const aliases = equalNames(model.match).filter((other) => isSnapshotOf(other, name))
  return { price, aliases, contextTokens: model.context_window ?? null }
}

function isEmpty(prices: PricedModel['prices']): boolean {
  return !Array.isArray(prices) && Object.keys(prices).length === 0
}

/** The patterns are regular expressions of the source, so none is run. */
function isMatch(match: Match, name: string): boolean {
  const lower = name.toLowerCase()
  if ('equals' in match) return lower === match.equals.toLowerCase()
  if ('starts_with' in match) return lower.startsWith(match.starts_with.toLowerCase())
  if ('ends_with' in match) return lower.endsWith(match.ends_with.toLowerCase())
  if ('contains' in match) return lower.includes(match.contains.toLowerCase())
  if ('or' in match) return match.or.some((one) => isMatch(one, name))
  return 'and' in match && match.and.every((one) => isMatch(one, name))
}

function equalNames(match: Match): string[] {
  if ('equals' in match) return [match.equals]
  return 'or' in match ? match.or.flatMap(equalNames) : []
}

/**
 * Whether a name is a model's dated one. Models with different abilities may share a price, so no other is an alias.
 */
function isSnapshotOf(other: string, name: string): boolean {
  return other.startsWith(`${name}-`) && /^\d{4}-\d{2}-\d{2}$/.test(other.slice(name.length + 1))
}

/** @returns null without an input price or an output price */
function scheduleOf(prices: PricedModel['prices'], moment: PriceMoment): PublishedPrice | null {
  const conditional: Conditional[] = Array.isArray(prices) ? prices : [{ prices }]
  const base = conditional.findLast(({ constraint }) => hasBegun(constraint, moment.asOf))
  const price = base && tokenPriceOf(base.prices)
  if (!price) return null
  const later = conditional.slice(conditional.indexOf(base) + 1)
  const timed = later.flatMap(({ constraint, prices: row }) => {
    const timedPrice = tokenPriceOf(row)
    return timedPrice && constraint ? [{ ...conditionsOf(constraint, moment), ...timedPrice }] : []
  })
  return { ...price, timed }
}

function hasBegun(constraint: Conditional['constraint'], asOf: string): boolean {
  return !constraint || ('start_date' in constraint && constraint.start_date <= asOf)
}

function conditionsOf(
  constraint: NonNullable<Conditional['constraint']>,
  { dayStartMs }: PriceMoment,
): Pick<TimedPrice, 'startsAtMs' | 'hoursUtc'> {
  if ('start_date' in constraint) {
    return { startsAtMs: dayStartMs(constraint.start_date), hoursUtc: null }
  }
  const { start_time, end_time } = constraint
  return {
    startsAtMs: null,
    hoursUtc: { from: start_time.slice(0, 5), until: end_time.slice(0, 5) },
  }
}

function tokenPriceOf(prices: Row): Omit<PublishedPrice, 'timed'> | null {
  const row = rowOf(prices, 0)
  if (row === null) return null
  const amounts = Object.values(prices)
  const starts = new Set(amounts.flatMap((amount) => tiersOf(amount).map(({ start }) => start)))
  const tiers = [...starts]
    .toSorted((a, b) => a - b)
    // The collection's tier applies to prompts longer than `start`.
    .map((start) => ({ fromPromptTokens: start + 1, ...(rowOf(prices, start + 1) ?? row) }))
  return { ...row, tiers }
}

function tiersOf(amount: Amount | undefined): { start: number }[] {
  return typeof amount === 'object' ? amount.tiers : []
}

function rowOf(prices: Row, promptTokens: number): PublishedRow | null {
  const inputUsdPerMtok = amountOf(prices.input_mtok, promptTokens)
  const outputUsdPerMtok = amountOf(prices.output_mtok, promptTokens)
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null
  const forAnHour = amountOf(prices.cache_write_1h_mtok, promptTokens)
  return {
    inputUsdPerMtok,
    outputUsdPerMtok,
    cacheReadUsdPerMtok: amountOf(prices.cache_read_mtok, promptTokens),
    cacheWriteUsdPerMtok: amountOf(prices.cache_write_mtok, promptTokens),
    ...(forAnHour === null ? {} : { cacheWrite1hUsdPerMtok: forAnHour }),
  }
}

function amountOf(amount: Amount | undefined, promptTokens: number): number | null {
  if (typeof amount !== 'object') return amount ?? null
  const tiers = amount.tiers.toSorted((a, b) => a.start - b.start)
  return tiers.findLast(({ start }) => promptTokens > start)?.price ?? amount.base
}
