/**
 * Measures the share of conversations of one router and key that went on while their first prompt was still in the
 * vendor's cache. In memory only: at most 1,000 routers and keys, the least recently used are evicted first.
 */
const maxScopes = 1_000
/** Fewest conversations from which a share is known. */
const leastStarts = 8
/** Number of conversations from which the older half counts half. */
const mostStarts = 64

export class ContinuedConversations {
  readonly #counts = new Map<string, { starts: number; continued: number }>()

  started(scope: string): void {
    const { starts, continued } = this.#counts.get(scope) ?? { starts: 0, continued: 0 }
    const half = starts >= mostStarts ? 2 : 1
    this.#counts.delete(scope)
    this.#counts.set(scope, { starts: starts / half + 1, continued: continued / half })
    if (this.#counts.size <= maxScopes) return
    for (const [oldest] of this.#counts) {
      this.#counts.delete(oldest)
      return
    }
  }

  wentOn(scope: string): void {
    const counts = this.#counts.get(scope)
    if (counts) counts.continued = Math.min(counts.continued + 1, counts.starts)
  }

  /** @returns 0 to 1; 0 without enough conversations */
  shareOf(scope: string): number {
    const { starts, continued } = this.#counts.get(scope) ?? { starts: 0, continued: 0 }
    return starts < leastStarts ? 0 : continued / starts
  }
}
