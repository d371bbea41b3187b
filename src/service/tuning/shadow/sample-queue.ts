/** Samples that wait in memory for their turn, after their callers' answers. */
interface SampleQueueOptions<Item> {
  /** Most that wait. */
  most: number
  atOnce: number
  /** Resolves when the caller's answer has had time to leave. */
  afterAnswer(): Promise<void>
  work(item: Item): Promise<void>
  /** Called with errors of the store and unexpected ones; the sample is lost. */
  onError(error: unknown): void
}

export class SampleQueue<Item> {
  readonly #options: SampleQueueOptions<Item>
  readonly #waiting: Item[] = []
  readonly #workers = new Set<Promise<void>>()
  readonly #cancel = new AbortController()

  constructor(options: SampleQueueOptions<Item>) {
    this.#options = options
  }

  get signal(): AbortSignal {
    return this.#cancel.signal
  }

  /** @returns false when too many wait */
  add(item: Item): boolean {
    const { most, atOnce } = this.#options
    if (this.#waiting.length >= most) return false
    this.#waiting.push(item)
    if (this.#workers.size < atOnce) this.#startWorker()
    return true
  }

  /** Resolves when nothing is queued and nothing is under way. */
  async idle(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers)
  }

  /** Cancels what is under way and forgets the queue. */
  async close(): Promise<void> {
    this.#cancel.abort()
    this.#waiting.length = 0
    await this.idle()
  }

  #startWorker(): void {
    const worker = this.#work().finally(() => this.#workers.delete(worker))
    this.#workers.add(worker)
  }

  async #work(): Promise<void> {
    const { afterAnswer, work, onError } = this.#options
    await afterAnswer()
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await work(next)
      } catch (error) {
        onError(error)
      }
    }
  }
}
