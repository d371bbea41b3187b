/** What the service knows of the coding agents that run through it. In memory only, for the last 2,000 agents. */
import type { StepClass } from '../../../shared/requests/session-step.ts'
import { CacheGuardian } from './guardian/cache-guardian.ts'

const mostAgents = 2_000

export class AgentMemory {
  readonly guardian: CacheGuardian
  readonly #classes = new Map<string, StepClass>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.guardian = new CacheGuardian(clock)
  }

  /** The class of the agent's last step; null for none. */
  classBefore(agent: string): StepClass | null {
    return this.#classes.get(agent) ?? null
  }

  classified(agent: string, found: StepClass): void {
    this.#classes.delete(agent)
    this.#classes.set(agent, found)
    if (this.#classes.size <= mostAgents) return
    for (const [oldest] of this.#classes) {
      this.#classes.delete(oldest)
      return
    }
  }
}
