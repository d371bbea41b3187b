/** Numbers that are the same in every run. */
export class ModelChance {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 to 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** @param mu  logarithm of the median @param sigma  of the logarithm */
  lognormal(mu: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return Math.exp(mu + sigma * normal)
  }
}
