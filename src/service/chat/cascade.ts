/**
 * A router's cascade: cheap models are asked first, whole, and their answers checked; the first that
 * passes is given. An option of a router; measured on published answers (study of this project), two
 * comparable cheap models that agree, else the strong one, keep the strong one's quality for 45 to 55 %
 * less on multiple choice and short answers, and save little where they seldom agree.
 */
import { ServiceError } from '../errors.ts'
import type { ProviderError } from '../providers/provider.ts'
import { whyNotAccepted, type Judging } from '../routing/acceptance.ts'
import type { Candidate } from '../routing/candidate.ts'
import { attemptWhole, type AttemptsOptions } from './attempts.ts'
import type { PlannedTier } from './chat-call.ts'
import type { WholeAnswer } from './collect.ts'
import { matchesSchema } from './json-schema.ts'

export interface CascadeOptions extends AttemptsOptions {
  /** In place of `onFailure`, of an answer asked for whole. */
  onTierFailed(candidate: Candidate, error: ProviderError): void
  /** In place of `onSuccess`: paid for, and whether it is given is not known yet. */
  onTierAnswered(candidate: Candidate, answer: WholeAnswer): void
  /** @param reason  why the answer was not accepted; null: it was */
  onJudged(candidate: Candidate, reason: string | null): void
  /** It was cut off, since its tier had failed without it. */
  onTierLost(candidate: Candidate): void
}

interface Asked {
  candidate: Candidate
  /** Null where there is none; why was told already. */
  answer: WholeAnswer | null
}

export interface Accepted {
  candidate: Candidate
  answer: WholeAnswer
}

/**
 * Asks tier after tier until an answer is accepted; null when none was: the router's own order is next.
 * @throws the signal's reason on abort
 */
export async function askTiers(
  tiers: readonly PlannedTier[],
  body: Judging['body'],
  options: CascadeOptions,
): Promise<Accepted | null> {
  for (const tier of tiers) {
    const accepted = await askTier(tier, body, options)
    if (accepted) return accepted
  }
  return null
}

async function askTier(
  tier: PlannedTier,
  body: Judging['body'],
  options: CascadeOptions,
): Promise<Accepted | null> {
  const { record } = tier
  const away = tier.candidates.find((candidate) => !isReady(candidate, options))
  if (away) {
    Object.assign(record, {
      outcome: 'passed_over',
      reason: `${away.modelId} is not asked just now`,
    })
    return null
  }
  const asked = await askAll(tier.candidates, options)
  const reason = whyNot(tier, asked, body)
  Object.assign(record, { outcome: reason === null ? 'accepted' : 'not_accepted', reason })
  const answered = asked.flatMap(({ candidate, answer }) => (answer ? [{ candidate, answer }] : []))
  for (const { candidate } of answered) options.onJudged(candidate, reason)
  return reason === null ? (answered[0] ?? null) : null
}

/** A tier is there to save; nobody is tried before its time for it. */
function isReady(candidate: Candidate, options: CascadeOptions): boolean {
  const { kind } = options.deployments.standing(candidate.modelId)
  return kind === 'ready' && options.outageOf(candidate) === null
}

function whyNot(
  { accept }: PlannedTier,
  asked: readonly Asked[],
  body: Judging['body'],
): string | null {
  const answers = asked.flatMap(({ answer }) => (answer ? [answer.choices] : []))
  if (answers.length < asked.length) return 'a model of the tier did not answer'
  return whyNotAccepted(accept, answers, { body, matchesSchema })
}

/** All at the same time; when one fails, the others are cut off: the tier cannot be accepted any more. */
async function askAll(
  candidates: readonly Candidate[],
  options: CascadeOptions,
): Promise<readonly Asked[]> {
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const ask = async (candidate: Candidate): Promise<Asked> => {
    try {
      const { answer } = await attemptWhole(hopOf(candidate, signal, options))
      options.onTierAnswered(candidate, answer)
      return { candidate, answer }
    } catch (error) {
      options.signal.throwIfAborted()
      const isCut = over.signal.aborted
      over.abort()
      if (isCut) options.onTierLost(candidate)
      else if (!(error instanceof ServiceError)) throw error
      return { candidate, answer: null }
    }
  }
  return await Promise.all(candidates.map(ask))
}

/** One model asked for a whole answer, with nobody to fall over to. */
function hopOf(
  candidate: Candidate,
  signal: AbortSignal,
  options: CascadeOptions,
): AttemptsOptions {
  return {
    candidates: [candidate],
    isStreamed: false,
    hedge: null,
    signal,
    deployments: options.deployments,
    providerOf: (one) => options.providerOf(one),
    outageOf: (one) => options.outageOf(one),
    timeLimitsOf: (one) => options.timeLimitsOf(one),
    requestFor: (one) => options.requestFor(one),
    onAttempt: (one) => options.onAttempt(one),
    onFailure: (one, error) => options.onTierFailed(one, error),
    // `onTierAnswered` is told with the answer.
    onSuccess: () => undefined,
    onRaceWon: () => undefined,
    clock: () => options.clock(),
    onBug: (error) => options.onBug(error),
  }
}
