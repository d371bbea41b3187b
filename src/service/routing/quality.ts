/**
 * The probability that a model's answer is acceptable: published figures count as a number of judged answers
 * (empirical Bayes), to which your feedback is added. Uses the prompt's topic where it is clear, and all
 * kinds of prompts where it is not. A topic with few judgements leans on its domain, and a domain on the
 * published figures.
 */
import { domainNames } from '../../shared/domains.ts'
import type { Estimate } from '../../shared/request-detail.ts'
import { domainOfTopic, topicNames } from '../../shared/topics.ts'
import type { FeedbackCounts, PromptReading, QualityPrior } from './candidate.ts'

export interface QualityEstimate {
  /** 0 to 1. */
  quality: number
  /** Half the width of the 90 % interval, from the counts. */
  halfWidth: number
  source: Estimate['qualitySource']
  /** The number of judged answers it is based on, without the prior. */
  samples: number
}

/** Confidence below the first value ignores the topic; from the second value on, only the topic counts. */
const unsureBelow = 0.35
const sureFrom = 0.7
/** The number of judged answers of a topic that weighs as much as its domain. */
const domainStrength = 10
/** 1.645 standard deviations on each side. */
const deviations90 = 1.645

/** A mean and the number of judged answers it weighs as much as. */
interface Belief {
  mean: number
  strength: number
}

/**
 * @param feedback  null when it does not count
 * @param reading  null: over all kinds of prompts
 */
export function estimateQuality(
  prior: QualityPrior,
  feedback: FeedbackCounts | null,
  reading: PromptReading | null,
): QualityEstimate {
  const good = feedback ? sum(feedback.good) : 0
  const samples = feedback ? good + sum(feedback.bad) : 0
  const overall = posterior(prior, good, samples)
  const weight = reading ? clamp((reading.confidence - unsureBelow) / (sureFrom - unsureBelow)) : 0
  const { mean: quality, strength } =
    reading && weight > 0
      ? mixed(ofTopics(reading.topics, prior, feedback), overall, weight)
      : overall
  const halfWidth = deviations90 * Math.sqrt((quality * (1 - quality)) / (strength + 1))
  return { quality, halfWidth, source: sourceOf(samples, prior.strength), samples }
}

/**
 * Adds one judged answer to the counts, shared among the likely topics of its prompt.
 * @param score  0 to 1. @param weight  how much the judgement counts; 1 is a thumb
 */
export function withJudgement(
  counts: FeedbackCounts | null,
  { topics }: Pick<PromptReading, 'topics'>,
  { score, weight }: { score: number; weight: number },
): FeedbackCounts {
  const add = (to: readonly number[] | undefined, share: number) =>
    topics.map((probability, topic) => (to?.[topic] ?? 0) + probability * weight * share)
  return { good: add(counts?.good, score), bad: add(counts?.bad, 1 - score) }
}

/** The topics' estimates, weighted by their probabilities for the prompt. */
function ofTopics(
  topics: readonly number[],
  prior: QualityPrior,
  feedback: FeedbackCounts | null,
): Belief {
  const byDomain = beliefsOfDomains(prior, feedback)
  let mean = 0
  let strength = 0
  for (let topic = 0; topic < topicNames.length; topic += 1) {
    const probability = topics[topic] ?? 0
    const good = feedback?.good[topic] ?? 0
    const judged = good + (feedback?.bad[topic] ?? 0)
    const domain = byDomain[domainOfTopic[topic] ?? 0] ?? prior
    const leaning = posterior({ mean: domain.mean, strength: domainStrength }, good, judged)
    mean += probability * leaning.mean
    strength += probability * (prior.strength + judged)
  }
  return { mean, strength }
}

function beliefsOfDomains(prior: QualityPrior, feedback: FeedbackCounts | null): Belief[] {
  const good = domainNames.map(() => 0)
  const judged = domainNames.map(() => 0)
  if (feedback) {
    for (let topic = 0; topic < topicNames.length; topic += 1) {
      const domain = domainOfTopic[topic] ?? 0
      const goodHere = feedback.good[topic] ?? 0
      good[domain] = (good[domain] ?? 0) + goodHere
      judged[domain] = (judged[domain] ?? 0) + goodHere + (feedback.bad[topic] ?? 0)
    }
  }
  return domainNames.map((domain, index) =>
    posterior(
      { mean: prior.byDomain[domain] ?? prior.mean, strength: prior.strength },
      good[index] ?? 0,
      judged[index] ?? 0,
    ),
  )
}

function posterior({ mean, strength }: Belief, good: number, judged: number): Belief {
  return { mean: (strength * mean + good) / (strength + judged), strength: strength + judged }
}

function mixed(a: Belief, b: Belief, weight: number): Belief {
  const between = (one: number, other: number) => weight * one + (1 - weight) * other
  return { mean: between(a.mean, b.mean), strength: between(a.strength, b.strength) }
}

function sourceOf(samples: number, strength: number): Estimate['qualitySource'] {
  if (samples === 0) return 'prior'
  return samples < strength ? 'blend' : 'learned'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
