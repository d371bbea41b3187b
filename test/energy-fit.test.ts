/** What docs/models.md says of the energy estimate's error, measured again on the points it was fitted to. */
import { expect, test } from 'vitest'
import { energyRows } from '../bench/energy-rows.ts'
import measured from '../bench/data/ml-energy-h100.json' with { type: 'json' }
import { joulesPerOutputToken } from '../src/service/catalog/energy.ts'

const rows = energyRows()

function measuredFigure(what: string) {
  return rows.find((row) => row.what === what)?.measured
}

test('the points are 171 of 16 models', () => {
  expect(measured.models).toHaveLength(16)
  expect(measured.models.flatMap(({ points }) => points)).toHaveLength(171)
})

test.each(rows.filter(({ target }) => target !== null))('$what is within its target', (row) => {
  const bound = row.target !== null && 'atMost' in row.target ? row.target.atMost : Number.NaN

  expect(row.measured).toBeLessThanOrEqual(bound)
})

test.each([
  ['energy, model left out, factor off, median', 1.23],
  ['energy, model left out, factor off, p90', 1.63],
  ['the same at a batch of 64, median', 1.35],
  ['the same at a batch of 64, p90', 1.58],
  ['EcoLogits on the same points, median', 1.56],
  ['EcoLogits on the same points, p90', 3.89],
])('%s: x %d', (what, factor) => {
  expect(measuredFigure(what)).toBeCloseTo(factor, 2)
})

test('the formula that ships is the least-squares fit: it errs to neither side', () => {
  const errors = measured.models.flatMap(({ activeBillions, totalBillions, points }) =>
    points.map(([batch = 1, joules = 1]) =>
      Math.log(joulesPerOutputToken(activeBillions, totalBillions, batch) / joules),
    ),
  )
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length

  expect(Math.abs(mean)).toBeLessThan(0.001)
})
