/**
 * Follows the attempts of one request: meters each, reports it to its provider's state, learns from it,
 * and remembers which model answered the conversation.
 */
import type { ChatUsage } from '../../shared/chat/chat.ts'
import type { ProviderError } from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'
import { cacheRuleOf, hourMs } from '../routing/cache-rules.ts'
import { chargesForWriting } from '../routing/prompt-cache.ts'
import { expectedPromptTokens } from '../routing/prompt-size.ts'
import type { Acceptance, Choice } from '../routing/acceptance.ts'
import type { CascadeListener } from './attempts/attempts-options.ts'
import { outcomeOf, type AttemptOutcome, type AttemptOutcomes } from './attempts/fallback.ts'
import type { ChatCall, Plan } from './chat-call.ts'
import type { ChatUpstreams } from './chat-upstreams.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import type { WholeAnswer } from './answer/collect.ts'
import type { PrefixAnswer } from './learning/cached-prefixes.ts'
import type { RequestSignals } from './learning/request-signals.ts'
import type { Meter } from './metering/meter.ts'

export interface ListenedChat {
  call: Pick<ChatCall, 'router' | 'teachesLength'>
  plan: Plan
  meter: Meter
  isStreamed: boolean
  upstreams: Pick<ChatUpstreams, 'answers'>
  signals: RequestSignals
  /** Name of the group whose conversations are counted together. */
  scope: string
}

export interface EndedAnswer {
  candidate: Candidate
  /** Choices of a stream, from which its signals are read; null when it is too long. */
  choices: readonly Choice[] | null
  isCutOff: boolean
}

export class ChatListener implements CascadeListener {
  readonly #chat: ListenedChat
  readonly #dependencies: ChatDependencies
  readonly #outcomes = new Map<string, AttemptOutcome>()
  /** A local model that was not loaded when its attempt started. */
  #coldModel: string | null = null

  constructor(chat: ListenedChat, dependencies: ChatDependencies) {
    this.#chat = chat
    this.#dependencies = dependencies
  }

  /** Outcome of each model that was tried. */
  get outcomes(): AttemptOutcomes {
    return this.#outcomes
  }

