/** The measures of bench/routing, on curves with areas that are easy to calculate. */
import { describe, expect, test } from 'vitest'
import { areaUnder, costAt, hullOf, pairCurve } from '../../bench/routing/curve.ts'

describe('the hull', () => {
  const cheap = { cost: 1, quality: 0.4 }
  const dear = { cost: 3, quality: 0.8 }

  test('leaves out a point that a mix of two others beats', () => {
    const beaten = { cost: 2, quality: 0.5 }
    const dearer = { cost: 4, quality: 0.7 }
    expect(hullOf([dear, beaten, dearer, cheap])).toEqual([cheap, dear])
  })

  test('keeps a point that no mix beats', () => {
    const good = { cost: 2, quality: 0.7 }
    expect(hullOf([dear, good, cheap])).toEqual([cheap, good, dear])
  })

  test('gives the mix’s cost between points, and no cost above the best quality', () => {
    const hull = hullOf([cheap, dear])
    expect(costAt(hull, 0.6)).toBeCloseTo(2)
    expect(costAt(hull, 0.3)).toBe(1)
    expect(costAt(hull, 0.9)).toBeNaN()
  })

  test('has an area that is the mean quality over all costs', () => {
    const hull = hullOf([cheap, dear])
    expect(areaUnder(hull, 1, 3)).toBeCloseTo(0.6)
    // The quality stays the same beyond the most expensive point.
    expect(areaUnder(hull, 1, 5)).toBeCloseTo(0.7)
    // Below the cheapest point there is no quality.
    expect(areaUnder(hull, 0, 3)).toBeCloseTo(0.4)
  })
})

describe('the curve of a pair', () => {
  const gained = { weak: 0, strong: 1 }
  const alike = { weak: 1, strong: 1 }

  test('is 1 minus half a cut if all gains come first', () => {
    const outcomes = [
      { score: 4, ...gained },
      { score: 3, ...alike },
      { score: 2, ...alike },
      { score: 1, ...alike },
    ]
    expect(pairCurve(outcomes)).toEqual({ apgr: 0.875, cpt50: 0.25, cpt80: 0.25 })
  })

  test('is equally low in the reverse order', () => {
    const outcomes = [1, 2, 3].map((score) => ({ score: score + 1, ...alike }))
    expect(pairCurve([...outcomes, { score: 1, ...gained }]).apgr).toBeCloseTo(0.125)
  })

  test('is that of chance if all scores are equal, in any order', () => {
    const outcomes = [gained, alike, alike, alike].map((scores) => ({ score: 0, ...scores }))
    expect(pairCurve(outcomes).apgr).toBeCloseTo(0.5)
  })
})
