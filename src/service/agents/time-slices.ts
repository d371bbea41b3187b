/**
 * Divides computation into slices, so that it never blocks the service for long: between two slices the event
 * loop serves requests, timers and signals. All executions of a process share the slices, so that many of them
 * together block no longer than one. Those that wait continue one per iteration of the event loop, in the order
 * in which they paused: none starves.
 */

/** A request passes through the event loop several times before it is answered; each can wait for a slice. */
export const sliceMs = 5

export class TimeSlices {
  readonly #clock: () => number
  readonly #waiting: (() => void)[] = []
  /** Null while nothing was computed in this iteration of the event loop. */
  #startedAt: number | null = null

  /** @param clock  monotonic ms */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Call before each small piece of work.
   * @returns null while the slice has time left, so that work goes on at once; else a promise that resolves at
   *   the start of a later slice
   */
  pause(): Promise<void> | null {
    if (this.#startedAt === null) {
      this.#start()
      return null
    }
    const isOver = this.#clock() - this.#startedAt >= sliceMs
    if (!isOver && this.#waiting.length === 0) return null
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  #start(): void {
    this.#startedAt = this.#clock()
    setImmediate(() => {
      this.#startedAt = null
      const next = this.#waiting.shift()
      if (!next) return
      this.#start()
      next()
    })
  }
}
