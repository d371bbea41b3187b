/** Linear equations with a symmetric, positive definite matrix, by Cholesky's method. */

/** A lower triangular matrix whose product with its transpose is the original matrix; row by row. */
export interface CholeskyFactor {
  size: number
  lower: Float64Array
}

/** Solves a · x = b. Neither is changed. @param a  only its lower triangle is read */
export function solveSymmetric(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const flat = Float64Array.from(a.flat())
  return [...solveFactored(factorised(flat, b.length), b)]
}

/** @param a  row by row; only its lower triangle is read */
export function factorised(a: Float64Array, size: number): CholeskyFactor {
  const lower = new Float64Array(size * size)
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let left = a[row * size + column] ?? 0
      for (let k = 0; k < column; k += 1) {
        left -= (lower[row * size + k] ?? 0) * (lower[column * size + k] ?? 0)
      }
      lower[row * size + column] =
        row === column ? Math.sqrt(left) : left / (lower[column * size + column] ?? 1)
    }
  }
  return { size, lower }
}

/** Adds weight · v · vᵀ to the lower triangle of a matrix, row by row. */
export function addProducts(matrix: Float64Array, vector: Float64Array, weight: number): void {
  const size = vector.length
  for (let row = 0; row < size; row += 1) {
    const scaled = weight * (vector[row] ?? 0)
    if (scaled === 0) continue
    const start = row * size
    for (let column = 0; column <= row; column += 1) {
      matrix[start + column] = (matrix[start + column] ?? 0) + scaled * (vector[column] ?? 0)
    }
  }
}

/** Solves the factored matrix · x = b. */
export function solveFactored(factor: CholeskyFactor, b: ArrayLike<number>): Float64Array {
  const { size, lower } = factor
  const solution = halfSolved(factor, b)
  for (let row = size - 1; row >= 0; row -= 1) {
    let left = solution[row] ?? 0
    for (let below = row + 1; below < size; below += 1) {
      left -= (lower[below * size + row] ?? 0) * (solution[below] ?? 0)
    }
    solution[row] = left / (lower[row * size + row] ?? 1)
  }
  return solution
}

/** Solves lower · x = b. */
function halfSolved({ size, lower }: CholeskyFactor, b: ArrayLike<number>): Float64Array {
  const solution = new Float64Array(size)
  for (let row = 0; row < size; row += 1) {
    let left = b[row] ?? 0
    for (let column = 0; column < row; column += 1) {
      left -= (lower[row * size + column] ?? 0) * (solution[column] ?? 0)
    }
    solution[row] = left / (lower[row * size + row] ?? 1)
  }
  return solution
}
