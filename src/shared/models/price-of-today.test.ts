import { expect, test } from 'vitest'
import type { Model } from '../entities.ts'
import { withPriceOfToday } from './price-of-today.ts'

const usd = (amount: number) => ({ inputUsdPerMtok: amount, outputUsdPerMtok: amount })
const always = { startsAtMs: null, hoursUtc: null }

test('a model is shown with the price since the last date, and the times that still come', () => {
  const peak = { ...always, ...usd(2), hoursUtc: { from: '01:00', until: '04:00' } }
  const begun = { ...always, ...usd(5), startsAtMs: Date.parse('2026-11-01'), tiers: [] }
  const later = { ...always, ...usd(7), startsAtMs: Date.parse('2026-12-01') }
  const model = {
    id: 'p:m',
    ...usd(1),
    timedPrices: [peak, begun, peak, later],
  } as Partial<Model> as Model

  expect(withPriceOfToday(model, Date.parse('2026-11-21'))).toMatchObject({
    ...usd(5),
    priceTiers: [],
    timedPrices: [peak, later],
  })
  expect(withPriceOfToday(model, Date.parse('2026-10-21'))).toBe(model)
})
