import { expect, test } from 'vitest'
import type { Model } from '../../shared/entities.ts'
import type { PriceSchedule } from '../../shared/models/price.ts'
import { priceInForce, withPriceOfToday } from './price-schedule.ts'

const usd = (amount: number) => ({ inputUsdPerMtok: amount, outputUsdPerMtok: amount })
const always = { startsAtMs: null, hoursUtc: null }

/** Expensive from 01:00 to 04:00 and over midnight, with other prices from December on. */
const schedule: PriceSchedule = {
  ...usd(1),
  timed: [
    { ...always, ...usd(2), hoursUtc: { from: '01:00', until: '04:00' } },
    { ...always, ...usd(3), hoursUtc: { from: '22:30', until: '00:15' } },
    { ...always, ...usd(5), startsAtMs: Date.parse('2026-12-01') },
  ],
}

function at(time: string) {
  const { price, untilMs } = priceInForce(schedule, Date.parse(time))
  return [price.inputUsdPerMtok, new Date(untilMs).toISOString()]
}

test.each([
  ['2026-11-21T00:59:59.999Z', 1, '2026-11-21T01:00:00.000Z'],
  ['2026-11-21T01:00:00Z', 2, '2026-11-21T04:00:00.000Z'],
  ['2026-11-21T03:59:59.999Z', 2, '2026-11-21T04:00:00.000Z'],
  ['2026-11-21T04:00:00Z', 1, '2026-11-21T22:30:00.000Z'],
  ['2026-11-21T22:30:00Z', 3, '2026-11-22T00:15:00.000Z'],
  ['2026-11-22T00:14:59Z', 3, '2026-11-22T00:15:00.000Z'],
  ['2026-11-22T00:15:00Z', 1, '2026-11-22T01:00:00.000Z'],
  ['2026-11-30T23:00:00Z', 3, '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T02:00:00Z', 5, '2026-12-01T04:00:00.000Z'],
])('at %s it is %d until %s', (time, amount, until) => {
  expect(at(time)).toEqual([amount, until])
})

test('a price without conditions stays', () => {
  expect(priceInForce(usd(1), Date.parse('2026-11-21'))).toEqual({
    price: usd(1),
    untilMs: Infinity,
  })
})

test('a price that has begun and has no hours stays', () => {
  const begun = {
    ...usd(1),
    timed: [{ ...always, ...usd(5), startsAtMs: Date.parse('2026-12-01') }],
  }

  expect(priceInForce(begun, Date.parse('2026-12-01')).untilMs).toBe(Infinity)
})

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
