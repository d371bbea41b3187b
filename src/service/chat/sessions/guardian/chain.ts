/** A chain of hashes over a list of texts, from which the first text that differs in another list is found. */
import { hash } from 'node:crypto'

/** Links that are kept. Of a longer list every 2nd, 4th … one is. */
const mostLinks = 32

export class Chain {
  readonly #kept: number[] = []
  #stride = 1
  #last = 0
  length = 0

  /** The hash over everything so far. */
  get last(): number {
    return this.#last
  }

  add(text: string): void {
    this.#last = hash('sha1', `${this.#last} ${text}`, 'buffer').readUInt32LE(0)
    this.length += 1
    if (this.length % this.#stride !== 0) return
    this.#kept.push(this.#last)
    if (this.#kept.length <= mostLinks) return
    // Each second one, so that the kept ones are again at multiples of the stride.
    const rest = this.#kept.filter((_link, index) => index % 2 === 1)
    this.#kept.splice(0, Infinity, ...rest)
    this.#stride *= 2
  }

  /** From this index on, the texts may differ from those of an earlier chain; all before are the same. */
  differsFrom(before: Chain): number {
    const stride = Math.max(this.#stride, before.#stride)
    const end = Math.min(this.length, before.length)
    for (let length = stride; length <= end; length += stride) {
      if (this.#at(length) !== before.#at(length)) return length - stride
    }
    return end - (end % stride)
  }

  #at(length: number): number | undefined {
    return this.#kept[length / this.#stride - 1]
  }
}
