/**
 * The bootstrap, row by row: how much a mean depends on which values happened to occur. In each of 200
 * samples, every row counts 0, 1, 2, … times, Poisson distributed with mean 1, which approximates drawing
 * with replacement for many rows. The draws are the same in every run.
 */
import type { Band } from '../../shared/routers/replay.ts'

const samples = 200
/** The 10th and the 90th percentile of the samples' means. */
const lowIndex = Math.floor(samples * 0.1)
const highIndex = Math.ceil(samples * 0.9) - 1

/** P(X <= k) of the Poisson distribution of mean 1, for k from 0; beyond 6 it is practically 1. */
const cumulative = Array.from({ length: 7 }, (_, k) => poissonUpTo(k))

export class Resamples {
  count = 0
  readonly #width: number
  readonly #sums: Float64Array
  /** The weight and sums of each sample, one after another. */
  readonly #drawn: Float64Array
  #state = 0x2545f491

  /** @param width  the number of figures in a row */
  constructor(width: number) {
    this.#width = width
    this.#sums = new Float64Array(width)
    this.#drawn = new Float64Array(samples * (width + 1))
  }

  add(figures: readonly number[]): void {
    this.count += 1
    for (let index = 0; index < this.#width; index += 1) {
      this.#sums[index] = (this.#sums[index] ?? 0) + (figures[index] ?? 0)
    }
    for (let sample = 0; sample < samples; sample += 1) {
      const times = this.#draw()
      if (times > 0) this.#count(sample * (this.#width + 1), times, figures)
    }
  }

  /** The range of each figure's mean; all 0 when no row was added. */
  bands(): Band[] {
    return Array.from({ length: this.#width }, (_, index) => {
      const means = Array.from({ length: samples }, (_sample, sample) => {
        const at = sample * (this.#width + 1)
        return (this.#drawn[at + 1 + index] ?? 0) / Math.max(this.#drawn[at] ?? 0, 1)
      }).toSorted((a, b) => a - b)
      const mid = (this.#sums[index] ?? 0) / Math.max(this.count, 1)
      const low = Math.min(means[lowIndex] ?? 0, mid)
      return { low, mid, high: Math.max(means[highIndex] ?? 0, mid) }
    })
  }

  #count(at: number, times: number, figures: readonly number[]): void {
    this.#drawn[at] = (this.#drawn[at] ?? 0) + times
    for (let index = 0; index < this.#width; index += 1) {
      const place = at + 1 + index
      this.#drawn[place] = (this.#drawn[place] ?? 0) + times * (figures[index] ?? 0)
    }
  }

  #draw(): number {
    const chance = this.#next()
    let times = 0
    while (times < cumulative.length && chance > (cumulative[times] ?? 1)) times += 1
    return times
  }

  /** @returns 0 to 1: mulberry32, which passes gjrand's tests and is three lines */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function poissonUpTo(k: number): number {
  let sum = 0
  let term = Math.exp(-1)
  for (let index = 0; index <= k; index += 1) {
    sum += term
    term /= index + 1
  }
  return sum
}
