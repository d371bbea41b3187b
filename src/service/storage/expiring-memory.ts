/**
 * Values in memory for a limited time, limited in number and size; the oldest is removed first. An expired
 * value is removed even if it is never read again.
 */

export interface ExpiringMemoryOptions {
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

/** The share of the size limit that one value may use. */
const greatestShare = 1 / 16
const sweepMs = 5_000

export class ExpiringMemory<Value> {
  readonly #options: ExpiringMemoryOptions
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  #sweeping: NodeJS.Timeout | null = null

  constructor(options: ExpiringMemoryOptions) {
    this.#options = options
  }

  /** @returns null once the value has expired */
  get(key: string): Value | null {
    const entry = this.#entries.get(key)
    if (!entry) return null
    if (entry.expiresAtMs > this.#options.clock()) return entry.value
    this.#remove(key, entry)
    return null
  }

  /** Replaces the key's value. A value larger than a sixteenth of the bound is not stored. */
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

  /** The number of values and their size now. */
  size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes }
  }

  close(): void {
    this.forgetWhere(() => true)
  }

  #makeRoom(): void {
    const { maxEntries, maxBytes } = this.#options
    // A Map iterates in insertion order.
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
