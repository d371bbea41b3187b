/** The errors of the energy estimate in docs/models.md, measured again on the points of the fit. */
import { expect, test } from 'vitest'
import { energyRows } from '../../bench/energy-rows.ts'
import measured from '../../bench/data/ml-energy-h100.json' with { type: 'json' }
import { joulesPerOutputToken } from '../../src/service/catalog/energy.ts'

const rows = energyRows()

function measuredFigure(what: string) {
  return rows.find((row) => row.what === what)?.measured
}

test('there are 171 points from 16 models', () => {
  expect(measured.models).toHaveLength(16)
  expect(measured.models.flatMap(({ points }) => points)).toHaveLength(171)
})

test.each(rows.filter(({ target }) => target !== null))('$what is within the target', (row) => {
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

test('the shipped formula is the least-squares fit, without bias to either side', () => {
  const errors = measured.models.flatMap(({ activeBillions, totalBillions, points }) =>
    points.map(([batch = 1, joules = 1]) =>
      Math.log(joulesPerOutputToken(activeBillions, totalBillions, batch) / joules),
    ),
  )
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length

  expect(Math.abs(mean)).toBeLessThan(0.001)
})
