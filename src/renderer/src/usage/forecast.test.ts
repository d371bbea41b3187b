import { expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import { forecastOf, forecastQuery } from './forecast.ts'

const dayMs = 86_400_000
/** Noon of the 10th of a month of 30 days, in local time. */
const nowMs = new Date(2026, 10, 10, 12).getTime()
const { fromMs, toMs } = forecastQuery(nowMs)

function spending(usdPerDay: readonly number[]) {
  const firstMs = toMs - usdPerDay.length * dayMs
  return sampleReport(
    usdPerDay.map((costUsd, index) => ({
      startMs: firstMs + index * dayMs,
      groups: { '': emptyFigures({ requests: 1, costUsd }) },
    })),
  )
}

test('the query covers this month and the last seven whole days', () => {
  expect(fromMs).toBe(new Date(2026, 10, 1).getTime())
  const early = new Date(2026, 10, 3, 12).getTime()
  expect(forecastQuery(early).toMs - forecastQuery(early).fromMs).toBe(8 * dayMs)
})

test('the month is what was spent and the mean of seven whole days for the rest', () => {
  const forecast = forecastOf(spending([50, 2, 2, 2, 2, 2, 2, 2, 1]), {
    nowMs,
    ledgerFirstMs: null,
  })
  expect(forecast?.usdPerDay).toBe(2)
  // 65 so far, another 1 expected today, and 20 more days.
  expect(forecast?.monthUsd).toBe(65 + 1 + 20 * 2)
  expect(forecast?.sentence).toBe(
    'Forecast for this month: $106.00, from the mean of the last 7 whole days ($2.00 per day).',
  )
})

test('with fewer days the mean is of these, and today alone gives no forecast', () => {
  expect(forecastOf(spending([4, 2, 0]), { nowMs, ledgerFirstMs: null })).toMatchObject({
    days: 2,
    usdPerDay: 3,
  })
  expect(forecastOf(spending([7]), { nowMs, ledgerFirstMs: null })).toBeNull()
  expect(forecastOf(sampleReport([]), { nowMs, ledgerFirstMs: null })).toBeNull()
})

test('days without requests count when the ledger is older', () => {
  const ledgerFirstMs = toMs - 60 * dayMs
  expect(forecastOf(spending([7, 0]), { nowMs, ledgerFirstMs })).toMatchObject({
    days: 7,
    usdPerDay: 1,
  })
  const onTheDay = toMs - 2 * dayMs + 1
  expect(forecastOf(spending([7, 0]), { nowMs, ledgerFirstMs: onTheDay })?.days).toBe(1)
})
