import { expect, test } from 'vitest'
import { factorised, inverseForm, solveFactored, solveSymmetric } from './solve-symmetric.ts'

const matrix = [
  [4, 2, 1],
  [2, 5, 3],
  [1, 3, 6],
]

test('solves the equations', () => {
  const right = matrix.map((row) => row.reduce((sum, value, at) => sum + value * (at + 1), 0))

  const solution = solveSymmetric(matrix, right)

  for (const [at, value] of [1, 2, 3].entries()) expect(solution[at]).toBeCloseTo(value, 12)
})

test('the inverse form is b · a⁻¹ · b', () => {
  const factor = factorised(Float64Array.from(matrix.flat()), 3)
  const b = [1, -2, 0.5]

  const solved = solveFactored(factor, b)

  const product = b.reduce((sum, value, at) => sum + value * (solved[at] ?? 0), 0)
  expect(inverseForm(factor, b)).toBeCloseTo(product, 12)
})
