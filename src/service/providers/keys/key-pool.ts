/**
 * Several keys of one provider. A request gets a key that was not rejected, with the most remaining rate limit; a
 * conversation keeps its key while the vendor's prompt cache may still hold its beginning.
 */
import type { ResponseHeaders } from '../http/response-reader.ts'
import { ProviderError, type ConversationName } from '../provider.ts'
import type { KeyLease, KeyWish } from '../wire.ts'
import { readRateLimit, type RateLimit } from './rate-limits.ts'

/** Vendors keep an unused prompt cache for five to ten minutes. */
const cacheMs = 10 * 60_000
const maxConversations = 10_000
/** The pause after a 429 that does not say how long. */
const defaultPauseMs = 10_000
const longestPauseMs = 3_600_000
/** Time after which a reported limit is ignored: most vendors limit by the minute. */
const reportMs = 60_000
/** Remaining limits that differ by less count as equal, so that keys take turns. */
const shareStep = 0.1

export interface PoolKey {
  name: string
  secret: string
}

export interface PoolOptions {
  /** Unix milliseconds. */
  now: () => number
  /** Called when a key is rejected or has no credit, once until it works again. */
  onRejected: (name: string, refusal: ProviderError) => void
}

/** One key of the pool, as shown to the user. */
export interface PoolKeyState {
  name: string
  /** Why the key is out of use; null while it is used. */
  rejection: ProviderError | null
  /** Unix milliseconds until which some model's rate limit is used up. */
  pausedUntilMs: number | null
  /** The smallest remaining share of its limits, from 0 to 1; null until a vendor reported it. */
  remaining: number | null
}

interface Entry extends PoolKey {
  rejection: ProviderError | null
  /** Number of the last lease, so that the least recently used of equal keys is next. */
  lastLease: number
  /** Limits by model, because vendors limit each model separately. */
  limits: Map<string, ReportedLimit>
}

interface ReportedLimit extends RateLimit {
  atMs: number
}

export class KeyPool {
  readonly #entries: readonly Entry[]
  readonly #options: PoolOptions
  /** The key of each conversation, the least recently used first. */
  readonly #conversations = new Map<string, { name: string; atMs: number }>()
  #leases = 0

  constructor(keys: readonly PoolKey[], options: PoolOptions) {
    this.#options = options
    this.#entries = keys.map((key) => ({
      ...key,
      rejection: null,
      lastLease: 0,
      limits: new Map<string, ReportedLimit>(),
    }))
  }

  /** Leases a key. There is always one: when all are out of use, the one that a request may revive. */
  lease(wish: KeyWish): KeyLease {
    const conversation = wish.conversation?.() ?? null
    const entry = this.#choose(this.#entries, wish.model, conversation)
    // The constructor gets at least one key.
    if (entry === null) throw new ProviderError('no_key', 'it has no key')
    return this.#leaseOf(entry, { model: wish.model, conversation, tried: new Set() })
  }

  states(): PoolKeyState[] {
    const nowMs = this.#options.now()
    return this.#entries.map(({ name, rejection, limits }) => {
      const known = [...limits.values()].filter(
        ({ atMs, usedUpUntilMs }) => nowMs - atMs < reportMs || (usedUpUntilMs ?? 0) > nowMs,
      )
      const paused = known.map(({ usedUpUntilMs }) => usedUpUntilMs ?? 0).filter((ms) => ms > nowMs)
      return {
        name,
        rejection,
        pausedUntilMs: paused.length === 0 ? null : Math.max(...paused),
        remaining: known.length === 0 ? null : Math.min(...known.map((each) => each.remaining)),
      }
    })
  }

  #leaseOf(entry: Entry, request: LeasedRequest): KeyLease {
    this.#leases += 1
    entry.lastLease = this.#leases
    request.tried.add(entry)
    return {
      key: entry.secret,
      answered: (headers) => this.#answered(entry, headers, request),
      refused: (refusal, headers) => this.#refused(entry, { refusal, headers, request }),
    }
  }

  #answered(entry: Entry, headers: ResponseHeaders, { model, conversation }: LeasedRequest): void {
    const nowMs = this.#options.now()
    entry.rejection = null
    const limit = readRateLimit(headers, nowMs)
    if (limit === null) entry.limits.delete(model)
    else entry.limits.set(model, { ...limit, atMs: nowMs })
    if (conversation !== null) this.#remember(conversation.id, entry.name, nowMs)
  }

  #refused(entry: Entry, refused: RefusedRequest): KeyLease | ProviderError {
    const { refusal, headers, request } = refused
    const nowMs = this.#options.now()
    if (isAboutKey(refusal)) {
      if (entry.rejection === null) this.#options.onRejected(entry.name, refusal)
      entry.rejection = refusal
    } else if (refusal.kind === 'rate_limit') {
      entry.limits.set(request.model, pausedLimit(refusal, readRateLimit(headers, nowMs), nowMs))
    } else return refusal
    const untried = this.#entries.filter((each) => !request.tried.has(each))
    const next = this.#choose(
      untried.filter((each) => isUsable(each, request.model, nowMs)),
      request.model,
      null,
    )
    return next === null ? this.#verdict(refusal, request.model) : this.#leaseOf(next, request)
  }

  /** A rejected key does not take the provider out while another one only waits for its limit. */
  #verdict(refusal: ProviderError, model: string): ProviderError {
    const nowMs = this.#options.now()
    const waits = this.#entries
      .filter(({ rejection }) => rejection === null)
      .map((entry) => Math.max(usedUpUntil(entry, model) - nowMs, 0))
    if (waits.length === 0) return refusal
    return new ProviderError('rate_limit', 'all its usable keys are at their rate limit', {
      status: refusal.kind === 'rate_limit' ? (refusal.status ?? 429) : 429,
      upstreamMessage: refusal.kind === 'rate_limit' ? refusal.upstreamMessage : null,
      retryAfterMs: Math.min(...waits),
    })
  }

  #choose(
    entries: readonly Entry[],
    model: string,
    conversation: ConversationName | null,
  ): Entry | null {
    const nowMs = this.#options.now()
    const usable = entries.filter((entry) => isUsable(entry, model, nowMs))
    if (conversation?.isContinued === true) {
      const name = this.#keyOf(conversation.id, nowMs)
      const kept = usable.find((entry) => entry.name === name)
      if (kept) return kept
    }
    // A list of models is asked for by the user's test, which gives rejected keys another chance.
    const rejected = entries.filter(({ rejection }) => rejection !== null)
    if (model === '' && rejected.length > 0) return leastRecent(rejected)
    return leastRecent(usable.length > 0 ? best(usable, model, nowMs) : soonest(entries, model))
  }

  #keyOf(conversationId: string, nowMs: number): string | null {
    const known = this.#conversations.get(conversationId)
    return known && nowMs - known.atMs < cacheMs ? known.name : null
  }

  #remember(conversationId: string, name: string, nowMs: number): void {
    this.#conversations.delete(conversationId)
    this.#conversations.set(conversationId, { name, atMs: nowMs })
    if (this.#conversations.size <= maxConversations) return
    const [oldest] = this.#conversations.keys()
    if (oldest !== undefined) this.#conversations.delete(oldest)
  }
}