  attemptStarted(candidate: Candidate): void {
    this.#outcomes.set(candidate.modelId, null)
    if (this.#dependencies.statistics.isCold(candidate)) this.#coldModel = candidate.modelId
    this.#chat.meter.attempt(candidate)
  }

  attemptFailed(candidate: Candidate, error: ProviderError): void {
    this.#failed(candidate, error, this.#chat.isStreamed)
  }

  attemptSucceeded(candidate: Candidate): void {
    const { meter } = this.#chat
    meter.attemptEnded(candidate, null)
    this.#dependencies.onProviderSuccess(candidate.providerId, meter.attemptLatencyMs(candidate))
  }

  usageTold(candidate: Candidate, usage: ChatUsage): void {
    this.#chat.meter.usageTold(candidate, usage)
  }

  raceWon(winner: Candidate, loser: Candidate | null): void {
    if (loser) this.#chat.meter.attemptLost(loser, 'another model was quicker')
    this.#chat.upstreams.answers(winner)
  }

  tierFailed(candidate: Candidate, error: ProviderError): void {
    this.#failed(candidate, error, false)
  }

  tierAnswered(candidate: Candidate, answer: WholeAnswer): void {
    const { meter, signals } = this.#chat
    const isCutOff = answer.choices.some(({ finish_reason }) => finish_reason === 'length')
    this.#learnFrom(meter.tierAnswered(candidate, answer), isCutOff)
    signals.judge(candidate, answer.choices, answer.usage)
    // The other model's cache holds the prompt, too, even if its answer is not used.
    if (this.#chat.plan.record.change?.rule === 'gate') this.#remember(candidate, answer.usage)
    this.#dependencies.onProviderSuccess(candidate.providerId, meter.attemptLatencyMs(candidate))
  }

  tierJudged(candidate: Candidate, accept: Acceptance, reason: string | null): void {
    this.#chat.meter.judged(candidate, reason)
    if (reason !== null) this.#chat.signals.tierRejected(candidate, accept)
  }

  tierCancelled(candidate: Candidate): void {
    this.#chat.meter.attemptLost(candidate, 'the other model of its tier failed')
  }

  unexpectedError(error: unknown): void {
    this.#dependencies.onBug(error)
  }

  /** Called when the cascade's accepted answer becomes the request's answer. */
  tierAccepted(candidate: Candidate): void {
    this.#chat.meter.given(candidate)
    this.#chat.upstreams.answers(candidate)
  }

  /** The request ended well. An accepted tier's answer was learned from when it arrived. */
  answered({ candidate, choices, isCutOff }: EndedAnswer): void {
    const { meter, plan, signals } = this.#chat
    this.#remember(candidate, meter.reported)
    this.#learnPrompt(candidate)
    const isLearned = plan.record.cascade?.some(({ outcome }) => outcome === 'accepted') === true
    if (!isLearned) {
      this.#learnFrom(meter.sample(), isCutOff)
      signals.judge(candidate, choices, meter.reported)
    }
    signals.ended(candidate)
  }

  #failed(candidate: Candidate, error: ProviderError, isStreamed: boolean): void {
    const { meter } = this.#chat
    this.#outcomes.set(candidate.modelId, outcomeOf(error))
    const tookMs = meter.attemptEnded(candidate, error)
    if (error.kind === 'timeout' && !meter.hasBegun) {
      const routerId = this.#chat.call.router.id
      const isCold = candidate.modelId === this.#coldModel
      this.#dependencies.statistics.timedOut({ candidate, routerId, isStreamed, isCold, tookMs })
    }
    this.#dependencies.onProviderFailure(candidate.providerId, error)
  }

  #remember(candidate: Candidate, reported: ChatUsage | null): void {
    const { plan, scope } = this.#chat
    const { identity, prompt } = plan
    if (identity === null) return
    const { modelId, price, effort: chosen } = candidate
    const promptTokens = expectedPromptTokens(candidate, prompt)
    const share = chargesForWriting(price) ? cachedShare(reported) : null
    const cachedTokens = share === null ? null : Math.round(promptTokens * share)
    const effort = chosen ?? prompt.effort ?? null
    const use = useOf(candidate, reported, promptTokens)
    const answer = { modelId, promptTokens, cachedTokens, effort, ...use }
    this.#dependencies.conversationMemory.answered(identity, answer, scope)
  }

  #learnPrompt({ modelId }: Candidate): void {
    const { plan, meter } = this.#chat
    const { promptTokens: estimated, media } = plan.prompt
    const reported = meter.reported?.prompt_tokens ?? 0
    if (media === undefined)
      this.#dependencies.promptShares.answered(modelId, { estimated, reported })
  }

  /** Learns from an answer. With several choices at once, the time a single one would take is unknown. */
  #learnFrom(sample: ReturnType<Meter['sample']>, isCutOff: boolean): void {
    if (sample === null || this.#chat.plan.record.needs.includes('n')) return
    const isCold = sample.candidate.modelId === this.#coldModel
    const { router, teachesLength = true } = this.#chat.call
    const answer = { ...sample, routerId: router.id, isCold, isCutOff, teachesLength }
    this.#dependencies.statistics.answered(answer)
  }
}

/** What was read, in tokens as Modelport counts them, and how long what was written stays. */
function useOf(
  candidate: Candidate,
  reported: ChatUsage | null,
  promptTokens: number,
): Pick<PrefixAnswer, 'lifetimeMs' | 'readTokens'> {
  const { isPromised, lifetimeMs } = cacheRuleOf(candidate)
  const { prompt_tokens: whole = 0, prompt_tokens_details: details = {} } = reported ?? {}
  if ((details.cache_write_1h_tokens ?? 0) > 0) return { lifetimeMs: hourMs }
  // Without anything written, what was read stays for the time it was written for.
  if (isPromised) return details.cache_write_tokens === 0 ? {} : { lifetimeMs }
  const { cached_tokens: read } = details
  if (read === undefined || whole === 0) return {}
  return { readTokens: Math.round((promptTokens * read) / whole) }
}

/** The share of the prompt that is in the provider's cache after the answer; null when it did not say. */
function cachedShare(usage: ChatUsage | null): number | null {
  if (usage === null || usage.prompt_tokens === 0) return null
  const { cached_tokens: read = 0, cache_write_tokens: written } = usage.prompt_tokens_details ?? {}
  return written === undefined ? null : Math.min(1, (read + written) / usage.prompt_tokens)
}
