/** Tests which of two equal models goes first, and how a tolerance still gives one order. */
import { describe, expect, test } from 'vitest'
import type { Estimate } from '../../shared/requests/detail.ts'
import { contender } from '../../../test/routing/sample-candidates.ts'
import { breakTie, byKey, rankInBands } from './tie-break.ts'
import type { Contender } from './strategies/strategy.ts'

const names = (ranked: readonly Contender[]) => ranked.map(({ model }) => model.slice(2))

describe('of two models that tie', () => {
  test.each<[string, Partial<Estimate>, Partial<Estimate>]>([
    ['the cheaper goes first', { costNanoUsd: 1, latencyMs: 9 }, { costNanoUsd: 2, latencyMs: 1 }],
    [
      'at the same cost the quicker',
      { latencyMs: 1, quality: 0.1 },
      { latencyMs: 2, quality: 0.9 },
    ],
    ['at the same latency the better', { quality: 0.9 }, { quality: 0.8 }],
  ])('%s', (_rule, first, second) => {
    const [a, b] = [contender('zz', first, 1), contender('aa', second, 0)]

    expect(names([b, a].toSorted(breakTie))).toEqual(['zz', 'aa'])
  })

  test('the user’s order decides between equal figures, and then the name', () => {
    const alike = [contender('c', {}, 1), contender('b', {}, 0), contender('a', {}, 1)]

    expect(names(alike.toSorted(breakTie))).toEqual(['b', 'a', 'c'])
  })

  test('a key decides before the tie-break', () => {
    const one = contender('dear', { costNanoUsd: 100, latencyMs: 1 })
    const other = contender('cheap', { costNanoUsd: 1, latencyMs: 2 })

    expect(names([other, one].toSorted(byKey(({ estimate }) => estimate.latencyMs)))).toEqual([
      'dear',
      'cheap',
    ])
  })
})

describe('bands', () => {
  const grams = ({ estimate }: Contender) => estimate.micrograms
  const half = (key: number, best: number) => key <= 1.5 * best

  test('contain all models within the tolerance of their best, ordered by the tie-break', () => {
    const ranked = rankInBands(
      [
        contender('least', { micrograms: 100, costNanoUsd: 9 }),
        contender('near', { micrograms: 150, costNanoUsd: 1 }),
        contender('far', { micrograms: 151, costNanoUsd: 0 }),
      ],
      grams,
      half,
    )

    expect(names(ranked)).toEqual(['near', 'least', 'far'])
  })

  test('measure the tolerance from the best of the remaining models, not from neighbour to neighbour', () => {
    const chain = [100, 140, 180, 220, 300].map((micrograms) =>
      contender(String(micrograms), { micrograms, costNanoUsd: 1_000 - micrograms }),
    )

    expect(names(rankInBands(chain.toReversed(), grams, half))).toEqual([
      '140',
      '100',
      '220',
      '180',
      '300',
    ])
  })

  test('with a best value of zero contain no other values', () => {
    const ranked = rankInBands(
      [contender('some', { micrograms: 1, costNanoUsd: 0 }), contender('none', { micrograms: 0 })],
      grams,
      half,
    )

    expect(names(ranked)).toEqual(['none', 'some'])
  })
})
