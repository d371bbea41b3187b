/**
 * A session played with two models through the product's own decisions: what a choice does, the next one sees. The
 * vendors' caches keep what theirs promise. A cheaper model needs more steps for the same work, which lengthen the prompt.
 */
import type { ChatMessage } from '../../src/shared/chat/chat.ts'
import type { Router } from '../../src/shared/entities.ts'
import { costNanoUsd, priceRow } from '../../src/service/catalog/cost.ts'
import { ConversationMemory } from '../../src/service/chat/learning/conversation-memory.ts'
import type { StepClass } from '../../src/shared/requests/session-step.ts'
import type { GateMeasures } from '../../src/service/chat/sessions/gate-measures.ts'
import { AgentMemory, type AgentState } from '../../src/service/chat/sessions/agent-memory.ts'
import {
  chooseForSession,
  type SessionChoice,
  type SessionMoment,
} from '../../src/service/chat/sessions/session-choice.ts'
import { cacheRuleOf } from '../../src/service/routing/cache-rules.ts'
import type { Candidate, EstimatedCandidate } from '../../src/service/routing/candidate.ts'
import { chargesForWriting } from '../../src/service/routing/prompt-cache.ts'
import { sampleContext, sampleEstimate } from '../../test/routing/sample-candidates.ts'
import { sampleDetail, sampleRouter } from '../../test/storage/samples.ts'
import { ModelChance } from './chance.ts'
import type { RecordedSession, RecordedStep } from './recorded.ts'

export interface Play {
  strong: Candidate
  cheap: Candidate
  /** Steps that the cheap model needs for one of the strong. */
  stepsForOne: number
  rules: Omit<SessionMoment['rules'], 'gate'>
  /** What is measured of a key's sessions; absent without the gate. */
  gates?: GateMeasures
  /** What the strategy does where it may choose; `turn`: drawn at each turn, and kept for no other reason. */
  choice: 'strong' | 'cheap' | 'drawn'
}

export interface Played {
  costNanoUsd: number
  /** Written because the model changed, though another model still had it in its cache. */
  switchNanoUsd: number
  changes: number
  edits: number
  editsOfCheap: number
  /** Milliseconds of each decision. */
  tookMs: number[]
}

interface VendorCache {
  tokens: number
  untilMs: number
}

/** A prompt below this share of the one before is a compaction. */
const compacted = 0.8

/** Classes follow each other as in recorded sessions. */
const nextClasses: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  explore: [
    ['explore', 0.63],
    ['edit', 0.89],
    ['verify', 1],
  ],
  edit: [
    ['verify', 0.45],
    ['explore', 0.75],
    ['edit', 1],
  ],
  verify: [
    ['edit', 0.44],
    ['explore', 0.86],
    ['verify', 1],
  ],
}

const reading: ReadonlySet<string> = new Set(['explore', 'verify'])

const calls: Readonly<Record<string, readonly [string, string]>> = {
  explore: ['Read', '{"file_path":"a"}'],
  edit: ['Edit', '{"file_path":"a"}'],
  verify: ['Bash', '{"command":"npm test"}'],
  finish: ['Bash', '{"command":"git commit -m done"}'],
  plan: ['TodoWrite', '{}'],
  delegate: ['Task', '{}'],
}

export function playSession(session: RecordedSession, play: Play, seed: number): Played {
  const run = new SessionRun(play, seed)
  for (const [nth, step] of session.steps.entries()) {
    run.step(step, session.steps[nth - 1], session.steps[nth + 1])
  }
  return run.played
}

class SessionRun {
  readonly played: Played = {
    costNanoUsd: 0,
    switchNanoUsd: 0,
    changes: 0,
    edits: 0,
    editsOfCheap: 0,
    tookMs: [],
  }
  readonly #play: Play
  readonly #chance: ModelChance
  #nowMs = 0
  readonly #memory = new ConversationMemory(() => this.#nowMs)
  readonly #agents: AgentMemory
  readonly #router: Router
  readonly #caches = new Map<string, VendorCache>()
  #messages: ChatMessage[] = []
  #class = 'explore'
  /** Tokens that extra steps appended since the last compaction. */
  #extraTokens = 0
  #extraSteps = 0
  #leastTokens = Infinity
  /** What an answer is expected to have, by those before. */
  #outputTokens = 300
  /** Of the step before. */
  #before: { model: string; promptTokens: number } | null = null
  #drawn: Candidate

