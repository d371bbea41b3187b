/** EcoLogits' published figures, and figures computed from its source: each within a hundredth. */
import { expect, test } from 'vitest'
import { ecologitsImpact, gpusFor, gpuWhPerToken } from '../../bench/ecologits.ts'

const sweden = { pue: 1.16, wueOnSite: 0.09, wueOffSite: 6.0315, gridGramsPerKwh: 35.82 }
const usa = { pue: 1.2, wueOnSite: 0.569, wueOffSite: 3.1321, gridGramsPerKwh: 383.55 }
const large = { activeBillions: 123, totalBillions: 123 }

/** Difference as a fraction of EcoLogits' figure. */
function difference(ours: number, theirs: number): number {
  return Math.abs(ours / theirs - 1)
}

test('Mistral Small 3.2 takes 0.02168 Wh of GPU for 400 tokens', () => {
  expect(difference(400 * gpuWhPerToken(24), 0.021_68)).toBeLessThan(0.01)
})

test('Mistral Large 2, 400 tokens in 8.2 s in Sweden: 0.230 Wh, 0.0130 g, 1.63 mL', () => {
  const answer = { outputTokens: 400, latencySeconds: 8.2 }
  const impact = ecologitsImpact({ ...large, speed: null }, answer, sweden)

  expect(difference(impact.energyWh, 0.23)).toBeLessThan(0.01)
  expect(difference(impact.usageGrams + impact.embodiedGrams, 0.013)).toBeLessThan(0.01)
  expect(difference(impact.waterMl, 1.63)).toBeLessThan(0.01)
})

test('Mistral Large 2, 400 tokens at 36.9 a second: 0.241 Wh, 0.0155 g, 1.71 mL', () => {
  const speed = { tokensPerSecond: 36.9, firstTokenSeconds: 1.05 }
  const answer = { outputTokens: 400, latencySeconds: null }
  const impact = ecologitsImpact({ ...large, speed }, answer, sweden)

  expect(difference(impact.energyWh, 0.241)).toBeLessThan(0.01)
  expect(difference(impact.usageGrams + impact.embodiedGrams, 0.0155)).toBeLessThan(0.01)
  expect(difference(impact.waterMl, 1.71)).toBeLessThan(0.01)
})

test.each([
  [44, 0.404],
  [132, 0.644],
])('GPT-4o with %d billion active, 250 tokens: %d Wh', (activeBillions, energyWh) => {
  const speed = { tokensPerSecond: 37.8, firstTokenSeconds: 0.52 }
  const model = { activeBillions, totalBillions: 440, speed }
  const impact = ecologitsImpact(model, { outputTokens: 250, latencySeconds: null }, usa)

  expect(difference(impact.energyWh, energyWh)).toBeLessThan(0.01)
})

test('uses the lower of the measured and the estimated latency', () => {
  const slow = { outputTokens: 400, latencySeconds: 1_000 }
  const unknown = { outputTokens: 400, latencySeconds: null }
  const model = { ...large, speed: null }

  expect(ecologitsImpact(model, slow, sweden)).toEqual(ecologitsImpact(model, unknown, sweden))
})

test.each([
  [24, 1],
  [123, 4],
  [440, 16],
])('%d billion parameters need %d GPUs', (billions, gpus) => {
  expect(gpusFor(billions)).toBe(gpus)
})
