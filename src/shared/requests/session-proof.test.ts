import { expect, test } from 'vitest'
import { sameShare, splitFigures, type SplitSession } from './session-proof.ts'

/** Costs around a median with a deviation of the logarithm of 1.2, as of real sessions; some are stuck. */
function side(
  arm: SplitSession['arm'],
  count: number,
  { median = 1e9, stuck = 0 }: { median?: number; stuck?: number } = {},
): SplitSession[] {
  return Array.from({ length: count }, (_, nth) => ({
    routerId: 'router_a',
    arm,
    costNanoUsd: median * Math.exp(nth % 2 === 0 ? 1.2 : -1.2),
    stuck: Number(nth < stuck),
  }))
}

function figures(count: number, rules: Parameters<typeof side>[2], plain = {}) {
  return splitFigures([...side('rules', count, rules), ...side('plain', count, plain)])
}

test('a saving of 20 % takes some 358 sessions a side to tell', () => {
  const few = figures(40, { median: 0.8e9 })
  expect(few.cost.missing + 80).toBeGreaterThan(2 * 340)
  expect(few.cost.missing + 80).toBeLessThan(2 * 380)
  expect(few.cost.low).toBeLessThan(0)
  expect(few.cost.high).toBeGreaterThan(0)
  const many = figures(400, { median: 0.8e9 })
  expect(many.cost.missing).toBe(0)
  expect(many.cost.value).toBeCloseTo(-0.2)
  expect(many.cost.high).toBeLessThan(0)
})

test('few sessions never tell, whatever they show', () => {
  for (const count of [0, 1, 4]) {
    const { cost, stuck } = figures(count, { median: 0.01e9 })
    expect(cost.missing).toBeGreaterThan(0)
    expect(stuck.missing).toBeGreaterThan(0)
  }
  expect(sameShare([]).missing).toBeGreaterThan(0)
  expect(sameShare(Array.from({ length: 5 }, () => ({ steps: 9, same: 9 }))).missing).toBe(11)
})

test('equal costs are told once the interval is narrow enough to call them equal', () => {
  expect(figures(100, {}).cost.missing).toBeGreaterThan(0)
  expect(figures(5_000, {}).cost).toMatchObject({ value: 0, missing: 0 })
})

test('ten more stuck sessions in a hundred are ruled out with some 232 sessions a side', () => {
  const few = figures(60, { stuck: 15 }, { stuck: 15 })
  expect(few.stuck.missing + 120).toBeGreaterThan(2 * 215)
  expect(few.stuck.missing + 120).toBeLessThan(2 * 250)
  expect(figures(240, { stuck: 60 }, { stuck: 60 }).stuck).toMatchObject({ value: 0, missing: 0 })
  expect(figures(100, { stuck: 60 }, { stuck: 20 }).stuck).toMatchObject({ missing: 0 })
})

test('the share of equal steps draws sessions, not steps', () => {
  const uneven = Array.from({ length: 30 }, (_, nth) => ({
    steps: 100,
    same: nth % 2 === 0 ? 95 : 45,
  }))
  const told = sameShare(uneven)
  expect(told.value).toBeCloseTo(0.7)
  expect(told.missing).toBeGreaterThan(0)
  const even = sameShare(Array.from({ length: 30 }, () => ({ steps: 10, same: 7 })))
  expect(even).toEqual({ value: 0.7, low: 0.7, high: 0.7, missing: 0 })
})
