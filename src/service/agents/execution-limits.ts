/**
 * The limits of one execution: requests to models, seconds, money, steps and text. A called agent has its own limits,
 * and its work also counts in its caller's.
 */
import type { AgentDefinition } from '../../shared/agents/agent.ts'
import { formatUsd } from '../../shared/strings/format.ts'
import { ServiceError } from '../errors.ts'
import type { Allowance } from '../chat/admission/allowance.ts'

/**
 * Steps of one execution, including those without a model. A map of 1,000 items with nine steps each fits and takes
 * well under a second.
 */
const maxStepRuns = 10_000

/** Characters that the text steps of one execution write together. They stay in memory during the run. */
const maxTextLength = 10_000_000

export class ExecutionLimits {
  /** Aborted when the time limit passes. */
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

  /** Starts the time limit; `end` stops it. @param clock  monotonic ms */
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
    const abort = () => controller.abort(this.#exceeded(`took longer than ${limits.max_seconds} s`))
    this.#timer = setTimeout(abort, limits.max_seconds * 1000)
  }

  /** @throws ServiceError budget_exceeded after `max_steps` requests to models */
  refuseOneMore(): void {
    if (this.#requests >= this.#maxSteps) {
      throw this.#exceeded(`reached its limit of requests to models (max_steps: ${this.#maxSteps})`)
    }
  }

  countOne(): void {
    this.#requests += 1
  }

  /**
   * @param repeatedBy  the fields that set how often this step repeats
   * @throws ServiceError budget_exceeded after `maxStepRuns`
   */
  countStep(repeatedBy: readonly string[]): void {
    this.#stepRuns += 1
    if (this.#stepRuns <= maxStepRuns) return
    const limit = maxStepRuns.toLocaleString('en-US')
    const advice = repeatedBy.length === 0 ? '' : ` Lower ${repeatedBy.join(' or ')}.`
    throw this.#exceeded(
      `reached its limit of ${limit} steps, including steps without a model`,
      advice,
    )
  }

  /** @throws ServiceError budget_exceeded after `maxTextLength` */
  countText(length: number): void {
    this.#textLength += length
    if (this.#textLength <= maxTextLength) return
    const limit = maxTextLength.toLocaleString('en-US')
    throw this.#exceeded(`reached its limit of ${limit} characters in text steps`)
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** A sentence about the amount spent so far. */
  spent(): string {
    const seconds = ((this.#clock() - this.#startedAt) / 1000).toFixed(1)
    const usd = formatUsd(this.allowance.spentNanoUsd / 1e9)
    return `Spent so far: ${usd}, ${this.#requests} requests to models, ${seconds} s.`
  }

  #exceeded(limit: string, advice = ''): ServiceError {
    return new ServiceError('budget_exceeded', `agent:${this.#agent} ${limit}.${advice}`, {
      headers: { 'x-should-retry': 'false' },
    })
  }
}
