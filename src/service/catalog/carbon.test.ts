import { expect, test } from 'vitest'
import { carbonGrams, gridGramsPerKwh, worldGridGramsPerKwh } from './carbon.ts'

const request = { outputTokens: 1_000, inputTokens: 0, gridGramsPerKwh: 500 }

test('multiplies a known energy figure with the grid', () => {
  const carbon = carbonGrams({ ...request, energyWhPerKtok: 2 })

  expect(carbon.mid).toBeCloseTo(1, 12)
  expect(carbon.method).toBe('modelled')
})

test('gives a known figure the error of the fit, a factor of 1.74 each way', () => {
  const { low, mid, high } = carbonGrams({ ...request, energyWhPerKtok: 2 })

  expect(mid / low).toBeCloseTo(1.74, 12)
  expect(high / mid).toBeCloseTo(1.74, 12)
})

test('counts a token read as a fifth of a token written', () => {
  const read = { ...request, outputTokens: 0, inputTokens: 5_000 }
  expect(carbonGrams({ ...read, energyWhPerKtok: 2 }).mid).toBeCloseTo(1, 12)
})

test('brackets a model of unknown size between 8 and 500 billion parameters', () => {
  const carbon = carbonGrams({ ...request, energyWhPerKtok: null })

  // 0.0772 J x 1.2, 0.8990 J x 1.72 and 10.472 J x 1.72 per token written, in Wh, at 500 g/kWh
  expect(carbon.low).toBeCloseTo(0.01286, 4)
  expect(carbon.mid).toBeCloseTo(0.2148, 3)
  expect(carbon.high).toBeCloseTo(2.5016, 3)
  expect(carbon.method).toBe('unknown')
})

test('counts what a model of unknown size reads', () => {
  const read = { ...request, outputTokens: 0, inputTokens: 1_000, energyWhPerKtok: null }
  // 0.0035 J x 8, 63.25 and 500 billion parameters, with the same overheads
  const { low, mid, high } = carbonGrams(read)

  expect(low).toBeCloseTo(0.004_667, 6)
  expect(mid).toBeCloseTo(0.052_88, 5)
  expect(high).toBeCloseTo(0.418_06, 5)
})

test('is zero for an answer without tokens', () => {
  const nothing = { ...request, outputTokens: 0, energyWhPerKtok: null }
  expect(carbonGrams(nothing)).toEqual({ low: 0, mid: 0, high: 0, method: 'unknown' })
})

test('knows a region by its code and takes the world for every other', () => {
  expect(gridGramsPerKwh('SWE')).toBe(35.82)
  expect(gridGramsPerKwh('XXX')).toBe(worldGridGramsPerKwh)
  expect(gridGramsPerKwh(null)).toBe(473.01)
})
