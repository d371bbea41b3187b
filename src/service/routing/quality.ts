/**
 * The probability that a model's answer is acceptable: its rated ability less the prompt's difficulty, on the
 * logit. Your feedback moves it by the difference between the answers you judged good and those that were
 * expected to be good on the same prompts; the rating counts as a number of judged answers (empirical Bayes).
 * Uses the prompt's topic where it is clear, and all kinds of prompts where it is not. A topic with few
 * judgements leans on its domain, and a domain on the rating.
 */
import { domainNames } from '../../shared/app/domains.ts'
import {
  logitOf,
  logitOfPoints,
  sigmoid,
  unreadDifficulty,
} from '../../shared/models/quality-scale.ts'
import type { Estimate } from '../../shared/requests/detail.ts'
import { domainOfTopic, topicNames } from '../../shared/routers/topics.ts'
import { ownLogit, ownLogitOfTopic } from './fit-features.ts'
import { judgedVariance, priorVariance } from './quality-doubt.ts'
import type { FeedbackCounts, ModelKnowledge, PromptReading, QualityPrior } from './candidate.ts'

export interface QualityEstimate {
  /** 0 to 1. */
  quality: number
  /** Half the width of the 90 % interval. */
  halfWidth: number
  source: Estimate['qualitySource']
  /** The number of judged answers it is based on, without the prior. */
  samples: number
  /** Estimate by ratings alone, while few answers of the model were judged; null otherwise. */
  rated: Estimate['rated'] | null
}

/** What has been learned about a model's quality. */
type Learned = Pick<ModelKnowledge, 'feedback' | 'own'>

/** Confidence below the first value ignores the topic; from the second value on, only the topic counts. */
const unsureBelow = 0.35
const sureFrom = 0.7
/** The number of judged answers of a topic that weighs as much as its domain. */
const domainStrength = 10
/** 1.645 standard deviations on each side. */
const deviations90 = 1.645

/** Below as many judged answers, what ratings alone say still counts. */
const enoughJudged = 100

const topicCount = topicNames.length

/** @param reading  null: over all kinds of prompts */
export function estimateQuality(
  prior: QualityPrior,
  learned: Learned,
  reading: PromptReading | null,
): QualityEstimate {
  const shifts = learned.feedback && shiftsOf(prior, learned.feedback, learned.own)
  const samples = shifts?.samples ?? 0
  const difficulty = reading?.difficulty ?? unreadDifficulty
  const logit = logitOfPoints(prior.points) - difficulty + ownOfPrompt(learned.own, reading)
  const deviation = shifts && reading ? difficulty - shifts.difficulty : 0
  let quality = sigmoid(
    logit + (shifts?.overall ?? 0) + usualDeviation(deviation, samples, closeOverall),
  )
  let judged = samples
  const weight = reading ? clamp((reading.confidence - unsureBelow) / (sureFrom - unsureBelow)) : 0
  if (reading && weight > 0 && (shifts || prior.offsets)) {
    const ofTopics = shifts
      ? meanOfTopics(logit, reading, { offsets: prior.offsets, shifts })
      : { quality: sigmoid(logit + meanOffset(prior.offsets, reading.topics)), judged: 0 }
    quality = weight * ofTopics.quality + (1 - weight) * quality
    judged = weight * ofTopics.judged + (1 - weight) * judged
  }
  const halfWidth = halfWidthOf(quality, judged, doubtOf(prior, learned.own, reading))
  const rated = ratedBeside(prior, learned.own, reading)
  return { quality, halfWidth, source: sourceOf(samples, prior), samples, rated }
}

/** The variance of the logit before feedback. */
function doubtOf(
  prior: QualityPrior,
  own: ModelKnowledge['own'],
  reading: PromptReading | null,
): number {
  const topics = reading?.topics ?? null
  return own?.covariance ? judgedVariance(own.covariance, topics) : priorVariance(prior, topics)
}

