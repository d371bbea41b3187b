import { describe, expect, test } from 'vitest'
import type { RankParameters } from '../../../shared/requests/detail.ts'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { adaptive } from './adaptive.ts'
import { costOptimized } from './cost-optimized.ts'
import type { Contender } from './strategy.ts'

const best = contender('best', { quality: 0.9, costNanoUsd: 900 }, 0)
const good = contender('good', { quality: 0.82, costNanoUsd: 100 }, 1)
const weak = contender('weak', { quality: 0.8199, costNanoUsd: 1 }, 2)
const worse = contender('worse', { quality: 0.5, costNanoUsd: 0 }, 3)
const all = [worse, best, weak, good]
const order = (qualityTolerance = 0.08) =>
  costOptimized
    .rank(all, { ...sampleParameters, qualityTolerance })
    .map(({ model }) => model.slice(2))

test('chooses the cheapest model within 0.08 of the best; the others follow in order of quality', () => {
  expect(order()).toEqual(['good', 'best', 'weak', 'worse'])
})

test('a wider tolerance admits cheaper models, a narrow one only the best', () => {
  expect(order(0.0801)).toEqual(['weak', 'good', 'best', 'worse'])
  expect(order(0.4)).toEqual(['worse', 'weak', 'good', 'best'])
  expect(order(0)).toEqual(['best', 'good', 'weak', 'worse'])
})

test('a conversation stays with a model that is good enough and at most 15 % more expensive', () => {
  const ranked = [good, best, weak]
  const near = contender('near', { quality: 0.82, costNanoUsd: 115 })
  const dearer = contender('dearer', { quality: 0.82, costNanoUsd: 116 })

  expect(costOptimized.isNear?.(near, [...ranked, near], sampleParameters)).toBe(true)
  expect(costOptimized.isNear?.(dearer, [...ranked, dearer], sampleParameters)).toBe(false)
  expect(costOptimized.isNear?.(weak, ranked, sampleParameters)).toBe(false)
})

test('explains what it compared', () => {
  expect(costOptimized.why([good, best, weak], sampleParameters)).toBe(
    'Cheapest of the 2 models within 8 points of the best expected quality',
  )
  expect(costOptimized.why([best, weak], sampleParameters)).toBe(
    'Only model within 8 points of the best expected quality',
  )
})

test('explains what would have chosen the second model: a wider or narrower tolerance, or a lower price', () => {
  const flip = (...ranked: (typeof best)[]) => costOptimized.flip(ranked, sampleParameters)

  expect(flip(best, weak)).toBe(
    'a quality tolerance of 8.01 points instead of 8 points would choose p:weak',
  )
  expect(flip(good, best)).toBe(
    'a quality tolerance under 8 points instead of 8 points would choose p:best',
  )
  expect(flip(best, contender('dear', { quality: 0.9, costNanoUsd: 1_000 }))).toBe(
    'a price 10 % lower would choose p:dear',
  )
  // It is worse and more expensive, so no tolerance would choose it.
  expect(flip(best, contender('bad', { quality: 0.1, costNanoUsd: 1_000 }))).toBeNull()
  const free = { quality: 0.9, costNanoUsd: 0 }
  expect(flip(contender('free', free), contender('also_free', free))).toBeNull()
})

describe('with an account of allowed loss', () => {
  const certain = { qualityHalfWidth: 0.001 }
  const large = contender('large', { quality: 0.9, costNanoUsd: 10_000_000, ...certain }, 0)
  const middle = contender('middle', { quality: 0.88, costNanoUsd: 4_000_000, ...certain }, 1)
  const small = contender('small', { quality: 0.6, costNanoUsd: 1_000_000, ...certain }, 2)
  const three = [small, large, middle]
  const at = (qualityPerMeanCost: number, given: Partial<RankParameters> = {}) => ({
    ...sampleParameters,
    account: { choices: 10, qualityPerMeanCost, meanCostUsd: 0.01 },
    ...given,
  })
  const rank = (parameters: RankParameters) =>
    costOptimized.rank(three, parameters).map(({ model }) => model.slice(2))

  test('a saved dollar buys as much less quality as the account’s price says', () => {
    // 0.02 of quality for 0.6 of the mean cost; 0.28 for another 0.3.
    expect(rank(at(0.03))).toEqual(['large', 'middle', 'small'])
    expect(rank(at(0.04))).toEqual(['middle', 'large', 'small'])
    expect(rank(at(1))).toEqual(['small', 'middle', 'large'])
  })

  test('a budget ahead of its pace counts where its price is higher', () => {
    expect(rank(at(0.03, { qualityPerUsd: 100 }))).toEqual(['small', 'middle', 'large'])
    expect(rank(at(0.03, { qualityPerUsd: 1 }))).toEqual(['large', 'middle', 'small'])
  })

  test('no prompt loses more than 5 % of the best quality where the router says so', () => {
    expect(rank(at(1, { limitEachPrompt: true }))).toEqual(['middle', 'large', 'small'])
  })

  test('a conversation stays with a model that takes about as little', () => {
    const near = (kept: Contender, price: number, given: Partial<RankParameters> = {}) =>
      costOptimized.isNear?.(kept, costOptimized.rank(three, at(price)), at(price, given))

    expect(near(large, 0.04)).toBe(true)
    expect(near(small, 0.04)).toBe(false)
    expect(near(small, 0.93)).toBe(true)
    expect(near(small, 0.93, { limitEachPrompt: true })).toBe(false)
  })

  test('explains the choice by the money that it saves, and what would change it', () => {
    const told = (price: number, given: Partial<RankParameters> = {}) => {
      const ranked = costOptimized.rank(three, at(price, given))
      return [
        costOptimized.why(ranked, at(price, given)),
        costOptimized.flip(ranked, at(price, given)),
      ]
    }

    expect(told(0.04)).toEqual([
      'Saves $0.006 against p:large, the model expected to be best, for up to 2.05 points less expected quality',
      'a price 9 % lower would choose p:large',
    ])
    expect(told(0.03)).toEqual([
      'Expected to be best; no other model saves enough for the quality it may lose',
      'a price 21 % lower would choose p:middle',
    ])
    expect(told(0.001)[1]).toBe('1.99 points more expected quality would choose p:middle')
    expect(told(1, { limitEachPrompt: true })[1]).toBe('a price 58 % lower would choose p:large')
    const cheapest = contender('cheapest', { quality: 0.95, costNanoUsd: 1, ...certain })
    expect(costOptimized.why([cheapest, large], at(0.02))).toBe(
      'Expected to be best, and the cheapest',
    )
    expect(costOptimized.flip([large, small], at(1, { limitEachPrompt: true }))).toBe(
      'no limit for each prompt would choose p:small',
    )
  })
})

test('with a limit for each prompt, a wider tolerance of the router’s own ends at 5 %', () => {
  const parameters = { ...sampleParameters, qualityTolerance: 0.4, limitEachPrompt: true }
  const [first] = costOptimized.rank(all, parameters)

  expect(first?.model).toBe('p:best')
})

test('adaptive applies the same rule and states how much feedback it used', () => {
  const taught = contender('taught', { quality: 0.9, qualitySource: 'blend' })

  expect(adaptive.rank(all, sampleParameters)).toEqual(costOptimized.rank(all, sampleParameters))
  expect(adaptive.why([good, taught], sampleParameters)).toMatch(
    /\(feedback counts for 1 of 2 models\)$/,
  )
  expect(adaptive.why([good, best], sampleParameters)).toMatch(/\(no feedback yet\)$/)
})