  constructor(play: Play, seed: number) {
    this.#play = play
    this.#agents = new AgentMemory(() => this.#nowMs, play.gates)
    this.#chance = new ModelChance(seed)
    this.#drawn = play.choice === 'cheap' ? play.cheap : play.strong
    const { checkCommand, escalateWhenStuck, stepDown } = play.rules
    const routing = { ...sampleRouter().routing, checkCommand, escalateWhenStuck, stepDown }
    this.#router = { ...sampleRouter(), routing }
  }

  step(
    step: RecordedStep,
    before: RecordedStep | undefined,
    after: RecordedStep | undefined,
  ): void {
    this.#nowMs += before === undefined ? 0 : Math.max(0, step.startedMs - before.endedMs)
    const isCompacted = before !== undefined && step.promptTokens < before.promptTokens * compacted
    if (isCompacted) this.#compact()
    if (step.startsTurn || this.#messages.length === 0) this.#say(`Task ${this.#messages.length}`)
    this.#class = step.class ?? this.#drawClass()
    const grown = after === undefined ? 0 : Math.max(0, after.promptTokens - step.promptTokens)
    const one = { ...step, promptTokens: step.promptTokens + this.#extraTokens }
    const isCheap = this.#send(one, this.#class) === this.#play.cheap
    this.#extraSteps += isCheap ? this.#play.stepsForOne - 1 : 0
    while (this.#extraSteps >= 1) {
      this.#extraSteps -= 1
      this.#extraTokens += grown
      this.#nowMs += 5_000
      this.#send({ ...one, promptTokens: step.promptTokens + this.#extraTokens }, 'explore')
    }
  }

  /** @returns the model that answered */
  #send(step: RecordedStep, stepClass: string): Candidate {
    const startMs = performance.now()
    const { ranked, choice, state } = this.#decide(step)
    this.played.tookMs.push(performance.now() - startMs)
    const model = choice?.model ?? ranked[0]?.model
    const isAsked = choice?.change?.rule === 'gate'
    const isRead = isAsked && reading.has(stepClass)
    const isCheap = isRead || model === this.#play.cheap.modelId
    const candidate = isCheap ? this.#play.cheap : this.#play.strong
    let cost = this.#charge(candidate, step)
    if (isAsked && !isRead) {
      // The answer that was held back, of which only the call has to come.
      cost += this.#charge(this.#play.cheap, step)
      this.#remember(this.#play.cheap, step.promptTokens)
    }
    this.#nowMs += Math.max(0, step.endedMs - step.startedMs)
    this.#outputTokens += 0.1 * (step.outputTokens - this.#outputTokens)
    this.#remember(candidate, step.promptTokens)
    const ranking = ranked.toSorted((a, b) => Number(b.model === model) - Number(a.model === model))
    state?.answered({
      kind: 'main',
      decision: {
        ...sampleDetail().decision,
        promptTokens: step.promptTokens,
        ranked: ranking,
        ...(choice?.change && { change: choice.change }),
      },
      model: candidate.modelId,
      costNanoUsd: cost,
      atMs: this.#nowMs,
    })
    const played = stepClass in calls ? (stepClass as StepClass) : 'text'
    if (state)
      this.#agents.stepped(state, { apiKeyId: 'key', stepClass: played, model: candidate.modelId })
    this.#count(candidate, stepClass)
    this.#answer(stepClass)
    return candidate
  }

  #decide({ promptTokens }: RecordedStep): {
    ranked: (EstimatedCandidate & { reason: null })[]
    choice: SessionChoice | null
    state: AgentState | null
  } {
    const { strong, cheap, rules, choice: chosen } = this.#play
    const state = this.#agents.stateFor({
      apiKeyId: 'key',
      asker: simulatedAsker,
      body: { messages: this.#messages },
      router: this.#router,
    })
    const awaitsResult = this.#messages.at(-1)?.role === 'tool'
    const lastAnswer = this.#memory.lastAnswerOf('session')
    if (chosen === 'drawn' && !awaitsResult)
      this.#drawn = this.#chance.next() < 0.5 ? cheap : strong
    const others = [strong, cheap].filter((one) => one !== this.#drawn)
    const ranked = [this.#drawn, ...others].map((candidate, position) => ({
      model: candidate.modelId,
      position,
      reason: null,
      candidate,
      estimate: sampleEstimate({
        quality: candidate === strong ? 0.9 : 0.7,
        outputTokens: Math.round(this.#outputTokens),
        costNanoUsd: candidate === strong ? 2 : 1,
      }),
    }))
    const writesCache = ({ price }: Candidate) => chargesForWriting(price)
    const context = sampleContext({ promptTokens, lastAnswer, writesCache, isStreamed: true })
    const { gates } = this.#play
    const gate =
      gates === undefined
        ? null
        : (home: string, other: string) => gates.stepsForOne({ key: 'key', home, cheap: other })
    const moment = {
      kind: 'main',
      ranked,
      context,
      awaitsResult,
      rules: { ...rules, gate },
      state,
    } as const
    const choice = chooseForSession({ ...moment, whyForbidden: () => null })
    return { ranked, choice, state }
  }

  #charge(candidate: Candidate, { promptTokens, outputTokens }: RecordedStep): number {
    const cache = this.#caches.get(candidate.modelId)
    const isWarm = cache !== undefined && cache.untilMs >= this.#nowMs
    const read = isWarm ? Math.min(cache.tokens, promptTokens) : 0
    const rest = promptTokens - read
    const isWritten = chargesForWriting(candidate.price)
    const cost = costNanoUsd(candidate.price, {
      inputTokens: isWritten ? 0 : rest,
      cacheReadTokens: read,
      cacheWriteTokens: isWritten ? rest : 0,
      outputTokens,
    })
    this.played.costNanoUsd += cost
    this.played.switchNanoUsd += this.#switchSpend(candidate, { promptTokens, read })
    return cost
  }

  /** What another model had in a warm cache, and this one did not. */
  #switchSpend(
    { modelId, price }: Candidate,
    { promptTokens, read }: { promptTokens: number; read: number },
  ): number {
    const before = this.#before
    this.#before = { model: modelId, promptTokens }
    if (before === null || before.model === modelId) return 0
    this.played.changes += 1
    const cache = this.#caches.get(before.model)
    if (cache === undefined || cache.untilMs < this.#nowMs) return 0
    const row = priceRow(price, promptTokens)
    const write = row.cacheWriteUsdPerMtok ?? row.inputUsdPerMtok
    // What was appended meanwhile, the strong model would have written as well.
    const own =
      modelId === this.#play.strong.modelId ? this.#caches.get(modelId)?.tokens : undefined
    const extra = Math.max(0, Math.min(own ?? cache.tokens, promptTokens) - read)
    return extra * Math.max(0, write - (row.cacheReadUsdPerMtok ?? write)) * 1e3
  }

  #remember(candidate: Candidate, promptTokens: number): void {
    const { modelId } = candidate
    const { isPromised, lifetimeMs } = cacheRuleOf(candidate)
    this.#caches.set(modelId, { tokens: promptTokens, untilMs: this.#nowMs + lifetimeMs })
    this.#leastTokens = Math.min(this.#leastTokens, promptTokens)
    const promise = isPromised ? { cachedTokens: promptTokens, lifetimeMs, effort: null } : {}
    this.#memory.answered('session', { modelId, promptTokens, ...promise })
  }

  #count(candidate: Candidate, stepClass: string): void {
    if (stepClass === 'explore' || stepClass === 'verify') return
    this.played.edits += 1
    this.played.editsOfCheap += Number(candidate === this.#play.cheap)
  }

  #compact(): void {
    this.#extraTokens = 0
    for (const cache of this.#caches.values())
      cache.tokens = Math.min(cache.tokens, this.#leastTokens)
    this.#messages = []
  }

  #say(content: string): void {
    this.#messages.push({ role: 'user', content })
  }

  #answer(stepClass: string): void {
    const [name, text] = calls[stepClass] ?? []
    if (name === undefined || text === undefined) {
      this.#messages.push({ role: 'assistant', content: 'Done.' })
      return
    }
    const id = `call_${this.#messages.length}`
    const tool_calls = [{ id, type: 'function' as const, function: { name, arguments: text } }]
    this.#messages.push({ role: 'assistant', content: null, tool_calls })
    this.#messages.push({ role: 'tool', tool_call_id: id, content: 'A line.' })
  }

  #drawClass(): string {
    const drawn = this.#chance.next()
    const found = (nextClasses[this.#class] ?? []).find(([, until]) => drawn < until)
    return found?.[0] ?? 'explore'
  }
}

/** The main agent of Claude Code, in a session of that name. */
export const simulatedAsker = {
  client: 'claude-code',
  session: 'session',
  agent: null,
  parentAgent: null,
  agentType: null,
  turn: null,
  kind: 'main',
} as const
