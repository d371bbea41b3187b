/**
 * How many steps a cheaper model needs for one of the dearer, measured from a key's own sessions: the length of runs of steps
 * that only read, between two edits. In memory, so a restart measures again.
 */

/** The mean run of public sessions, and what a cheaper model is expected to need more, until there are enough of one's own. */
const usualSteps = 3.2
const usualRatio = 1.3
const usualRuns = 30
/** Above it, a gate costs more than it saves on long prompts. */
const mostRatio = 1.5
/** One of so many runs goes without the gate, so that the dearer model is measured, too. */
const runsForOneWithout = 24
const mostMeasured = 1_000

export interface MeasuredRun {
  /** Whose sessions are measured together. */
  key: string
  /** The model that edits. */
  home: string
  /** The model that read; null when the one that edits did. */
  cheap: string | null
  steps: number
}

export class GateMeasures {
  /** Of a key with a model, or with two. */
  readonly #runs = new Map<string, { runs: number; steps: number }>()
  #begun = 0

  /** @returns null where the gate is off because the cheaper model needs too many steps */
  stepsForOne({ key, home, cheap }: Pick<MeasuredRun, 'key' | 'home' | 'cheap'>): number | null {
    const own = this.#meanOf([key, home], usualSteps)
    const ratio = this.#meanOf([key, home, cheap], usualSteps * usualRatio) / own
    return ratio > mostRatio ? null : Math.max(1, ratio)
  }

  /** Called when a run begins. @returns whether it goes without the gate */
  isWithout(): boolean {
    this.#begun += 1
    return this.#begun % runsForOneWithout === 0
  }

  ended({ key, home, cheap, steps }: MeasuredRun): void {
    const name = nameOf(cheap === null ? [key, home] : [key, home, cheap])
    const { runs, steps: before } = this.#runs.get(name) ?? { runs: 0, steps: 0 }
    this.#runs.delete(name)
    this.#runs.set(name, { runs: runs + 1, steps: before + steps })
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > mostMeasured && oldest !== undefined) this.#runs.delete(oldest)
  }

  #meanOf(parts: readonly (string | null)[], usual: number): number {
    const { runs, steps } = this.#runs.get(nameOf(parts)) ?? { runs: 0, steps: 0 }
    return (steps + usual * usualRuns) / (runs + usualRuns)
  }
}

function nameOf(parts: readonly (string | null)[]): string {
  return parts.join('\n')
}
