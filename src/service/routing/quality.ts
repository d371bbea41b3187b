/**
 * How likely an answer of a model is to be acceptable: published figures as so many judged answers
 * (empirical Bayes), to which the feedback given here is added. By the prompt's topic where that is
 * clear, over all kinds where it is not. A topic with few judgements leans on its domain, a domain on
 * what is published.
 */
import { domainNames } from '../../shared/domains.ts'
import type { Estimate } from '../../shared/request-detail.ts'
import { domainOfTopic, topicNames } from '../../shared/topics.ts'
import type { FeedbackCounts, PromptReading, QualityPrior } from './candidate.ts'

export interface QualityEstimate {
  /** 0 to 1. */
  quality: number
  /** Of the interval that holds the true value 9 times in 10, as the counts have it. */
  halfWidth: number
  source: Estimate['qualitySource']
  /** Judged answers behind it, without the prior's. */
  samples: number
}

/** Below the first the topic is not believed, from the second on nothing else is. */
const unsureBelow = 0.35
const sureFrom = 0.7
/** So many judged answers of a topic weigh as much as all that is known of its domain. */
const domainStrength = 10
/** 1.645 standard deviations to each side. */
const deviations90 = 1.645

/** A mean and how many judged answers it is worth. */
interface Belief {
  mean: number
  strength: number
}

/**
 * @param feedback  null where none counts
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
 * The counts with one more judged answer, shared among the topics its prompt may be of.
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

/** The topics' beliefs, weighted by how likely the prompt is of each. */
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
