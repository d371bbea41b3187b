/** What an answer took: tokens as reported or estimated, money, grams, time. */
import type { ChatUsage, RouterDecision, RouterMeta } from '../../shared/chat.ts'
import type { RequestRecord, RequestSource } from '../../shared/entities.ts'
import { carbonGrams } from '../catalog/carbon.ts'
import { costNanoUsd } from '../catalog/cost.ts'
import type { ProviderChunk } from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'
import { estimateTokens } from './request-needs.ts'

export interface MeteredRequest {
  id: string
  routerId: string
  apiKeyId: string | null
  source: RequestSource
  isStreamed: boolean
  routerDecision: RouterDecision
  estimatedPromptTokens: number
  startedAtMs: number
  /** Monotonic, milliseconds. */
  clock: () => number
}

/** One request's meter: fed with chunks, read for `_meta` and the ledger's row. */
export class Meter {
  readonly #request: MeteredRequest
  readonly #startedAt: number
  #answering: Candidate | null = null
  #attempts = 0
  #attemptStartedMs = 0
  #reported: ChatUsage | null = null
  #characters = 0
  #firstTokenMs: number | null = null
  #latencyMs: number | null = null

  constructor(request: MeteredRequest) {
    this.#request = request
    this.#startedAt = request.clock()
  }

  /** Counts one chunk of the answering candidate. */
  add(candidate: Candidate, chunk: ProviderChunk): void {
    this.#answering = candidate
    const characters = countCharacters(chunk)
    if (characters > 0) this.#firstTokenMs ??= this.#elapsedMs()
    this.#characters += characters
    this.#reported = chunk.usage ?? this.#reported
  }

  /** Counts a candidate that is tried. */
  attempted(): void {
    this.#attempts += 1
    this.#attemptStartedMs = this.#elapsedMs()
  }

  /** How long the last candidate took to its first token, or to its end when it gave none. */
  attemptLatencyMs(): number {
    return Math.round((this.#firstTokenMs ?? this.#elapsedMs()) - this.#attemptStartedMs)
  }

  /** Freezes time: what is read after it is final. */
  stop(): void {
    this.#latencyMs = this.#elapsedMs()
  }

  /** The wire's `usage`: the provider's numbers, estimates where it gave none. */
  usage(): ChatUsage {
    if (this.#reported) return this.#reported
    const prompt_tokens = this.#answering ? this.#request.estimatedPromptTokens : 0
    const completion_tokens = estimateTokens(this.#characters)
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  }

  meta(): RouterMeta {
    return {
      modelUsed: this.#answering?.modelId ?? '',
      cost: this.#costNanoUsd() / 1e9,
      latencyMs: this.#elapsedMs(),
      carbonGrams: this.#carbonGrams(),
      routerDecision: this.#request.routerDecision,
    }
  }

  /** The ledger's row. @param status  HTTP status; 499 when the client went away */
  record(status: number, errorCode: string | null): RequestRecord {
    const { id, routerId, apiKeyId, source, startedAtMs, routerDecision, isStreamed } =
      this.#request
    const reported = this.#reported
    const estimated = this.#answering && !reported ? this.usage() : null
    return {
      id,
      routerId,
      apiKeyId,
      source,
      startedAtMs,
      status,
      errorCode,
      modelUsed: this.#answering?.modelId ?? null,
      routerDecision,
      isStreamed,
      attempts: this.#attempts,
      reportedPromptTokens: reported?.prompt_tokens ?? null,
      reportedCompletionTokens: reported?.completion_tokens ?? null,
      estimatedPromptTokens: estimated?.prompt_tokens ?? null,
      estimatedCompletionTokens: estimated?.completion_tokens ?? null,
      costNanoUsd: this.#costNanoUsd(),
      latencyMs: this.#elapsedMs(),
      firstTokenMs: this.#firstTokenMs,
      carbonGrams: this.#carbonGrams(),
    }
  }

  #elapsedMs(): number {
    if (this.#latencyMs !== null) return this.#latencyMs
    // A hundredth of a millisecond is more than any clock here can tell.
    return Math.round((this.#request.clock() - this.#startedAt) * 100) / 100
  }

  #costNanoUsd(): number {
    if (!this.#answering) return 0
    const { prompt_tokens, completion_tokens, prompt_tokens_details } = this.usage()
    // OpenAI's form counts cached tokens inside prompt_tokens; the price classes are disjoint.
    const cached = prompt_tokens_details?.cached_tokens ?? 0
    const cacheReadTokens = Math.min(cached, prompt_tokens)
    return costNanoUsd(this.#answering.price, {
      inputTokens: prompt_tokens - cacheReadTokens,
      cacheReadTokens,
      cacheWriteTokens: 0,
      outputTokens: completion_tokens,
    })
  }

  #carbonGrams(): number {
    if (!this.#answering) return 0
    const { prompt_tokens, completion_tokens } = this.usage()
    const { energyWhPerKtok, gridGramsPerKwh } = this.#answering
    return carbonGrams({
      inputTokens: prompt_tokens,
      outputTokens: completion_tokens,
      energyWhPerKtok,
      gridGramsPerKwh,
    }).mid
  }
}

function countCharacters(chunk: ProviderChunk): number {
  let characters = 0
  for (const { delta } of chunk.choices) {
    characters += delta.content?.length ?? 0
    characters += delta.reasoning?.length ?? delta.reasoning_content?.length ?? 0
    for (const call of delta.tool_calls ?? []) {
      characters += (call.function?.name?.length ?? 0) + (call.function?.arguments?.length ?? 0)
    }
  }
  return characters
}
