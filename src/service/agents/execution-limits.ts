/**
 * How far one execution may go: requests to models, seconds, and money. An agent that is called has limits
 * of its own, and what it does counts in both.
 */
import type { AgentDefinition } from '../../shared/agent.ts'
import { formatUsd } from '../../shared/format.ts'
import { ServiceError } from '../errors.ts'
import type { Allowance } from '../chat/admission/allowance.ts'

/**
 * Steps one execution may run, those without a model included. A map of 1,000 items with ten steps each still fits;
 * it takes well under a second.
 */
const mostStepRuns = 10_000

/** Characters that the text steps of one execution may write together: they are kept in memory while it runs. */
const mostText = 10_000_000

export class ExecutionLimits {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  readonly allowance: Allowance
  readonly #agent: string
  readonly #maxSteps: number
  readonly #timer: NodeJS.Timeout
  readonly #startedAt: number
  readonly #clock: () => number
  #requests = 0
  #stepRuns = 0
  #textLength = 0

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
    if (this.#requests >= this.#maxSteps) {
      throw this.#exceeded(`may ask models ${this.#maxSteps} times`)
    }
  }

  countOne(): void {
    this.#requests += 1
  }

  /**
   * @param repeatedBy  the fields that say how often this step is repeated
   * @throws ServiceError budget_exceeded after `mostStepRuns`
   */
  countStep(repeatedBy: readonly string[]): void {
    this.#stepRuns += 1
    if (this.#stepRuns <= mostStepRuns) return
    const most = mostStepRuns.toLocaleString('en-US')
    const wayOut = repeatedBy.length === 0 ? '' : ` Lower ${repeatedBy.join(' or ')}.`
    throw this.#exceeded(`may run ${most} steps, those without a model included`, wayOut)
  }

  /** @throws ServiceError budget_exceeded after `mostText` */
  countText(length: number): void {
    this.#textLength += length
    if (this.#textLength <= mostText) return
    const most = mostText.toLocaleString('en-US')
    throw this.#exceeded(`may write ${most} characters in its text steps together`)
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** What was spent until now, in words. */
  spent(): string {
    const seconds = ((this.#clock() - this.#startedAt) / 1000).toFixed(1)
    const usd = formatUsd(this.allowance.spentNanoUsd / 1e9)
    return `Spent until then: ${usd}, ${this.#requests} requests to models, ${seconds} s.`
  }

  #exceeded(limit: string, wayOut = ''): ServiceError {
    return new ServiceError('budget_exceeded', `agent:${this.#agent} ${limit}.${wayOut}`, {
      headers: { 'x-should-retry': 'false' },
    })
  }
}
