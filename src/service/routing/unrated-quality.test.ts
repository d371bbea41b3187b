import { expect, test } from 'vitest'
import { unratedQuality } from './unrated-quality.ts'

const priced = (inputUsdPerMtok: number, outputUsdPerMtok: number) =>
  unratedQuality({ inputUsdPerMtok, outputUsdPerMtok })

test('a dearer unrated model is expected to be better, by three prompt tokens to one of the answer', () => {
  expect(priced(1, 1)).toMatchObject({ points: 1200, basis: 'price' })
  expect(priced(0.1, 0.1)).toMatchObject({ points: 1145, basis: 'price' })
  // 24 points for each e-fold.
  expect(priced(2, 4.8731)).toMatchObject({ points: 1224, basis: 'price' })
})

test('the price of a free model says nothing', () => {
  expect(priced(0, 0)).toMatchObject({ points: 1200, basis: 'assumed' })
})
