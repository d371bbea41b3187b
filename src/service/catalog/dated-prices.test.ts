import { expect, it } from 'vitest'
import type { DatedPrice } from '../../shared/models/dated-price.ts'
import { withDatedPrices } from './dated-prices.ts'
import { priceInForce } from './price-schedule.ts'

const from = Date.UTC(2026, 10, 8)
const later = Date.UTC(2026, 10, 20)
const model = {
  inputUsdPerMtok: 1,
  outputUsdPerMtok: 2,
  cacheReadUsdPerMtok: 0.1,
  cacheWriteUsdPerMtok: null,
  priceTiers: [
    {
      fromPromptTokens: 200_000,
      inputUsdPerMtok: 2,
      outputUsdPerMtok: 3,
      cacheReadUsdPerMtok: 0.2,
      cacheWriteUsdPerMtok: null,
    },
  ],
  timedPrices: [
    {
      startsAtMs: null,
      hoursUtc: { from: '20:00', until: '06:00' },
      inputUsdPerMtok: 0.5,
      outputUsdPerMtok: 1,
    },
  ],
}
const corrected: DatedPrice = {
  modelId: 'p:m',
  fromMs: from,
  inputUsdPerMtok: 1,
  outputUsdPerMtok: 3,
  cacheReadUsdPerMtok: 0.2,
  cacheWriteUsdPerMtok: null,
  cacheWrite1hUsdPerMtok: null,
}

function priceAt(atMs: number, dated = [corrected]) {
  const timed = withDatedPrices(model, dated)
  const { inputUsdPerMtok, outputUsdPerMtok } = model
  const schedule = { inputUsdPerMtok, outputUsdPerMtok, tiers: model.priceTiers, timed }
  return priceInForce(schedule, atMs)
}

it('leaves the price before the date, and says until when it stays', () => {
  const noon = from - 12 * 3_600_000
  expect(priceAt(noon).price).toMatchObject({ outputUsdPerMtok: 2 })
  expect(priceAt(from - 3_600_000).untilMs).toBe(from)
})

it('applies from the date on, also to long prompts and certain hours in proportion', () => {
  const noon = from + 12 * 3_600_000
  expect(priceAt(noon).price).toMatchObject({
    outputUsdPerMtok: 3,
    cacheReadUsdPerMtok: 0.2,
    tiers: [{ fromPromptTokens: 200_000, inputUsdPerMtok: 2, outputUsdPerMtok: 4.5 }],
  })
  expect(priceAt(noon).price.tiers?.[0]?.cacheReadUsdPerMtok).toBeCloseTo(0.4)
  const night = from + 23 * 3_600_000
  expect(priceAt(night).price).toMatchObject({ inputUsdPerMtok: 0.5, outputUsdPerMtok: 1.5 })
})

it('takes the latest of several, in whatever order they were made', () => {
  const second = { ...corrected, fromMs: later, outputUsdPerMtok: 4 }
  expect(priceAt(later + 12 * 3_600_000, [second, corrected]).price).toMatchObject({
    outputUsdPerMtok: 4,
  })
})

it('cached tokens cost as much as input where the correction has no price of theirs', () => {
  const uncached = { ...corrected, cacheReadUsdPerMtok: null }
  expect(priceAt(from + 12 * 3_600_000, [uncached]).price.tiers).toMatchObject([
    { inputUsdPerMtok: 2, cacheReadUsdPerMtok: null },
  ])
})
