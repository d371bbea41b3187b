/** Sends requests within the cap of an account. None is sent twice. */
import type { ShadowAccount, ShadowSampleStore } from '../../storage/shadow-sample-store.ts'
import type { AskModel, AskOutcome, Question } from '../asker.ts'
import { highestCostNanoUsd } from '../highest-cost.ts'
import { answerOf } from '../run-requests.ts'
import type { StoredAnswer } from '../tuning-outcome.ts'

export interface ShadowRequestsOptions {
  store: Pick<ShadowSampleStore, 'spent' | 'reserve' | 'settle'>
  accountNow(): ShadowAccount
  capNanoUsd: number
  ask: AskModel
  signal: AbortSignal
  /** Called when a provider billed more than the request's limits allow. */
  onOverrun(modelId: string): void
}

export class ShadowRequests {
  readonly #options: ShadowRequestsOptions
  #isOverCap = false

  constructor(options: ShadowRequestsOptions) {
    this.#options = options
  }

  /** Whether a request was not sent because the rest of the cap did not cover it. */
  get isOverCap(): boolean {
    return this.#isOverCap
  }

  /** Whether the cap covers this cost: an answer that could not be graded is not worth paying for. Reserves nothing. */
  async covers(nanoUsd: number): Promise<boolean> {
    const { store, capNanoUsd } = this.#options
    return (await store.spent(this.#options.accountNow())) + nanoUsd <= capNanoUsd
  }

  /** @returns null when there is no answer: the request failed, or it was not sent */
  async send(question: Question): Promise<StoredAnswer | null> {
    const asked = await this.ask(question)
    return asked?.kind === 'answered' ? answerOf(asked) : null
  }

  /** @returns null when it was not sent */
  async ask({ candidate, body, isJudge }: Question): Promise<AskOutcome | null> {
    const { store, accountNow, capNanoUsd, ask, signal, onOverrun } = this.#options
    const reservedNanoUsd = highestCostNanoUsd(candidate, body)
    const account = accountNow()
    if (signal.aborted) return null
    if (!(await store.reserve({ ...account, nanoUsd: reservedNanoUsd, capNanoUsd }))) {
      this.#isOverCap = true
      return null
    }
    const asked = await ask({ candidate, body, isJudge }, signal)
    const costNanoUsd = asked.costNanoUsd ?? reservedNanoUsd
    await store.settle({ ...account, reservedNanoUsd, costNanoUsd })
    if (costNanoUsd > reservedNanoUsd) onOverrun(candidate.modelId)
    return asked
  }
}
