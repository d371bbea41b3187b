/**
 * Histograms of durations that can be merged by adding. Their boundaries must never change, because stored
 * roll-ups depend on them: eight buckets per doubling, from 2^-4 ms (62.5 µs) to 2^22 ms (70 minutes). Bucket 0
 * holds everything up to the lowest boundary, the last one everything above 2^(22 - 1/8) ms. A quantile is the
 * geometric middle of its bucket, so it is at most 2^(1/16) - 1 = 4.4 % off. The idea is DDSketch's (Masson,
 * Rim, Lee: VLDB 2019), without its collapsing.
 */
const bucketsPerDoubling = 8
const lowestExponent = -4
const highestExponent = 22
const offset = -lowestExponent * bucketsPerDoubling

export const bucketCount = (highestExponent - lowestExponent) * bucketsPerDoubling + 1

/** The number of values in each bucket; `bucketCount` long. */
export type Histogram = Uint32Array

export function emptyHistogram(): Histogram {
  return new Uint32Array(bucketCount)
}

export function addDuration(histogram: Histogram, durationMs: number): void {
  const bucket = bucketOf(durationMs)
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

export function addHistogram(to: Histogram, from: Histogram): void {
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    const count = from[bucket] ?? 0
    if (count > 0) to[bucket] = (to[bucket] ?? 0) + count
  }
}

/** The bucket of a duration: the first whose upper bound is not below the duration. */
export function bucketOf(durationMs: number): number {
  if (!(durationMs > 0)) return 0
  const bucket = Math.ceil(Math.log2(durationMs) * bucketsPerDoubling) + offset
  return Math.min(Math.max(bucket, 0), bucketCount - 1)
}

/** The number of values up to 2^exponent ms, for whole exponents within the scale. */
export function countUpTo(histogram: Histogram, exponent: number): number {
  const last = exponent * bucketsPerDoubling + offset
  let count = 0
  for (let bucket = 0; bucket <= last; bucket += 1) count += histogram[bucket] ?? 0
  return count
}

/** The value in ms that a share (0 to 1) of the values does not exceed; null without values. */
export function quantileMs(histogram: Histogram, share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(share * total))
  let seen = 0
  const bucket = histogram.findIndex((count) => {
    seen += count
    return seen >= rank
  })
  return 2 ** ((bucket - offset - 0.5) / bucketsPerDoubling)
}

/** Two varints for each bucket, of at most five bytes each. */
const scratch = new Uint8Array(bucketCount * 2 * 5)

/** Writes, for each non-empty bucket, the number of empty buckets before it and its count, as varints. */
export function encodeHistogram(histogram: Histogram): Uint8Array {
  let length = 0
  let next = 0
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    const count = histogram[bucket] ?? 0
    if (count === 0) continue
    length = writeVarint(length, bucket - next)
    length = writeVarint(length, count)
    next = bucket + 1
  }
  return scratch.slice(0, length)
}

/** Adds the counts in the bytes. */
export function addEncoded(to: Histogram, bytes: Uint8Array): void {
  let bucket = 0
  let position = 0
  const readVarint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[position] ?? 0
      position += 1
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }
  while (position < bytes.length) {
    bucket += readVarint()
    to[bucket] = (to[bucket] ?? 0) + readVarint()
    bucket += 1
  }
}

/** @returns the position after the varint */
function writeVarint(position: number, value: number): number {
  let rest = value
  let end = position
  while (rest > 0x7f) {
    scratch[end] = (rest & 0x7f) | 0x80
    end += 1
    rest >>>= 7
  }
  scratch[end] = rest
  return end + 1
}