interface LeasedRequest {
  model: string
  conversation: ConversationName | null
  tried: Set<Entry>
}

interface RefusedRequest {
  refusal: ProviderError
  headers: ResponseHeaders
  request: LeasedRequest
}

function isAboutKey({ kind }: ProviderError): boolean {
  return kind === 'auth' || kind === 'credit'
}

function isUsable(entry: Entry, model: string, nowMs: number): boolean {
  return entry.rejection === null && usedUpUntil(entry, model) <= nowMs
}

function usedUpUntil({ limits }: Entry, model: string): number {
  return limits.get(model)?.usedUpUntilMs ?? 0
}

/** The pause that a 429 asks for: by its `retry-after`, else by the limit's reset. */
function pausedLimit(
  refusal: ProviderError,
  limit: RateLimit | null,
  nowMs: number,
): ReportedLimit {
  const resetMs = (limit?.usedUpUntilMs ?? nowMs + defaultPauseMs) - nowMs
  const pauseMs = Math.min(Math.max(refusal.retryAfterMs ?? resetMs, 0), longestPauseMs)
  return { remaining: 0, usedUpUntilMs: nowMs + pauseMs, atMs: nowMs }
}

/** 1 if unknown, reported too long ago, or if the used-up limit has started again. */
function remainingOf({ limits }: Entry, model: string, nowMs: number): number {
  const limit = limits.get(model)
  if (!limit || nowMs - limit.atMs >= reportMs) return 1
  return limit.usedUpUntilMs !== null && limit.usedUpUntilMs <= nowMs ? 1 : limit.remaining
}

function best(entries: readonly Entry[], model: string, nowMs: number): Entry[] {
  const shares = entries.map((entry) => remainingOf(entry, model, nowMs))
  const highest = Math.max(...shares)
  return entries.filter((_entry, index) => highest - (shares[index] ?? 0) < shareStep)
}

/** The key to use soonest: those that only wait for their limit before rejected ones, and the shortest wait first. */
function soonest(entries: readonly Entry[], model: string): Entry[] {
  const waiting = entries.filter(({ rejection }) => rejection === null)
  if (waiting.length === 0) return [...entries]
  const first = Math.min(...waiting.map((entry) => usedUpUntil(entry, model)))
  return waiting.filter((entry) => usedUpUntil(entry, model) === first)
}

function leastRecent(entries: readonly Entry[]): Entry | null {
  return entries.reduce<Entry | null>(
    (chosen, entry) => (chosen === null || entry.lastLease < chosen.lastLease ? entry : chosen),
    null,
  )
}
