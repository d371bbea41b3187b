/**
 * Watches whether the vendor's cache of each agent of a session holds, and says who broke it. In memory only, for the last
 * 2,000 agents, at most 2 kB each. It never changes a request.
 */
import type { ChatUsage } from '../../../../shared/chat/chat.ts'
import type { CacheVerdict } from '../../../../shared/requests/cache-verdict.ts'
import { priceRow } from '../../../catalog/cost.ts'
import { cacheRuleOf, hourMs } from '../../../routing/cache-rules.ts'
import type { Candidate } from '../../../routing/candidate.ts'
import { tokenClasses } from '../../metering/token-classes.ts'
import { BrokenShares } from './broken-shares.ts'
import { differenceOf, type Difference } from './compare-prefixes.ts'
import type { Prefix } from './prefix.ts'

const mostAgents = 2_000
const leastTokens = 4_096
const leastReadShare = 0.8
const leastLostTokens = 2_048

/** The request before, of one agent at one model. */
interface KnownStep {
  arrived: Prefix
  /** Null where the provider does not say what it sends. */
  sent: Prefix | null
  cachedTokens: number
  lifetimeMs: number
  atMs: number
}

export interface WatchedStep {
  /** The agent, with its key and session. */
  agent: string
  session: string
  /** Client with version, provider and wire, whose steps are counted together. */
  group: string
  candidate: Candidate
  arrived: Prefix
  sent: Prefix | null
  /** Null when the vendor reported none. */
  usage: ChatUsage | null
  /** Names of the changes that Modelport made to the request. */
  adjusted: readonly string[]
}

export class CacheGuardian {
  readonly #clock: () => number
  readonly #known = new Map<string, KnownStep>()
  readonly #shares: BrokenShares

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
    this.#shares = new BrokenShares(clock)
  }

  /** What the agent's next request to the model will be compared with; null for nothing. */
  before(agent: string, modelId: string): { arrived: Prefix; sent: Prefix | null } | null {
    return this.#known.get(keyOf(agent, modelId)) ?? null
  }

  /** @returns null for a step that cannot be judged */
  judge(step: WatchedStep): CacheVerdict | null {
    const key = keyOf(step.agent, step.candidate.modelId)
    const before = this.#known.get(key)
    const nowMs = this.#clock()
    this.#keep(key, step, nowMs)
    if (before === undefined || nowMs - before.atMs > before.lifetimeMs) return null
    const verdict = verdictOf(before, step)
    if (verdict === null) return null
    const { isPromised } = cacheRuleOf(step.candidate)
    const isBroken = verdict.culprit !== undefined
    return this.#shares.count({ ...step, isPromised, isBroken })
      ? { ...verdict, alarm: true }
      : verdict
  }

  #keep(key: string, { candidate, arrived, sent, usage }: WatchedStep, atMs: number): void {
    const before = this.#known.get(key)
    this.#known.delete(key)
    const cachedTokens = usage === null ? 0 : cachedAfter(usage)
    const forAnHour = (usage?.prompt_tokens_details?.cache_write_1h_tokens ?? 0) > 0
    const usual = before?.lifetimeMs ?? cacheRuleOf(candidate).lifetimeMs
    const lifetimeMs = forAnHour ? hourMs : usual
    this.#known.set(key, { arrived, sent, cachedTokens, lifetimeMs, atMs })
    if (this.#known.size <= mostAgents) return
    for (const [oldest] of this.#known) {
      this.#known.delete(oldest)
      return
    }
  }
}

function keyOf(agent: string, modelId: string): string {
  return `${agent}\n${modelId}`
}

/** Tokens in the vendor's cache after an answer: those it says, or the whole prompt where it caches unasked. */
function cachedAfter(usage: ChatUsage): number {
  const { cacheRead, cacheWrite } = tokenClasses(usage)
  return cacheWrite === null ? usage.prompt_tokens : cacheWrite + (cacheRead ?? 0)
}

function verdictOf(before: KnownStep, step: WatchedStep): CacheVerdict | null {
  const { usage, arrived, sent, adjusted } = step
  if (usage === null || before.cachedTokens < leastTokens) return null
  const { cacheRead: read } = tokenClasses(usage)
  if (read === null) return null
  const byClient = differenceOf(before.arrived, arrived)
  if (byClient === 'expected') return null
  const expected = Math.min(before.cachedTokens, usage.prompt_tokens)
  const lost = expected - read
  if (read >= expected * leastReadShare || lost <= leastLostTokens) return { expected, read }
  const broken = { expected, read, lostNanoUsd: costOf(lost, step) }
  if (byClient !== null) return { ...broken, culprit: 'client', place: byClient }
  const bySending = before.sent && sent && differenceOf(before.sent, sent)
  if (isPlace(bySending)) {
    return { ...broken, culprit: 'modelport', place: bySending, adjusted: [...adjusted] }
  }
  const effort = { part: 'effort' } as const
  if (arrived.effort !== before.arrived.effort)
    return { ...broken, culprit: 'client', place: effort }
  if (sent !== null && sent.effort !== before.sent?.effort)
    return { ...broken, culprit: 'modelport', place: effort, adjusted: [...adjusted] }
  return { ...broken, culprit: 'vendor' }
}

function isPlace(difference: Difference): difference is Exclude<Difference, 'expected' | null> {
  return difference !== null && difference !== 'expected'
}

/** What the lost tokens cost more than reading them, in nano-dollars. */
function costOf(lostTokens: number, { candidate, usage }: WatchedStep): number {
  const row = priceRow(candidate.price, usage?.prompt_tokens ?? 0)
  const { inputUsdPerMtok: input, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = row
  const isWritten = (usage?.prompt_tokens_details?.cache_write_tokens ?? 0) > 0
  const paid = isWritten ? (cacheWriteUsdPerMtok ?? input) : input
  return Math.round(lostTokens * (paid - (cacheReadUsdPerMtok ?? input)) * 1e3)
}
