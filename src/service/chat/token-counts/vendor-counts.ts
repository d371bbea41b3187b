/**
 * Counts of prompts by vendors. A few run at once, each has a time limit, results are cached, and a provider that failed
 * to count is not asked for a while. Claude Code sends bursts of 27 counts.
 */
import { ProviderError } from '../../providers/provider.ts'
import { ExpiringMemory } from '../../storage/expiring-memory.ts'

const mostAtOnce = 8
const limitMs = 2_000
/** Pause after a failure; many servers in a vendor's form do not count. */
const pauseMs = 60_000
const keptMs = 300_000
const bounds = { maxEntries: 1_000, maxBytes: 1_000_000 }
/** A hash and a number. */
const entryBytes = 200

interface VendorCountsOptions {
  /** Monotonic milliseconds. */
  clock: () => number
  /** Time limit for waiting and counting together. */
  limitMs?: number
}

export interface WantedCount {
  providerId: string
  /** The same for the same prompt to the same model. */
  identity: string
  /** @throws ProviderError */
  count(signal: AbortSignal): Promise<number>
}

export class VendorCounts {
  readonly #options: VendorCountsOptions
  readonly #kept: ExpiringMemory<number>
  readonly #pausedUntilMs = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: VendorCountsOptions) {
    this.#options = options
    this.#kept = new ExpiringMemory({ ...bounds, clock: options.clock })
  }

  /** @returns null when the vendor does not count now */
  async count({ providerId, identity, count }: WantedCount): Promise<number | null> {
    const kept = this.#kept.get(identity)
    if (kept !== null || this.#isPaused(providerId)) return kept
    const signal = AbortSignal.timeout(this.#options.limitMs ?? limitMs)
    if (!(await this.#enter(signal))) return null
    try {
      // Another count may have failed while this one waited.
      if (this.#isPaused(providerId)) return null
      const tokens = await count(signal)
      this.#kept.put(identity, tokens, { bytes: entryBytes, ttlMs: keptMs })
      return tokens
    } catch (error) {
      this.#pauseAfter(error, { providerId, signal })
      return null
    } finally {
      this.#leave()
    }
  }

  #isPaused(providerId: string): boolean {
    return (this.#pausedUntilMs.get(providerId) ?? 0) > this.#options.clock()
  }

  /** Pauses a provider after its failure. @throws any other error, unless the signal was aborted */
  #pauseAfter(
    error: unknown,
    { providerId, signal }: { providerId: string; signal: AbortSignal },
  ): void {
    const isOfProvider = error instanceof ProviderError
    if (!isOfProvider && !signal.aborted) throw error
    // The vendor refused this prompt and can count others.
    if (isOfProvider && error.kind === 'request') return
    const waitMs = Math.max(pauseMs, isOfProvider ? (error.retryAfterMs ?? 0) : 0)
    this.#pausedUntilMs.set(providerId, this.#options.clock() + waitMs)
  }

  /** @returns false when the signal aborted first */
  async #enter(signal: AbortSignal): Promise<boolean> {
    if (this.#running < mostAtOnce) {
      this.#running += 1
      return true
    }
    return await new Promise((resolve) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1)
        resolve(false)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(start)
    })
  }

  /** Gives the place to the next one that waits. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}
