/** When a turn with tools asks whether to go on, and when it ends by itself. */
import type { ToolStep } from '../../shared/chat/tools.ts'

const steps = 10
const minutes = 10
const costUsd = 1
const repeats = 3

/** A turn that goes round in circles; the message is for the user. */
export class TurnEnded extends Error {
  override readonly name = 'TurnEnded'
}

export class TurnLimits {
  readonly #now: () => number
  readonly #results = new Map<string, number>()
  readonly #errors = new Map<string, number>()
  #steps = 0
  #costUsd = 0
  #startedAtMs: number
  #waitedMs = 0

  constructor(now: () => number) {
    this.#now = now
    this.#startedAtMs = now()
  }

  addCost(usd: number): void {
    this.#costUsd += usd
  }

  /** The user's time to decide is not the turn's. */
  addWaiting(ms: number): void {
    this.#waitedMs += ms
  }

  /** What the user is asked before another call; null while the turn is short. */
  question(): { kind: 'steps'; steps: number; costUsd: number; minutes: number } | null {
    const workedMinutes = (this.#now() - this.#startedAtMs - this.#waitedMs) / 60_000
    const isLong = this.#steps >= steps || this.#costUsd >= costUsd || workedMinutes >= minutes
    if (!isLong) return null
    return { kind: 'steps', steps: this.#steps, costUsd: this.#costUsd, minutes: workedMinutes }
  }

  /** Counts from zero again, after the user let the turn go on. */
  renew(): void {
    this.#steps = 0
    this.#costUsd = 0
    this.#waitedMs = 0
    this.#startedAtMs = this.#now()
  }

  /**
   * @param text  the result before it was marked as data
   * @throws TurnEnded when the same call gave the same result, or a tool the same error, three times. Calls whose results
   *   change may repeat.
   */
  note({ server, tool, arguments: args, outcome }: ToolStep, text: string): void {
    this.#steps += 1
    if (outcome === 'denied') return
    const isError = outcome !== 'done'
    const key = JSON.stringify(isError ? [server, tool, text] : [server, tool, args, text])
    const counts = isError ? this.#errors : this.#results
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count < repeats) return
    const same = isError ? 'error' : 'result'
    throw new TurnEnded(`${tool} gave the same ${same} ${repeats} times, so the turn was ended.`)
  }
}