/** @param judged  answers by feedback; each says p · (1 − p) about the logit */
function halfWidthOf(quality: number, judged: number, variance: number): number {
  const ofAnswer = quality * (1 - quality)
  return deviations90 * ofAnswer * Math.sqrt(1 / (1 / variance + judged * ofAnswer))
}

/** What ratings alone say. A few judged answers are often lucky: choices by them alone are worse (measured). */
function ratedBeside(
  prior: QualityPrior,
  own: ModelKnowledge['own'],
  reading: PromptReading | null,
): QualityEstimate['rated'] {
  if (own === null || own.judged >= enoughJudged) return null
  const { quality, halfWidth } = estimateQuality(prior, { feedback: null, own: null }, reading)
  return { quality, qualityHalfWidth: halfWidth, share: 1 - own.judged / enoughJudged }
}

/**
 * Adds one judged answer to the counts, shared among the likely topics of its prompt.
 * @param score  0 to 1. @param weight  how much the judgement counts; 1 is a thumb
 */
export function withJudgement(
  counts: FeedbackCounts | null,
  { topics, difficulty }: Pick<PromptReading, 'topics' | 'difficulty'>,
  { score, weight }: { score: number; weight: number },
): FeedbackCounts {
  const add = (to: readonly number[] | undefined, share: number) =>
    topics.map((probability, topic) => (to?.[topic] ?? 0) + probability * weight * share)
  return {
    good: add(counts?.good, score),
    bad: add(counts?.bad, 1 - score),
    difficulty: add(counts?.difficulty, difficulty),
  }
}

// ---- what the user's judged prompts say ------------------------------------------------------

function ownOfPrompt(own: ModelKnowledge['own'], reading: PromptReading | null): number {
  if (own === null) return 0
  const difficulty = reading?.difficulty ?? unreadDifficulty
  return ownLogit(own.coefficients, { topics: reading?.topics ?? null, difficulty })
}

function ownOfTopic(own: ModelKnowledge['own'], topic: number, difficulty: number): number {
  return own === null ? 0 : ownLogitOfTopic(own.coefficients, topic, difficulty)
}

// ---- what feedback says ----------------------------------------------------------------------

/** How much better the judged answers of a model are than expected, in logits. */
interface Shifts {
  /** The mean difficulty of all judged prompts. */
  difficulty: number
  overall: number
  byTopic: Float64Array
  /** The mean difficulty of the judged prompts. */
  difficulties: Float64Array
  /** The number of judged answers, by topic and of all topics. */
  judged: Float64Array
  samples: number
}

interface Basis {
  feedback: FeedbackCounts
  own: ModelKnowledge['own']
  shifts: Shifts
}

/** Shifts by prior, which each effort of a model has for itself. They change with the feedback, not with the prompt. */
const shiftsByPrior = new WeakMap<QualityPrior, Basis>()

function shiftsOf(
  prior: QualityPrior,
  feedback: FeedbackCounts,
  own: ModelKnowledge['own'],
): Shifts {
  const known = shiftsByPrior.get(prior)
  if (known && known.feedback === feedback && known.own === own) return known.shifts
  const shifts = computeShifts(prior, feedback, own)
  shiftsByPrior.set(prior, { feedback, own, shifts })
  return shifts
}

