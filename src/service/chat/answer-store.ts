/**
 * What is kept of answers for a while, in memory only and within a bound: the oldest goes first.
 * Nothing outlives its time in here, also when nobody asks for it again.
 */

export interface AnswerStoreOptions {
  maxEntries: number
  maxBytes: number
  /** Monotonic milliseconds. */
  clock: () => number
}

interface Entry<Value> {
  value: Value
  bytes: number
  expiresAtMs: number
}

/** No answer may push out more than this share of the others. */
const greatestShare = 1 / 16
const sweepMs = 5_000

export class AnswerStore<Value> {
  readonly #options: AnswerStoreOptions
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  #sweeping: NodeJS.Timeout | null = null

  constructor(options: AnswerStoreOptions) {
    this.#options = options
  }

  /** Null once its time is over. */
  get(key: string): Value | null {
    const entry = this.#entries.get(key)
    if (!entry) return null
    if (entry.expiresAtMs > this.#options.clock()) return entry.value
    this.#remove(key, entry)
    return null
  }

  /** Replaces what the key had. One that is greater than a sixteenth of the bound is not kept. */
  put(key: string, value: Value, { bytes, ttlMs }: { bytes: number; ttlMs: number }): void {
    const { clock, maxBytes } = this.#options
    const before = this.#entries.get(key)
    if (before) this.#remove(key, before)
    if (bytes > maxBytes * greatestShare) return
    this.#entries.set(key, { value, bytes, expiresAtMs: clock() + ttlMs })
    this.#bytes += bytes
    this.#makeRoom()
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepMs).unref()
  }

  forgetWhere(isForgotten: (value: Value) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (isForgotten(entry.value)) this.#remove(key, entry)
    }
  }

  /** How much is kept at this moment. */
  size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes }
  }

  close(): void {
    this.forgetWhere(() => true)
  }

  #makeRoom(): void {
    const { maxEntries, maxBytes } = this.#options
    // A map is in the order of insertion.
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return
      this.#remove(key, entry)
    }
  }

  #sweep(): void {
    const now = this.#options.clock()
    for (const [key, entry] of this.#entries) {
      if (entry.expiresAtMs <= now) this.#remove(key, entry)
    }
  }

  #remove(key: string, { bytes }: Entry<Value>): void {
    this.#entries.delete(key)
    this.#bytes -= bytes
    if (this.#entries.size > 0 || this.#sweeping === null) return
    clearInterval(this.#sweeping)
    this.#sweeping = null
  }
}
