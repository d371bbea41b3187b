/** The figures of all models or of all routers in memory, and what of them is not in storage yet. */
import type { Changes } from '../../storage/merge-figures.ts'
import type { Learned, Stored } from '../../storage/storage.ts'

export class LearnedFigures<Figures> {
  readonly #figures = new Map<string, Figures>()
  /** Figures as they are in storage, as far as this process knows. */
  readonly #stored = new Map<string, Figures>()
  /** Ids whose latest state is not in storage yet. */
  readonly #changed = new Set<string>()
  readonly #options: { first(): Figures; merge(changes: Changes<Figures>): Figures }

  /** @param stored  read from storage at the start. @param options  `first`: the figures before any answer */
  constructor(
    stored: readonly Stored<Figures>[],
    options: { first(): Figures; merge(changes: Changes<Figures>): Figures },
  ) {
    this.#options = options
    for (const { id, figures } of stored) {
      this.#figures.set(id, figures)
      this.#stored.set(id, structuredClone(figures))
    }
  }

  /** Updated in place by later answers; undefined before any. */
  get(id: string): Figures | undefined {
    return this.#figures.get(id)
  }

  entries(): Iterable<[string, Figures]> {
    return this.#figures
  }

  /** The figures, for the caller to change in place. */
  change(id: string): Figures {
    this.#changed.add(id)
    const known = this.#figures.get(id)
    if (known !== undefined) return known
    const figures = this.#options.first()
    this.#figures.set(id, figures)
    return figures
  }

  /** The figures that changed since the last call, to be stored. */
  takeChanged(): Learned<Figures>[] {
    const changed = [...this.#changed].flatMap((id) => {
      const figures = this.#figures.get(id)
      const base = this.#stored.get(id) ?? null
      // Copied, because answers change the figures in place.
      return figures ? [{ id, base, figures: structuredClone(figures) }] : []
    })
    this.#changed.clear()
    return changed
  }

  /** Continues from what `takeChanged` gave and what was stored of it, with the answers since then. */
  saved(learned: readonly Learned<Figures>[], stored: readonly Stored<Figures>[]): void {
    for (const { id, figures } of learned) {
      const merged = stored.find((each) => each.id === id)
      if (merged) this.#adopt(merged, figures)
    }
  }

  /** Continues from what other nodes stored. */
  follow(stored: readonly Stored<Figures>[]): void {
    for (const each of stored) this.#adopt(each, this.#stored.get(each.id) ?? null)
  }

  /** @param base  what the stored figures were merged with */
  #adopt({ id, figures: stored }: Stored<Figures>, base: Figures | null): void {
    const mine = this.#figures.get(id)
    this.#figures.set(id, mine ? this.#options.merge({ base, mine, stored }) : stored)
    this.#stored.set(id, structuredClone(stored))
  }
}
