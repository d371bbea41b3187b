/**
 * What the service knows of the coding agents that run through it. In memory only, at most 2 kB each for the last 2,000
 * agents; what a turn did is read from the next request after a restart.
 */
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import { isMoved } from '../../../shared/requests/session-change.ts'
import type { RequestKind, StepClass } from '../../../shared/requests/session-step.ts'
import type { ChatCall } from '../chat-call.ts'
import { isStep } from './asker.ts'
import { CacheGuardian } from './guardian/cache-guardian.ts'
import type { CalledTool } from './step-class.ts'
import { TurnProgress } from './turn-progress.ts'

const mostAgents = 2_000
/** The weight of the newest step in what steps append and take. */
const newest = 0.2

/** An agent of a session, and what its own choices did so far. */
export class AgentState {
  readonly progress = new TurnProgress()
  /** The class of its last step. */
  class: StepClass | null = null
  /** Whether the turn got the strongest model already. */
  isRaised = false
  /** Whether the conversation was compacted since its last step. */
  isCompacted = false
  /** The model that steps on a cheaper one come back to, and what it had read then; null for none. */
  home: { model: string; promptTokens: number } | null = null
  steps = 0
  /** Since the conversation was compacted. */
  stepsSinceCompaction = 0
  costNanoUsd = 0
  /** What changes of its model cost. */
  switchNanoUsd = 0
  appendedTokens = 1_000
  stepMs = 10_000
  #promptTokens = 0
  #atMs: number | null = null

  /** Called with each answered request of the agent. */
  answered({ kind, decision, model, costNanoUsd, atMs }: AnsweredRequest): void {
    this.costNanoUsd += costNanoUsd
    if (kind === 'compaction') {
      this.isCompacted = true
      this.stepsSinceCompaction = 0
      return
    }
    this.isCompacted = false
    this.steps += 1
    this.stepsSinceCompaction += 1
    this.#measure(decision.promptTokens, atMs)
    this.#moved(decision, model)
  }

  #measure(promptTokens: number, atMs: number): void {
    const appended = promptTokens - this.#promptTokens
    if (this.#promptTokens > 0 && appended > 0)
      this.appendedTokens += newest * (appended - this.appendedTokens)
    if (this.#atMs !== null) this.stepMs += newest * (atMs - this.#atMs - this.stepMs)
    this.#promptTokens = promptTokens
    this.#atMs = atMs
  }

  #moved({ change, promptTokens, ranked }: DecisionRecord, model: string): void {
    if (change === undefined || change.forbidden !== undefined) return
    // Another model answers when the first fails: nothing was spent on the change.
    if (model !== ranked[0]?.model) return
    const { rule, from, sums } = change
    if (isMoved(change)) this.switchNanoUsd += (sums?.fillNanoUsd ?? 0) + (sums?.lostNanoUsd ?? 0)
    if (rule === 'stuck' || rule === 'check_failed') this.isRaised = true
    this.home = rule === 'saves' && from !== undefined ? { model: from, promptTokens } : null
  }
}

interface AnsweredRequest {
  kind: RequestKind
  decision: DecisionRecord
  /** That answered. */
  model: string
  costNanoUsd: number
  /** Monotonic. */
  atMs: number
}

/** A step of an agent that a model answered. */
export interface StepToSample {
  call: ChatCall
  session: string
  model: string
  class: StepClass
  calls: readonly CalledTool[]
}

export class AgentMemory {
  /** Called with each answered step, before its row is stored; must neither throw nor wait. */
  onStep: ((step: StepToSample) => void) | null = null
  readonly guardian: CacheGuardian
  readonly clock: () => number
  /** The least recent first. */
  readonly #agents = new Map<string, AgentState>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.clock = clock
    this.guardian = new CacheGuardian(clock)
  }

  /** An agent's state with all that the request says of its turn; null for requests that are no step of a session's agent. */
  stateFor(call: Pick<ChatCall, 'apiKeyId' | 'asker' | 'body' | 'router'>): AgentState | null {
    const name = agentName(call)
    if (name === null) return null
    const state = this.#agents.get(name) ?? new AgentState()
    this.#agents.delete(name)
    this.#agents.set(name, state)
    this.#forgetOldest()
    if (state.progress.read(call, call.router.routing.checkCommand)) state.isRaised = false
    return state
  }

  #forgetOldest(): void {
    if (this.#agents.size <= mostAgents) return
    for (const [oldest] of this.#agents) {
      this.#agents.delete(oldest)
      return
    }
  }
}

/** Two subagents that their client does not name are not told apart. */
function agentName({ apiKeyId, asker }: Pick<ChatCall, 'apiKeyId' | 'asker'>): string | null {
  if (asker === undefined || asker.client === null || asker.session === null) return null
  if (!isStep(asker) || (asker.kind === 'subagent' && asker.agent === null)) return null
  return [apiKeyId, asker.session, asker.agent].join('\n')
}
