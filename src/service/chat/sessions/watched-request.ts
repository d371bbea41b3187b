/**
 * One request of a coding agent's session, from its arrival to its ledger row. What takes time, reading both prompts, runs
 * while the vendor answers.
 */
import type {
  ChatUsage,
  ChunkChoice,
  CompletionChoice,
  WireFields,
} from '../../../shared/chat/chat.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import type { RequestDetail } from '../../../shared/requests/detail.ts'
import { isMoved } from '../../../shared/requests/session-change.ts'
import type { ModelReason, SessionStep, StepClass } from '../../../shared/requests/session-step.ts'
import { TextChoice } from '../../../shared/strings/text-choice.ts'
import { fieldsOf, parseJsonOrNull } from '../../json-fields.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { ChatCall } from '../chat-call.ts'
import { proofsOf } from '../kept-answers/proof-authors.ts'
import { awaitsToolResult } from '../learning/conversation-memory.ts'
import { isStep, type Asker } from './asker.ts'
import { prefixOf, type Prefix } from './guardian/prefix.ts'
import type { AgentMemory, AgentState } from './agent-memory.ts'
import { CalledTools, callsOf } from './called-tools.ts'
import { marksOfMessage } from './result-marks.ts'
import { classOfStep, type CalledTool } from './step-class.ts'
import { stepCosts } from './step-costs.ts'

interface SessionCall {
  call: ChatCall
  asker: Asker
  client: NonNullable<Asker['client']>
  session: string
}

interface ReadPrompts {
  modelId: string
  arrived: Prefix
  sent: Prefix | null
}

export interface AnsweredStep {
  row: RequestRecord
  detail: RequestDetail
  /** Null without an answer. */
  candidate: Candidate | null
  usage: ChatUsage
  isReported: boolean
}

/** Watches a request of a coding agent's session; null for others, and for probes, which are no part of one. */
export function watchRequest(call: ChatCall, memory: AgentMemory): WatchedRequest | null {
  const { asker, source } = call
  if (asker === undefined || asker.client === null || asker.session === null) return null
  if (asker.kind === 'probe' || source !== 'api') return null
  return new WatchedRequest({ call, asker, client: asker.client, session: asker.session }, memory)
}

const mostTools = 8
const mostProofsOfStep = 16

export class WatchedRequest {
  readonly #of: SessionCall
  readonly #memory: AgentMemory
  readonly #agent: string
  /** Null for requests that are no step of an agent. */
  readonly #state: AgentState | null
  /** The body on its way to the last model that was asked. */
  #sent: { modelId: string; body: string } | null = null
  #prompts: ReadPrompts | null = null
  /** Of a streamed answer. */
  readonly #called = new CalledTools()
  /** Null without an answer. */
  #calls: readonly CalledTool[] | null = null
  readonly #proofs = new Set<string>()

  constructor(of: SessionCall, memory: AgentMemory) {
    const { call, asker, session } = of
    this.#of = of
    this.#memory = memory
    this.#agent = [call.apiKeyId, session, asker.agent].join('\n')
    this.#state = memory.stateFor(call)
  }

  /** Called with the body as the vendor gets it. */
  sent(modelId: string, body: string): void {
    if (!isStep(this.#of.asker)) return
    this.#sent = { modelId, body }
    setImmediate(() => this.#read(modelId))
  }

  /** Called with each chunk of a streamed answer. */
  heard(choices: readonly ChunkChoice[]): void {
    this.#called.add(choices)
    this.#calls = this.#called.calls
    for (const choice of choices) {
      if (!(choice instanceof TextChoice)) this.#proved(choice.delta.reasoning_details)
    }
  }

  answered(choices: readonly CompletionChoice[]): void {
    this.#calls = callsOf(choices)
    for (const { message } of choices) this.#proved(message.reasoning_details)
  }

  #proved(details: unknown): void {
    for (const proof of proofsOf(details)) {
      if (this.#proofs.size < mostProofsOfStep) this.#proofs.add(proof)
    }
  }

  /** The row as a step of the session. */
  rowOf(step: AnsweredStep): RequestRecord {
    const { asker, session } = this.#of
    const { candidate, detail } = step
    if (candidate !== null) {
      this.#state?.answered({
        kind: asker.kind,
        decision: detail.decision,
        model: candidate.modelId,
        costNanoUsd: step.row.costNanoUsd,
        atMs: this.#memory.clock(),
      })
    }
    const stored = this.#stepOf(step)
    if (candidate !== null) this.#tell(stored.class, candidate.modelId)
    const sessionStep = JSON.stringify(stored)
    return { ...step.row, sessionId: session, agentId: asker.agent, sessionStep }
  }

  #tell(stepClass: StepClass | null, model: string): void {
    const { call, session } = this.#of
    const { apiKeyId } = call
    if (this.#state !== null && stepClass !== null) {
      this.#memory.stepped(this.#state, { apiKeyId, stepClass, model })
    }
    if (stepClass === null || this.#calls === null) return
    this.#memory.onStep?.({ call, session, model, class: stepClass, calls: this.#calls })
  }

  #stepOf(step: AnsweredStep): SessionStep {
    const { call, asker, client } = this.#of
    const { detail } = step
    const calls = this.#calls
    const isOfAgent = isStep(asker)
    const { effort = null } = detail.decision.ranked[0] ?? {}
    return {
      client,
      version: /^[^/]+\/([\w.-]+)/.exec(call.client ?? '')?.[1] ?? null,
      kind: asker.kind,
      parent: asker.parentAgent,
      agentType: asker.agentType,
      startsTurn: asker.kind === 'main' && !awaitsToolResult(call.body),
      class: isOfAgent && calls !== null ? this.#classOf(calls) : null,
      tools: [...new Set((calls ?? []).map(({ name }) => name))].slice(0, mostTools),
      marks: isOfAgent ? marksOfResults(call) : [],
      why: whyOf(detail),
      ...this.#routingOf(step),
      effort: effort ?? call.body.reasoning_effort ?? null,
      ...stepCosts(step),
      ...this.#keptOf(step),
    }
  }

