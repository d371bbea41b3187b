/** The dependencies of one request's attempts, and the listener they report to. */
import type { ChatUsage } from '../../../shared/chat/chat.ts'
import type { TimeLimits } from '../../../shared/routers/time-limits.ts'
import type { Provider, ProviderError, ProviderRequest } from '../../providers/provider.ts'
import type { Acceptance } from '../../routing/acceptance.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { WholeAnswer } from '../answer/collect.ts'
import type { Deployments } from './deployments.ts'
import type { Hedge } from './hedge.ts'

export interface AttemptsOptions {
  candidates: readonly Candidate[]
  upstreams: UpstreamAccess
  deployments: Deployments
  isStreamed: boolean
  /** Whether a request that has only one candidate asks it again after a failure that may pass. */
  repeats: boolean
  /** Null: no second model is asked beside the first. */
  hedge: Hedge | null
  /** Whether the request's money covers one more attempt; reserves what is missing. */
  covers(candidate: Candidate): boolean | Promise<boolean>
  signal: AbortSignal
  /** Monotonic milliseconds. */
  clock(): number
  listener: AttemptListener
}

/** The same for chats. */
export interface ChatAttemptsOptions extends AttemptsOptions {
  upstreams: AttemptUpstreams
}

/** What decides whether a candidate can be tried now. */
export interface Availability {
  upstreams: Pick<UpstreamAccess, 'outageOf'>
  deployments: Pick<Deployments, 'standing'>
}

/** How to reach the candidates of one request. */
export interface UpstreamAccess {
  /** @throws ProviderError when the provider cannot be used now */
  providerOf(candidate: Candidate): Provider
  /** Why its provider cannot be used until the user acts; null when it can be used. */
  outageOf(candidate: Candidate): ProviderError | null
  timeLimitsOf(candidate: Candidate): TimeLimits
}

export interface AttemptUpstreams extends UpstreamAccess {
  requestFor(candidate: Candidate): ProviderRequest
}

/** Reports each attempt of one request as it starts and ends, so that it can be metered and learnt from. */
export interface AttemptListener {
  attemptStarted(candidate: Candidate): void
  /** Called for every failed attempt, whether or not another candidate is left. */
  attemptFailed(candidate: Candidate, error: ProviderError): void
  attemptSucceeded(candidate: Candidate): void
  /** Called with the token counts that a stream reports before its end; absent where nothing streams. */
  usageTold?(candidate: Candidate, usage: ChatUsage): void
  /** Called when two models were asked. @param loser  the one that was cut off, if it was still running */
  raceWon(winner: Candidate, loser: Candidate | null): void
  /** Called with an error of an adapter that is not a ProviderError. */
  unexpectedError(error: unknown): void
}

/** The same for a router's cascade, whose answers are checked before one is used. */
export interface CascadeListener extends AttemptListener {
  /** Called in place of `attemptFailed` for a tier, whose answer is requested whole. */
  tierFailed(candidate: Candidate, error: ProviderError): void
  /** Called in place of `attemptSucceeded` for a tier: the answer is paid for and not yet accepted. */
  tierAnswered(candidate: Candidate, answer: WholeAnswer): void
  /** @param reason  why the answer was not accepted; null when it was */
  tierJudged(candidate: Candidate, accept: Acceptance, reason: string | null): void
  /** The attempt was cut off because another model of its tier failed. */
  tierCancelled(candidate: Candidate): void
}

export interface CascadeOptions extends ChatAttemptsOptions {
  listener: CascadeListener
}
