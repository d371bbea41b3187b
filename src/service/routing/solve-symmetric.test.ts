import { expect, test } from 'vitest'
import { solveSymmetric } from './solve-symmetric.ts'

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