function computeShifts(
  prior: QualityPrior,
  feedback: FeedbackCounts,
  own: ModelKnowledge['own'],
): Shifts {
  const judged = new Float64Array(topicCount)
  const logits = new Float64Array(topicCount)
  const difficulties = new Float64Array(topicCount)
  const overall = new Tally()
  const domains = domainNames.map(() => new Tally())
  for (let topic = 0; topic < topicCount; topic += 1) {
    const good = feedback.good[topic] ?? 0
    const count = good + (feedback.bad[topic] ?? 0)
    const difficulty = meanDifficulty(feedback.difficulty[topic] ?? 0, count)
    const base = logitOfPoints(prior.points) + (prior.offsets?.[topic] ?? 0)
    const logit = base - difficulty + ownOfTopic(own, topic, difficulty)
    judged[topic] = count
    difficulties[topic] = difficulty
    logits[topic] = logit
    const expected = count * sigmoid(logit)
    overall.add(good, count, expected)
    domains[domainOfTopic[topic] ?? 0]?.add(good, count, expected)
  }
  const ofDomains = domains.map((tally) => tally.shift(prior.strength))
  const byTopic = logits.map((logit, topic) => {
    const ofDomain = ofDomains[domainOfTopic[topic] ?? 0] ?? 0
    const tally = new Tally()
    const count = judged[topic] ?? 0
    tally.add(feedback.good[topic] ?? 0, count, count * sigmoid(logit + ofDomain))
    return ofDomain + tally.shift(domainStrength)
  })
  return {
    difficulty: meanDifficulty(sumOf(feedback.difficulty), overall.judged),
    overall: overall.shift(prior.strength),
    byTopic,
    difficulties,
    judged,
    samples: overall.judged,
  }
}

/** Judged answers beside the number of good ones that was expected. */
class Tally {
  judged = 0
  #good = 0
  #expected = 0

  add(good: number, judged: number, expected: number): void {
    this.#good += good
    this.judged += judged
    this.#expected += expected
  }

  /** Logits from the expectation to its value when it counts as `strength` answers; 0 without judgements. */
  shift(strength: number): number {
    if (this.judged < leastJudged) return 0
    const expected = this.#expected / this.judged
    const mean = (strength * expected + this.#good) / (strength + this.judged)
    return logitOf(mean) - logitOf(expected)
  }
}

/** Fewest judgements; less is a rounding error of withdrawn feedback. */
const leastJudged = 1e-6

function meanDifficulty(sum: number, judged: number): number {
  return judged < leastJudged ? unreadDifficulty : sum / judged
}

/** Mean offset over the topics. Without feedback, topics differ little: one logit for all is as good, and quicker. */
function meanOffset(offsets: QualityPrior['offsets'], topics: readonly number[]): number {
  let sum = 0
  for (let topic = 0; topic < topicCount; topic += 1) {
    sum += (offsets?.[topic] ?? 0) * (topics[topic] ?? 0)
  }
  return sum
}

/** Difficulties that differ by less are hardly told apart: within a topic, and among all prompts. */
const closeInTopic = 1
const closeOverall = 0.5

/**
 * The part of a prompt's distance from the usual difficulty of judged prompts that does not count. Difficulty tells kinds of
 * prompts apart, and prompts of one kind only where they differ much: judged answers say more.
 */
function usualDeviation(deviation: number, judged: number, close: number): number {
  const limit = (close * judged) / (judged + domainStrength)
  return Math.min(limit, Math.max(-limit, deviation))
}

/** The topics' qualities and judged answers, weighted by their probabilities for the prompt. */
function meanOfTopics(
  logit: number,
  { topics, difficulty }: PromptReading,
  { offsets, shifts }: { offsets: QualityPrior['offsets']; shifts: Shifts },
): { quality: number; judged: number } {
  let quality = 0
  let judged = 0
  for (let topic = 0; topic < topicCount; topic += 1) {
    const probability = topics[topic] ?? 0
    const count = shifts.judged[topic] ?? 0
    const deviation = difficulty - (shifts.difficulties[topic] ?? difficulty)
    const shift = (offsets?.[topic] ?? 0) + (shifts.byTopic[topic] ?? 0)
    quality += probability * sigmoid(logit + shift + usualDeviation(deviation, count, closeInTopic))
    judged += probability * count
  }
  return { quality, judged }
}

function sourceOf(samples: number, { strength, basis }: QualityPrior): Estimate['qualitySource'] {
  if (samples === 0) return basis === 'rated' ? 'prior' : basis
  return samples < strength ? 'blend' : 'learned'
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
