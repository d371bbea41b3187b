/** Counts requests refused for their API key, and logs one line for each minute with such requests. */
import type { Log } from '../files/log.ts'

export interface RefusedKeysOptions {
  log: Pick<Log, 'noted'>
  /** Unix milliseconds. */
  now(): number
}

const logEveryMs = 60_000

export class RefusedKeys {
  readonly #options: RefusedKeysOptions
  #total = 0
  #logged = 0
  #loggedAtMs = -Infinity

  constructor(options: RefusedKeysOptions) {
    this.#options = options
  }

  /** The count since the start. */
  get total(): number {
    return this.#total
  }

  add(): void {
    this.#total += 1
    if (this.#options.now() - this.#loggedAtMs >= logEveryMs) this.#writeLine()
  }

  /** Logs the count of the last minute if it is not logged yet. */
  close(): void {
    if (this.#total > this.#logged) this.#writeLine()
  }

  #writeLine(): void {
    const { log, now } = this.#options
    log.noted('requests with a wrong API key refused', {
      sinceLastLine: String(this.#total - this.#logged),
      sinceStart: String(this.#total),
    })
    this.#logged = this.#total
    this.#loggedAtMs = now()
  }
}
