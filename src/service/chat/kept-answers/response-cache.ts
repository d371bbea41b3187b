/**
 * Caches answers to identical requests, for routers that enable it. In memory, with encrypted copies for other nodes if
 * there are any. Separate for each API key, so that no key can read another's answers or learn from timing that it asked.
 * Anything that would change routing or the answer (models, prices, providers, strategy) makes another entry. Reasons:
 * docs/decisions/2026-11-21-replay.md.
 */
import { createHash } from 'node:crypto'
import type {
  ChatCompletion,
  ChatRequest,
  ChatUsage,
  WireFields,
} from '../../../shared/chat/chat.ts'
import type { Router } from '../../../shared/entities.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type { Capability } from '../../../shared/models/model-abilities.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { OriginalCall } from '../chat-call.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import { sha256OfJson } from './canonical-json.ts'
import { ExpiringMemory } from '../../storage/expiring-memory.ts'
import { parseExact } from '../../exact-json.ts'

const bounds = { maxEntries: 10_000, maxBytes: 64 * 1024 * 1024 }
/** Most bytes of an answer that the nodes share. Larger ones are rare, and would delay other messages. */
const mostCopiedBytes = 1024 * 1024

export interface CacheQuestion {
  apiKeyId: string
  router: Router
  body: ChatRequest
  /** Capabilities that the model must have beyond what the body needs. */
  requires: readonly Capability[]
  /** The request as it arrived, which may have fields that `body` lacks, and parts that change the answer. */
  original?: Pick<OriginalCall, 'text' | 'headers' | 'query'> | undefined
}

/** The parts of an answer that are the same for streams and whole answers. */
export interface CachedAnswer {
  /** The request that a model answered. */
  requestId: string
  model: string
  choices: ChatCompletion['choices']
  usage: ChatUsage
  extras?: WireFields
  /** As in `FinishedChat`: they also have what no choice can say, such as what the vendor's own search found. */
  events?: readonly string[]
  /** How that request was routed. */
  decision: DecisionRecord
}

interface AnswerCopy {
  /** Unix milliseconds. */
  untilMs: number
  answer: CachedAnswer
}

interface CacheEntry {
  apiKeyId: string
  routerId: string
  fingerprint: string
  /** A `CachedAnswer` as JSON, so that its size is known exactly. */
  json: Buffer
}

/** Encrypted copies that several nodes share. */
export interface AnswerCopies {
  /** Resolves to null without a copy; never rejects. */
  read(key: string): Promise<Buffer | null>
  write(key: string, entry: { value: Buffer; ttlMs: number }): void
}

export interface ResponseCacheOptions {
  /** Null for a node on its own. */
  copies: AnswerCopies | null
  /** Unix milliseconds. */
  now(): number
  configuration(): ConfigurationIndex
  candidatesOf(router: Router): readonly Candidate[]
  /** Monotonic milliseconds. */
  clock: () => number
}

export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #kept: ExpiringMemory<CacheEntry>
  /** Fingerprints by the router object as read; a configuration change reads a new one. */
  readonly #fingerprints = new WeakMap<Router, string>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#kept = new ExpiringMemory({ ...bounds, clock: options.clock })
  }

  /** The cache key of a question. */
  keyOf({ apiKeyId, router, body, requires, original }: CacheQuestion): string {
    const asked = withoutCaller(body)
    const others =
      original === undefined
        ? []
        : [
            withoutCaller(JSON.parse(original.text) as object),
            original.headers,
            original.query,
            // The vendor's own events of a stream are not those of a whole answer.
            body.stream === true,
          ]
    return createHash('sha256')
      .update(apiKeyId)
      .update(this.#fingerprintOf(router))
      .update(sha256OfJson([asked, requires, ...others]))
      .digest('hex')
  }

  find(key: string): CachedAnswer | null {
    const kept = this.#kept.get(key)
    // Written by `keep`, below.
    return kept && (parseExact(kept.json.toString()) as CachedAnswer)
  }

  /** Looks up what another node stored. Null where there is no other node. */
  findCopy(key: string, { apiKeyId, router }: CacheQuestion): Promise<CachedAnswer | null> | null {
    const { copies, now } = this.#options
    if (copies === null) return null
    return copies.read(key).then((value) => {
      if (value === null) return null
      // Written by `keep`, below, and encrypted since.
      const { untilMs, answer } = parseExact(value.toString()) as AnswerCopy
      const { cacheTtlSeconds } = router
      const ttlMs = Math.min(untilMs - now(), (cacheTtlSeconds ?? 0) * 1000)
      if (ttlMs <= 0) return null
      const fingerprint = this.#fingerprintOf(router)
      const json = Buffer.from(JSON.stringify(answer))
      const entry = { apiKeyId, routerId: router.id, fingerprint, json }
      if (this.#isCurrent(entry)) this.#kept.put(key, entry, { bytes: json.length, ttlMs })
      return answer
    })
  }

  /** Stores an answer, unless it was cut off or filtered. */
  keep(key: string, { apiKeyId, router }: CacheQuestion, answer: CachedAnswer): void {
    const { cacheTtlSeconds } = router
    if (cacheTtlSeconds === null || !answer.choices.every(endedByItself)) return
    const fingerprint = this.#fingerprintOf(router)
    const json = Buffer.from(JSON.stringify(answer))
    const kept = { apiKeyId, routerId: router.id, fingerprint, json }
    if (!this.#isCurrent(kept)) return
    const ttlMs = cacheTtlSeconds * 1000
    this.#kept.put(key, kept, { bytes: json.length, ttlMs })
    const { copies, now } = this.#options
    if (copies === null || json.length > mostCopiedBytes) return
    const copy: AnswerCopy = { untilMs: now() + ttlMs, answer }
    copies.write(key, { value: Buffer.from(JSON.stringify(copy)), ttlMs })
  }

  /** Call it when the configuration changed. */
  forgetStale(): void {
    this.#kept.forgetWhere((kept) => !this.#isCurrent(kept))
  }

  close(): void {
    this.#kept.close()
  }

  #isCurrent({ apiKeyId, routerId, fingerprint }: CacheEntry): boolean {
    const { apiKeys, routers } = this.#options.configuration()
    const router = routers.get(routerId)
    return (
      apiKeys.get(apiKeyId)?.revokedAtMs === null &&
      router !== undefined &&
      this.#fingerprintOf(router) === fingerprint
    )
  }

  /** Fingerprint of everything that decides which model is asked, and of the time to live. */
  #fingerprintOf(router: Router): string {
    const known = this.#fingerprints.get(router)
    if (known !== undefined) return known
    const { providers, settings } = this.#options.configuration()
    const candidates = this.#options.candidatesOf(router)
    const fingerprint = sha256OfJson([
      router.id,
      router.strategy,
      router.cacheTtlSeconds,
      candidates,
      candidates.map(({ providerId }) => providers.get(providerId) ?? null),
      settings.localModelFile,
      settings.localModelFiles,
    ])
    this.#fingerprints.set(router, fingerprint)
    return fingerprint
  }
}

const goodEnds: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'function_call'])

/** The body without the fields that say who asks, and in which way the answer is sent. */
function withoutCaller(body: object): object {
  const fields: ChatRequest | Record<string, unknown> = { ...body }
  for (const name of callerFields) delete fields[name]
  return fields
}

const callerFields = ['stream', 'stream_options', 'user', 'metadata', 'client_metadata']

function endedByItself({ finish_reason }: ChatCompletion['choices'][number]): boolean {
  return goodEnds.has(finish_reason)
}
