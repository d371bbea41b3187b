/**
 * Billed tokens per answer, as logarithms because lengths differ by factors: the default of the prompt's kind, what all
 * answers of the router are longer, those of this kind in particular, and the model's own verbosity. The first three are
 * shared by the router's models, so that a model without answers is compared at the length that answers have here.
 */
import { unreadDifficulty } from '../../../shared/models/quality-scale.ts'
import { topicNames } from '../../../shared/routers/topics.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { lnOutputOf, lnP90Prior, ratioAtDifficulty } from '../../routing/expected-output.ts'
import type { RouterFigures, Verbosity } from '../../storage/model-statistics.ts'

/** Answers assumed of each model, as long as the router's. */
const assumedAnswers = 5
/** Factor on an answer's weight in a model's verbosity, after each later one. */
const forgetting = 0.995
/** The least weights of an answer in what all answers and those of its kind are longer. */
const leastOfAll = 0.01
const leastOfKind = 0.02
/** The least step of the length that one answer in ten exceeds. */
const leastP90Step = 0.05

export interface AnswerLength {
  /** Billed tokens, reasoning included. */
  outputTokens: number
  /** Cut off at the request's limit; otherwise it would have been longer. */
  isCutOff: boolean
  /** Probability of each kind of prompt, in the order of `topicNames`. */
  shares: readonly number[]
  /** Difficulty of the prompt; null when it was not read. */
  difficulty: number | null
}

export const noRouterFigures: Readonly<RouterFigures> = routerFiguresAtFirst()

export function routerFiguresAtFirst(): RouterFigures {
  const zeros = () => topicNames.map(() => 0)
  return {
    answers: 0,
    lnLonger: 0,
    topics: { lnLonger: zeros(), answers: zeros() },
    looks: 0,
  }
}

export function verbosityAtFirst(): Verbosity {
  return { lnSum: 0, answers: 0 }
}

/** The expected lengths of a model's answers, in the order of `topicNames`. */
export function lnLengthsOf(
  { outputRatio }: Pick<Candidate, 'outputRatio'>,
  router: Readonly<RouterFigures>,
  model: Verbosity | null,
): number[] {
  const { lnLonger, topics } = router
  const ofAll = lnLonger + lnVerbosityOf(model)
  return lnOutputOf(outputRatio).map((ln, topic) => ln + (topics.lnLonger[topic] ?? 0) + ofAll)
}

function lnVerbosityOf(model: Verbosity | null): number {
  return model === null ? 0 : model.lnSum / (model.answers + assumedAnswers)
}

/**
 * Learns from one more answer, in place because every request calls it. The kinds share the error in
 * proportion to their probabilities (normalized least mean squares): a prompt that is certainly code changes
 * only code, and an unknown one changes all kinds equally.
 */
export function learnLength(
  { router, model }: { router: RouterFigures; model: Verbosity },
  { outputRatio }: Pick<Candidate, 'outputRatio'>,
  { outputTokens, isCutOff, shares, difficulty }: AnswerLength,
): void {
  const ratio = ratioAtDifficulty(outputRatio, difficulty ?? unreadDifficulty)
  const ln = Math.log(Math.max(1, outputTokens)) - Math.log(ratio / outputRatio)
  const before = overKinds(lnOutputOf(outputRatio), router, shares)
  const off = ln - before.ln - router.lnLonger - lnVerbosityOf(model)
  if (isCutOff && off < 0) return
  model.lnP90 = followP90(model, off)
  const ofAll = Math.max(leastOfAll, 1 / (router.answers + 1.5))
  const ofKind = (1 - ofAll) * Math.max(leastOfKind, 1 / (6 + before.answers))
  router.answers += 1
  router.lnLonger += ofAll * off
  for (let topic = 0; topic < shares.length; topic += 1) {
    const part = (shares[topic] ?? 0) / before.norm
    router.topics.lnLonger[topic] = (router.topics.lnLonger[topic] ?? 0) + ofKind * part * off
    router.topics.answers[topic] = (router.topics.answers[topic] ?? 0) + Math.min(1, part)
  }
  const { ln: after } = overKinds(lnOutputOf(outputRatio), router, shares)
  model.lnSum = forgetting * model.lnSum + ln - after - router.lnLonger
  model.answers = forgetting * model.answers + 1
}

export function lnP90Of(model: Verbosity | null): number {
  return model?.lnP90 ?? lnP90Prior
}

/**
 * A step up for a longer answer and a ninth of it down for others, so that one answer in ten stays longer.
 * @param off  logarithm of the answer's length by the expected one
 */
function followP90(model: Verbosity, off: number): number {
  const lnP90 = lnP90Of(model)
  const step = Math.max(leastP90Step, 1 / (model.answers + assumedAnswers))
  return Math.max(0, lnP90 + step * (off > lnP90 ? 0.9 : -0.1))
}

/** Means over the kinds of a prompt. `norm`: the sum of their squared probabilities */
function overKinds(
  lnDefaults: readonly number[],
  { topics }: RouterFigures,
  shares: readonly number[],
): { ln: number; answers: number; norm: number } {
  let ln = 0
  let answers = 0
  let norm = 0
  for (let topic = 0; topic < shares.length; topic += 1) {
    const share = shares[topic] ?? 0
    ln += ((lnDefaults[topic] ?? 0) + (topics.lnLonger[topic] ?? 0)) * share
    answers += (topics.answers[topic] ?? 0) * share
    norm += share * share
  }
  return { ln, answers, norm }
}
