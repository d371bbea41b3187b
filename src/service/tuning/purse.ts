/**
 * Decides whether the rest of the cap covers a whole prompt, so that a run does not end with half-answered prompts.
 * It only schedules: the reservation in the database is what keeps the cap.
 */
export class Purse {
  readonly #capNanoUsd: number
  #spentNanoUsd: number
  /** Highest remaining cost of each prompt in progress. */
  readonly #open = new Map<number, number>()

  constructor(capNanoUsd: number, spentNanoUsd: number) {
    this.#capNanoUsd = capNanoUsd
    this.#spentNanoUsd = spentNanoUsd
  }

  get isIdle(): boolean {
    return this.#open.size === 0
  }

  /** @returns false when the rest does not cover the prompt's highest cost */
  begin(position: number, highestNanoUsd: number): boolean {
    const promised = [...this.#open.values()].reduce((sum, one) => sum + one, 0)
    if (this.#spentNanoUsd + promised + highestNanoUsd > this.#capNanoUsd) return false
    this.#open.set(position, highestNanoUsd)
    return true
  }

  spend(position: number, nanoUsd: number): void {
    this.#spentNanoUsd += nanoUsd
    const left = this.#open.get(position)
    if (left !== undefined) this.#open.set(position, Math.max(0, left - nanoUsd))
  }

  end(position: number): void {
    this.#open.delete(position)
  }
}
