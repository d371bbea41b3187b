import { expect, test } from 'vitest'
import { lookOnly, type PricedSession } from './look-only.ts'

/** Sessions of $1 whose ratios lie around a mean, as a session's do. */
function sessionsOf(count: number, ratioOf: (nth: number) => number): PricedSession[] {
  return Array.from({ length: count }, (_, nth) => ({
    chargedNanoUsd: 1e9,
    ruleNanoUsd: 1e9 * ratioOf(nth),
  }))
}

/** A saving of 10 % or 20 % whose logarithm has a deviation of 0.3. */
const spread = (mean: number) => (nth: number) => mean * Math.exp(nth % 2 === 0 ? 0.3 : -0.3)

test.each([
  [0.9, 51],
  [0.8, 12],
])('a mean ratio of %d needs about %d sessions', (mean, needed) => {
  const found = lookOnly(sessionsOf(8, spread(mean)))

  expect(8 + found.missing).toBeGreaterThanOrEqual(needed)
  expect(8 + found.missing).toBeLessThanOrEqual(needed * 1.3)
})

test('few sessions never tell, whatever they show', () => {
  expect(lookOnly([]).missing).toBeGreaterThan(0)
  expect(lookOnly(sessionsOf(4, () => 0.2)).missing).toBe(1)
  expect(lookOnly(sessionsOf(5, () => 0.2)).missing).toBe(0)
})

test('the range covers the true saving in nineteen of twenty months', () => {
  let covered = 0
  const months = 200
  for (let month = 0; month < months; month += 1) {
    let state = month + 1
    const next = () => {
      state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647
      return state / 2_147_483_647
    }
    for (let warm = 0; warm < 5; warm += 1) next()
    const { lowNanoUsd, highNanoUsd } = lookOnly(sessionsOf(40, () => 0.5 + 0.6 * next()))
    const trueSaved = 40 * 0.2e9
    if (lowNanoUsd <= trueSaved && trueSaved <= highNanoUsd) covered += 1
  }
  expect(covered / months).toBeGreaterThan(0.88)
})

test('the same sessions give the same figures', () => {
  const sessions = sessionsOf(30, spread(0.8))

  expect(lookOnly(sessions)).toEqual(lookOnly(sessions))
  expect(lookOnly(sessions).savedNanoUsd).toBe(
    Math.round(sessions.reduce((sum, one) => sum + one.chargedNanoUsd - one.ruleNanoUsd, 0)),
  )
})
