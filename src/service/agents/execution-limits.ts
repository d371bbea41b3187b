/**
 * How far one execution may go: requests to models, seconds, and money. An agent that is called has limits
 * of its own, and what it does counts in both.
 */
import type { AgentDefinition } from '../../shared/agent.ts'
import { formatUsd } from '../../shared/format.ts'
import { ServiceError } from '../errors.ts'
import type { Allowance } from '../chat/allowance.ts'

export class ExecutionLimits {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  readonly allowance: Allowance
  readonly #agent: string
  readonly #maxSteps: number
  readonly #timer: NodeJS.Timeout
  readonly #startedAt: number
  readonly #clock: () => number
  #steps = 0

  /** @param clock  monotonic ms. The time runs from now on, until `end`. */
  constructor({ name, limits }: AgentDefinition, clock: () => number) {
    const controller = new AbortController()
    this.signal = controller.signal
    this.#agent = name
    this.#maxSteps = limits.max_steps
    this.#clock = clock
    this.#startedAt = clock()
    this.allowance = {
      name: `the budget of agent:${name}`,
      limitNanoUsd: Math.round(limits.max_cost_usd * 1e9),
      spentNanoUsd: 0,
      reservedNanoUsd: 0,
    }
    const tooLong = () => controller.abort(this.#exceeded(`has ${limits.max_seconds} s`))
    this.#timer = setTimeout(tooLong, limits.max_seconds * 1000)
  }

  /** @throws ServiceError budget_exceeded when no request to a model is left */
  refuseOneMore(): void {
    if (this.#steps >= this.#maxSteps) {
      throw this.#exceeded(`may ask models ${this.#maxSteps} times`)
    }
  }

  countOne(): void {
    this.#steps += 1
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** What was spent until now, in words. */
  spent(): string {
    const seconds = ((this.#clock() - this.#startedAt) / 1000).toFixed(1)
    const usd = formatUsd(this.allowance.spentNanoUsd / 1e9)
    return `Spent until then: ${usd}, ${this.#steps} requests to models, ${seconds} s.`
  }

  #exceeded(limit: string): ServiceError {
    return new ServiceError('budget_exceeded', `agent:${this.#agent} ${limit}.`, {
      headers: { 'x-should-retry': 'false' },
    })
  }
}
