/** Answered requests whose rows the hourly check looks for: all of an hour, or a random part of a busy one. */
import { randomInt } from 'node:crypto'

const mostIds = 4_096
/** A row is stored long before; then it must be found. */
const leastAgeMs = 10_000

export class AnsweredRows {
  #ids: { id: string; atMs: number }[] = []
  /** Requests since the last check. */
  #noted = 0
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  note(id: string): void {
    this.#noted += 1
    const one = { id, atMs: this.#now() }
    if (this.#ids.length < mostIds) this.#ids.push(one)
    else {
      // Each request of the hour is as likely to be among them.
      const place = randomInt(this.#noted)
      if (place < mostIds) this.#ids[place] = one
    }
  }

  /** Removes and returns those that must have a row by now. */
  take(): string[] {
    const latestMs = this.#now() - leastAgeMs
    const due = this.#ids.filter(({ atMs }) => atMs <= latestMs)
    this.#ids = this.#ids.filter(({ atMs }) => atMs > latestMs)
    this.#noted = this.#ids.length
    return due.map(({ id }) => id)
  }
}
