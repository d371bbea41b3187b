/** A user's dated prices as times of a model's schedule. */
import type { DatedPrice } from '../../shared/models/dated-price.ts'
import type { PriceRow, PriceTier, TimedPrice, TokenPrice } from '../../shared/models/price.ts'

interface Priced {
  inputUsdPerMtok: number | null
  outputUsdPerMtok: number | null
  cacheReadUsdPerMtok: number | null
  cacheWriteUsdPerMtok: number | null
  cacheWrite1hUsdPerMtok?: number | null | undefined
  priceTiers: readonly PriceTier[]
  timedPrices: readonly TimedPrice[]
}

const names = [
  'inputUsdPerMtok',
  'outputUsdPerMtok',
  'cacheReadUsdPerMtok',
  'cacheWriteUsdPerMtok',
  'cacheWrite1hUsdPerMtok',
] as const satisfies readonly (keyof PriceRow)[]

/**
 * The model's times with those of the dated prices, which come last and so apply. Its tiers for long prompts and its
 * prices at certain hours change in the same proportion as its price.
 */
export function withDatedPrices(model: Priced, dated: readonly DatedPrice[]): TimedPrice[] {
  const { inputUsdPerMtok, outputUsdPerMtok, timedPrices } = model
  const times = [...timedPrices]
  for (const { modelId: _modelId, fromMs, ...row } of dated.toSorted(byTime)) {
    const base =
      inputUsdPerMtok === null || outputUsdPerMtok === null
        ? row
        : { ...model, inputUsdPerMtok, outputUsdPerMtok }
    const tiers = model.priceTiers.map((tier) => ({
      ...scaled(tier, base, row),
      fromPromptTokens: tier.fromPromptTokens,
    }))
    times.push({ startsAtMs: fromMs, hoursUtc: null, ...row, tiers })
    for (const time of timedPrices) {
      if (time.hoursUtc === null) continue
      const startsAtMs = Math.max(fromMs, time.startsAtMs ?? 0)
      const price = { ...scaled(time, base, row), tiers: scaledTiers(time, base, row) }
      times.push({ ...price, startsAtMs, hoursUtc: time.hoursUtc })
    }
  }
  return times
}

function byTime(a: DatedPrice, b: DatedPrice): number {
  return a.fromMs - b.fromMs
}

function scaledTiers({ tiers = [] }: TokenPrice, from: PriceRow, to: PriceRow): PriceTier[] {
  return tiers.map((tier) => ({
    ...scaled(tier, from, to),
    fromPromptTokens: tier.fromPromptTokens,
  }))
}

/** A row whose prices change as those from one row to another do. */
function scaled(row: PriceRow, from: PriceRow, to: PriceRow): PriceRow {
  const price = (name: (typeof names)[number]) => {
    const before = from[name]
    const after = to[name]
    const now = row[name]
    // Without a price of its own, a cached token costs as much as one of input.
    if (after == null) return null
    if (now == null || before == null) return now ?? after
    return before === 0 ? after : (now * after) / before
  }
  return {
    inputUsdPerMtok: price('inputUsdPerMtok') ?? to.inputUsdPerMtok,
    outputUsdPerMtok: price('outputUsdPerMtok') ?? to.outputUsdPerMtok,
    cacheReadUsdPerMtok: price('cacheReadUsdPerMtok'),
    cacheWriteUsdPerMtok: price('cacheWriteUsdPerMtok'),
    cacheWrite1hUsdPerMtok: price('cacheWrite1hUsdPerMtok'),
  }
}
