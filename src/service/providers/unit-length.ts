/** The vector with length 1, as OpenAI sends all of its vectors. */
export function unitLength(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return length === 0 ? [...vector] : vector.map((number) => number / length)
}
