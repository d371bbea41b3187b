/**
 * What the service knows of the coding agents that run through it. In memory only, at most 2 kB each for the last 2,000
 * agents; what a turn did is read from the next request after a restart.
 */
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import { isMoved, type SessionChange } from '../../../shared/requests/session-change.ts'
import type { RequestKind, StepClass } from '../../../shared/requests/session-step.ts'
import type { ChatCall } from '../chat-call.ts'
import { isStep } from './asker.ts'
import { CacheGuardian } from './guardian/cache-guardian.ts'
import type { CalledTool } from './step-class.ts'
import { GateMeasures, type MeasuredRun } from './gate-measures.ts'
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
  /** Steps since the last edit, that only read. */
  run: ReadingRun = newRun(false)
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
    const { rule, from, sums, first } = change
    const home = ranked[0]?.model ?? model
    const isRead = rule === 'gate' && model === first
    if (model !== home && !isRead) return
    if (isMoved(change)) this.switchNanoUsd += spentOn(sums)
    if (rule === 'stuck' || rule === 'check_failed') this.isRaised = true
    if (isRead) this.home ??= { model: home, promptTokens }
    else this.home = rule === 'saves' && from !== undefined ? { model: from, promptTokens } : null
  }

  /** @returns the run of steps that this step ended, if one model took all of it */
  stepped(stepClass: StepClass | null, model: string): Omit<MeasuredRun, 'key'> | null {
    const { cheapSteps, ownSteps, cheap, isWithout, isWhole } = this.run
    if (stepClass === 'explore' || stepClass === 'verify') {
      const isOwn = this.home === null
      this.run = {
        ...this.run,
        ownSteps: ownSteps + Number(isOwn),
        cheapSteps: cheapSteps + Number(!isOwn),
        cheap: isOwn ? cheap : model,
      }
      return null
    }
    this.run = { ...newRun(false), isWhole: true }
    const steps = isWithout ? ownSteps : cheapSteps
    // Runs that the gate took part of, or left for their price, are longer or shorter than others.
    if (!isWhole || steps === 0 || steps !== cheapSteps + ownSteps) return null
    return { home: model, cheap: isWithout ? null : cheap, steps }
  }
}

function spentOn(sums: SessionChange['sums']): number {
  return sums === undefined ? 0 : sums.fillNanoUsd + sums.lostNanoUsd
}

interface ReadingRun {
  /** Whether it goes without the gate, so that the dearer model is measured. */
  isWithout: boolean
  /** Whether it began after an edit, not with the session. */
  isWhole: boolean
  ownSteps: number
  cheapSteps: number
  /** The model that read for the one that edits. */
  cheap: string | null
}

function newRun(isWithout: boolean): ReadingRun {
  return { isWithout, isWhole: false, ownSteps: 0, cheapSteps: 0, cheap: null }
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
  readonly gates: GateMeasures
  readonly guardian: CacheGuardian
  readonly clock: () => number
  /** The least recent first. */
  readonly #agents = new Map<string, AgentState>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number, gates = new GateMeasures()) {
    this.clock = clock
    this.gates = gates
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
    if (state.progress.read(call, call.router.routing.checkCommand)) {
      state.isRaised = false
      state.run = newRun(false)
    }
    return state
  }

  /** Called with each answered step of an agent, after `answered`. */
  stepped(
    state: AgentState,
    {
      apiKeyId,
      stepClass,
      model,
    }: { apiKeyId: string | null; stepClass: StepClass | null; model: string },
  ): void {
    const ended = state.stepped(stepClass, model)
    if (ended !== null) this.gates.ended({ ...ended, key: apiKeyId ?? '' })
    if (stepClass !== 'explore' && stepClass !== 'verify') {
      state.run = { ...state.run, isWithout: this.gates.isWithout() }
    }
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
