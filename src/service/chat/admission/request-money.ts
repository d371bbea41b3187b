/**
 * The money of one request in progress. Its reservation covers the most expensive answer. Before each attempt, what the
 * attempts so far have cost and may still cost is added up: a prompt that failed or lost a race is paid for, too. What is
 * missing is reserved, and an attempt whose cost the budgets do not cover is not made.
 */
import type { Candidate } from '../../routing/candidate.ts'

export interface RequestMoneyOptions {
  /** Reserved at its admission. */
  nanoUsd: number
  /** Highest cost of one answer, by model; nothing for models that are not listed. */
  most: ReadonlyMap<string, number>
  /** Reserves further money. @returns false when the budgets do not cover it */
  more(nanoUsd: number): Promise<boolean>
}

export interface SpentSoFar {
  /** What the attempts that have ended cost, estimated where nothing was reported. */
  spentNanoUsd: number
  /** The models that have not answered yet. */
  running: Iterable<Pick<Candidate, 'modelId'>>
}

export class RequestMoney {
  readonly #options: RequestMoneyOptions
  #reservedNanoUsd: number
  /** Money for attempts that wait for more. */
  #promisedNanoUsd = 0

  constructor(options: RequestMoneyOptions) {
    this.#options = options
    this.#reservedNanoUsd = options.nanoUsd
  }

  /** Whether one more attempt is covered. Answers at once unless further money has to be reserved. */
  covers(
    { modelId }: Pick<Candidate, 'modelId'>,
    { spentNanoUsd, running }: SpentSoFar,
  ): boolean | Promise<boolean> {
    const most = this.#mostOf(modelId)
    let needed = spentNanoUsd + this.#promisedNanoUsd + most
    for (const one of running) needed += this.#mostOf(one.modelId)
    const missing = needed - this.#reservedNanoUsd
    return missing <= 0 || most === 0 || this.#reserve(missing, most)
  }

  async #reserve(missing: number, most: number): Promise<boolean> {
    this.#promisedNanoUsd += most
    const isReserved = await this.#options.more(missing)
    this.#promisedNanoUsd -= most
    if (isReserved) this.#reservedNanoUsd += missing
    return isReserved
  }

  #mostOf(modelId: string): number {
    return this.#options.most.get(modelId) ?? 0
  }
}
