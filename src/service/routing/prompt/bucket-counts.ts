/** Counts of a prompt's words and pairs of words by hash, as a sparse vector. */

/** The number of different hashes. */
export const bucketCount = 2 ** 14
const bucketMask = bucketCount - 1

/** Weights of the usual counts: a logarithm takes longer than reading its value. */
const weightOfCount = Float64Array.from(
  { length: 64 },
  (_, count) => 1 + Math.log(Math.max(1, count)),
)

/** A buffer that is empty between two prompts; decisions never overlap. */
const counts = new Uint16Array(bucketCount)
const met = new Uint16Array(bucketCount)
let metCount = 0

/** @returns whether it is new */
export function countBucket(hash: number): boolean {
  const bucket = bucketOf(hash)
  const count = counts[bucket] ?? 0
  counts[bucket] = count + 1
  if (count > 0) return false
  met[metCount] = bucket
  metCount += 1
  return true
}

/** The low bits of FNV-1a are its weakest: the high ones are folded in. */
export function bucketOf(hash: number): number {
  return (hash ^ (hash >>> 14) ^ (hash >>> 28)) & bucketMask
}

/** The counts since the last call as a vector of length 1; empties the buffer. */
export function takeBuckets(): { buckets: Uint16Array; weights: Float32Array } {
  const buckets = met.slice(0, metCount)
  const weights = new Float32Array(metCount)
  let squares = 0
  for (let place = 0; place < metCount; place += 1) {
    const bucket = buckets[place] ?? 0
    const count = counts[bucket] ?? 0
    const weight = count < weightOfCount.length ? (weightOfCount[count] ?? 1) : 1 + Math.log(count)
    counts[bucket] = 0
    weights[place] = weight
    squares += weight * weight
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
  for (let place = 0; place < metCount; place += 1) {
    weights[place] = (weights[place] ?? 0) * scale
  }
  metCount = 0
  return { buckets, weights }
}
