import { expect, test } from 'vitest'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { qualityOptimized } from './quality-optimized.ts'

const best = contender('best', { quality: 0.9, costNanoUsd: 900 })
const alike = contender('alike', { quality: 0.895, costNanoUsd: 100 })
const next = contender('next', { quality: 0.8949, costNanoUsd: 1 })
const { rank, why, flip, isNear } = qualityOptimized

test('chooses the best model, or the cheapest within half a percentage point of it', () => {
  const ranked = rank([next, best, alike], sampleParameters)

  expect(ranked).toEqual([alike, best, next])
})

test('a conversation stays with a model two percentage points below', () => {
  const near = contender('near', { quality: 0.88 })
  const below = contender('below', { quality: 0.8799 })

  expect(isNear?.(near, [best, near], sampleParameters)).toBe(true)
  expect(isNear?.(below, [best, below], sampleParameters)).toBe(false)
})

test('explains whether the price mattered', () => {
  expect(why([alike, best], sampleParameters)).toBe(
    'Cheapest of the models with about the best expected quality',
  )
  expect(why([best, contender('far', { quality: 0.5 })], sampleParameters)).toBe(
    'Best expected quality',
  )
})

test('explains how much better the second model would have to be', () => {
  expect(flip([best, contender('far', { quality: 0.5, costNanoUsd: 1 })], sampleParameters)).toBe(
    '39.5 points more expected quality would choose p:far',
  )
  expect(
    flip([best, contender('far', { quality: 0.5, costNanoUsd: 1_000 })], sampleParameters),
  ).toBe('40.51 points more expected quality would choose p:far')
})
