/** The measures of bench/routing: on curves whose areas a person can work out. */
import { describe, expect, test } from 'vitest'
import { areaUnder, costAt, hullOf, pairCurve } from '../bench/routing/curve.ts'

describe('the hull', () => {
  const cheap = { cost: 1, quality: 0.4 }
  const dear = { cost: 3, quality: 0.8 }

  test('leaves out what a mix of two others beats', () => {
    const beaten = { cost: 2, quality: 0.5 }
    const dearer = { cost: 4, quality: 0.7 }
    expect(hullOf([dear, beaten, dearer, cheap])).toEqual([cheap, dear])
  })

  test('keeps what no mix beats', () => {
    const good = { cost: 2, quality: 0.7 }
    expect(hullOf([dear, good, cheap])).toEqual([cheap, good, dear])
  })

  test('costs in between what the mix costs, and nothing reaches beyond the best', () => {
    const hull = hullOf([cheap, dear])
    expect(costAt(hull, 0.6)).toBeCloseTo(2)
    expect(costAt(hull, 0.3)).toBe(1)
    expect(costAt(hull, 0.9)).toBeNaN()
  })

  test('has the mean quality over all costs as its area', () => {
    const hull = hullOf([cheap, dear])
    expect(areaUnder(hull, 1, 3)).toBeCloseTo(0.6)
    // Beyond the dearest point it stays as good.
    expect(areaUnder(hull, 1, 5)).toBeCloseTo(0.7)
    // Before the cheapest point there is nothing.
    expect(areaUnder(hull, 0, 3)).toBeCloseTo(0.4)
  })
})

describe('the curve of a pair', () => {
  const gained = { weak: 0, strong: 1 }
  const alike = { weak: 1, strong: 1 }

  test('is 1 less half a cut where all gains come first', () => {
    const outcomes = [
      { score: 4, ...gained },
      { score: 3, ...alike },
      { score: 2, ...alike },
      { score: 1, ...alike },
    ]
    expect(pairCurve(outcomes)).toEqual({ apgr: 0.875, cpt50: 0.25, cpt80: 0.25 })
  })

  test('is as bad the other way round', () => {
    const outcomes = [1, 2, 3].map((score) => ({ score: score + 1, ...alike }))
    expect(pairCurve([...outcomes, { score: 1, ...gained }]).apgr).toBeCloseTo(0.125)
  })

  test('is that of chance where all scores are alike, in whichever order they stand', () => {
    const outcomes = [gained, alike, alike, alike].map((scores) => ({ score: 0, ...scores }))
    expect(pairCurve(outcomes).apgr).toBeCloseTo(0.5)
  })
})
