/** A late look and a clock that is corrected slowly differ by less. */
const leastMs = 1_000

/** Notices that the clock was set, or that the computer slept: the clock then moved by more or less than the time. */
export class ClockWatch {
  readonly #offsetNow: () => number
  #offsetMs: number

  /** @param steadyNow  milliseconds that nobody can set */
  constructor(now: () => number, steadyNow: () => number) {
    this.#offsetNow = () => now() - steadyNow()
    this.#offsetMs = this.#offsetNow()
  }

  /** Whether that happened since the last look. */
  look(): boolean {
    const before = this.#offsetMs
    this.#offsetMs = this.#offsetNow()
    return Math.abs(this.#offsetMs - before) > leastMs
  }
}
