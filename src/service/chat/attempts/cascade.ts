/**
 * A router's cascade: cheap models are asked for their whole answer first, and the first answer that
 * passes its check is used. Off by default. Measured on published answers (study of this project): two
 * comparable cheap models that must agree, with a strong model behind them, keep the strong model's
 * quality for 45 to 55 % less on multiple choice and short answers. They save little where they seldom
 * agree.
 */
import { ServiceError } from '../../errors.ts'
import { whyNotAccepted, type AcceptanceContext, type Choice } from '../../routing/acceptance.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { attemptWhole } from './attempts.ts'
import type { ChatAttemptsOptions, Availability, CascadeOptions } from './attempts-options.ts'
import type { PlannedTier } from '../chat-call.ts'
import type { WholeAnswer } from '../answer/collect.ts'
import { callsOf } from '../sessions/called-tools.ts'
import { isReading } from '../sessions/step-class.ts'
import { matchesSchema } from './json-schema.ts'

interface TierAttempt {
  candidate: Candidate
  /** Null when the model failed, which was reported to the listener. */
  answer: WholeAnswer | null
}

export interface AcceptedAnswer {
  candidate: Candidate
  answer: WholeAnswer
}

/**
 * Asks tier after tier until an answer is accepted. Null when none is; the router's own order is next.
 * @throws the signal's reason on abort
 */
export async function askTiers(
  tiers: readonly PlannedTier[],
  body: AcceptanceContext['body'],
  options: CascadeOptions,
): Promise<AcceptedAnswer | null> {
  for (const tier of tiers) {
    const accepted = await askTier(tier, body, options)
    if (accepted) return accepted
  }
  return null
}

async function askTier(
  tier: PlannedTier,
  body: AcceptanceContext['body'],
  options: CascadeOptions,
): Promise<AcceptedAnswer | null> {
  if (isPassedOver(tier, options)) return null
  const { record } = tier
  const asked = await askAll(tier.candidates, options)
  const reason = whyNot(tier, asked, body)
  Object.assign(record, { outcome: reason === null ? 'accepted' : 'not_accepted', reason })
  const answered = asked.flatMap(({ candidate, answer }) => (answer ? [{ candidate, answer }] : []))
  for (const { candidate } of answered) options.listener.tierJudged(candidate, tier.accept, reason)
  return reason === null ? (answered[0] ?? null) : null
}

/** Whether a model of the tier is not available now; the tier's record then says so. */
export function isPassedOver({ candidates, record }: PlannedTier, options: Availability): boolean {
  const away = candidates.find((candidate) => !isReady(candidate, options))
  if (!away) return false
  Object.assign(record, { outcome: 'passed_over', reason: `${away.modelId} is not available now` })
  return true
}

/** A cascade is there to save money, so no open breaker is probed early for it. */
function isReady(candidate: Candidate, options: Availability): boolean {
  const { kind } = options.deployments.standing(candidate.modelId)
  return kind === 'ready' && options.upstreams.outageOf(candidate) === null
}

function whyNot(
  { accept }: PlannedTier,
  asked: readonly TierAttempt[],
  body: AcceptanceContext['body'],
): string | null {
  const answers = asked.flatMap(({ answer }) => (answer ? [answer.choices] : []))
  if (answers.length < asked.length) return 'a model of the tier did not answer'
  const readsOnly = (choice: Choice) => isReading(callsOf([choice]))
  return whyNotAccepted(accept, answers, { body, matchesSchema, readsOnly })
}

/** Asks all at once. When one fails, the tier cannot be accepted any more and the others are cancelled. */
async function askAll(
  candidates: readonly Candidate[],
  options: CascadeOptions,
): Promise<readonly TierAttempt[]> {
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const ask = async (candidate: Candidate): Promise<TierAttempt> => {
    try {
      const { answer } = await attemptWhole(singleAttempt(candidate, signal, options))
      options.listener.tierAnswered(candidate, answer)
      return { candidate, answer }
    } catch (error) {
      options.signal.throwIfAborted()
      const isCut = over.signal.aborted
      over.abort()
      if (isCut) options.listener.tierCancelled(candidate)
      else if (!(error instanceof ServiceError)) throw error
      return { candidate, answer: null }
    }
  }
  return await Promise.all(candidates.map(ask))
}

/** One model asked for its whole answer, without fall-over, repetition or hedging. */
function singleAttempt(
  candidate: Candidate,
  signal: AbortSignal,
  options: CascadeOptions,
): ChatAttemptsOptions {
  const { listener } = options
  return {
    ...options,
    candidates: [candidate],
    isStreamed: false,
    repeats: false,
    hedge: null,
    signal,
    listener: {
      attemptStarted: (one) => listener.attemptStarted(one),
      attemptFailed: (one, error) => listener.tierFailed(one, error),
      // `tierAnswered` reports it, with the answer.
      attemptSucceeded: () => undefined,
      raceWon: () => undefined,
      unexpectedError: (error) => listener.unexpectedError(error),
    },
  }
}
