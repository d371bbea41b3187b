import { expect, test } from 'vitest'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { carbonOptimized } from './carbon-optimized.ts'

const parameters = { ...sampleParameters, qualityTolerance: 0.1 }
const best = contender('best', { quality: 0.9, micrograms: 900, costNanoUsd: 50 })
const least = contender('least', { quality: 0.85, micrograms: 100, costNanoUsd: 20 })
const near = contender('near', { quality: 0.8, micrograms: 150, costNanoUsd: 10 })
const weak = contender('weak', { quality: 0.79, micrograms: 1, costNanoUsd: 1 })
const unknown = contender('unknown', { quality: 0.9, micrograms: 2, carbonMethod: 'unknown' })

test('chooses the cheaper of the models with similarly low emissions; an unpublished size never wins', () => {
  const ranked = carbonOptimized.rank([best, unknown, weak, least, near], parameters)

  expect(ranked.map(({ model }) => model.slice(2))).toEqual([
    'near',
    'least',
    'best',
    'unknown',
    'weak',
  ])
})

test('compares the assumed emissions when no model has a published size', () => {
  const other = contender('other', { quality: 0.9, micrograms: 5, carbonMethod: 'unknown' })

  expect(carbonOptimized.rank([other, unknown], parameters)).toEqual([unknown, other])
})

test('a conversation stays with a model within the error of the estimate', () => {
  const more = contender('more', { quality: 0.9, micrograms: 151 })

  expect(carbonOptimized.isNear?.(near, [least, near], parameters)).toBe(true)
  expect(carbonOptimized.isNear?.(more, [least, more], parameters)).toBe(false)
})

test('explains the choice, and what would have chosen the second model', () => {
  expect(carbonOptimized.why([near, least], parameters)).toBe(
    'Cheapest with about the lowest emissions of the 2 models within 10 points of the best expected quality',
  )
  expect(carbonOptimized.why([least, near], parameters)).toBe(
    'Lowest emissions of the 2 models within 10 points of the best expected quality',
  )
  expect(carbonOptimized.flip([near, weak], { ...parameters, qualityTolerance: 0.005 })).toBe(
    'a quality tolerance of 1 point instead of 0.5 points would choose p:weak',
  )
  expect(carbonOptimized.why([best, unknown], parameters)).toMatch(/^Lowest emissions /)
  const other = contender('other', { quality: 0.9, micrograms: 1, carbonMethod: 'unknown' })
  expect(carbonOptimized.why([unknown, other], parameters)).toMatch(/^Cheapest with about /)
  // Both emit about the same, so no lower emissions would change anything.
  const less = contender('less', { quality: 0.8, micrograms: 120, costNanoUsd: 30 })
  expect(carbonOptimized.flip([near, less], parameters)).toBeNull()
})
