/**
 * Divides computation into time slices so that it does not block the service. Between two slices the event loop
 * handles requests, timers and signals. All executions of a process share the slices, so many executions block no
 * longer than one. Paused executions resume in order, one per iteration of the event loop, so none starves.
 */

/** Length of a slice. It is short, because a request passes the event loop several times and may wait each time. */
export const sliceMs = 5

export class TimeSlices {
  readonly #clock: () => number
  readonly #waiting: (() => void)[] = []
  /** Null if nothing has run in this iteration of the event loop. */
  #startedAt: number | null = null

  /** @param clock  monotonic ms */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Call this before each small piece of work.
   * @returns null while the slice has time left; otherwise a promise that resolves at the start of a later slice
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