  /** What a rule of sessions did, and marks that the turn does not get on. */
  #routingOf({ detail }: AnsweredStep): Pick<SessionStep, 'change' | 'stuck' | 'routedTo' | 'arm'> {
    const { call, asker } = this.#of
    const { change } = detail.decision
    const stuck = asker.kind === 'main' ? (this.#state?.progress.newMarks() ?? []) : []
    return {
      ...(change && { change }),
      ...(stuck.length > 0 && { stuck }),
      ...(call.routedTo !== undefined && { routedTo: call.routedTo }),
      ...(call.arm !== undefined && { arm: call.arm }),
    }
  }

  /** The verdict on the cache, and hashes of the reasoning that the answer proves. */
  #keptOf(step: AnsweredStep): Pick<SessionStep, 'proofs' | 'cache'> {
    const cache = isStep(this.#of.asker) ? this.#verdictOf(step) : null
    return {
      ...(this.#proofs.size > 0 && { proofs: [...this.#proofs] }),
      ...(cache && { cache }),
    }
  }

  #classOf(calls: readonly CalledTool[]): StepClass {
    const found = classOfStep(calls, this.#state?.class ?? null)
    if (this.#state !== null) this.#state.class = found
    return found
  }

  #verdictOf({ candidate, usage, isReported, detail }: AnsweredStep): SessionStep['cache'] | null {
    if (candidate === null || candidate.isLocal) return null
    const { call, client, session } = this.#of
    const prompts = this.#read(candidate.modelId)
    const wire = call.original?.wire ?? 'chat'
    return this.#memory.guardian.judge({
      ...prompts,
      agent: this.#agent,
      session: `${call.apiKeyId}\n${session}`,
      group: [client, call.client, candidate.providerId, wire].join(' '),
      candidate,
      usage: isReported ? usage : null,
      adjusted: detail.decision.adjusted.map(({ parameter }) => parameter),
    })
  }

  /** Reads both prompts, once for a model. */
  #read(modelId: string): ReadPrompts {
    if (this.#prompts?.modelId === modelId) return this.#prompts
    const { call } = this.#of
    const before = this.#memory.guardian.before(this.#agent, modelId)
    const arrived: WireFields = call.original?.fields ?? fieldsOf(call.body)
    const body = this.#sent?.modelId === modelId ? parseJsonOrNull(this.#sent.body) : null
    this.#sent = null
    this.#prompts = {
      modelId,
      arrived: prefixOf(arrived, before?.arrived ?? null),
      sent: body === null ? null : prefixOf(fieldsOf(body), before?.sent ?? null),
    }
    return this.#prompts
  }
}

/** The marks of all results since the last answer. */
function marksOfResults({ body: { messages } }: ChatCall): SessionStep['marks'] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool')
  return [...new Set(results.flatMap(marksOfMessage))]
}

function whyOf({ decision }: RequestDetail): ModelReason {
  const { strategy, change, kept, look, drawnWith, ranked } = decision
  if (strategy === 'pinned') return 'pinned'
  if (change?.forbidden !== undefined) return 'forbidden'
  if (kept !== null) return kept
  if (isMoved(change)) return change?.rule ?? 'chosen'
  if (look !== undefined) return 'look'
  if (drawnWith !== null) return 'explored'
  return ranked.length === 1 ? 'only' : (change?.rule ?? 'chosen')
}
