/** Solves a · x = b for a symmetric, positive definite `a`, by Gauss; neither is changed. */
export function solveSymmetric(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = a.map((row, index) => [...row, b[index] ?? 0])
  for (const [step, pivot] of rows.entries()) {
    for (const row of rows.slice(step + 1)) {
      const factor = (row[step] ?? 0) / (pivot[step] ?? 1)
      for (let column = step; column < row.length; column += 1) {
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0)
      }
    }
  }
  const solution = b.map(() => 0)
  for (const [step, row] of [...rows.entries()].toReversed()) {
    let right = row[b.length] ?? 0
    for (let column = step + 1; column < b.length; column += 1) {
      right -= (row[column] ?? 0) * (solution[column] ?? 0)
    }
    solution[step] = right / (row[step] ?? 1)
  }
  return solution
}
