/**
 * How likely an answer of a model is to be acceptable: published figures as so many judged answers
 * (empirical Bayes), to which the feedback given here is added. By domain where the prompt's kind is
 * clear, over all kinds where it is not.
 */
import { domainNames } from '../../shared/domains.ts'
import type { Estimate } from '../../shared/request-detail.ts'
import type { FeedbackCounts, PromptReading, QualityPrior } from './candidate.ts'

export interface QualityEstimate {
  /** 0 to 1. */
  quality: number
  /** Of the interval that holds the true value 9 times in 10, as the counts have it. */
  halfWidth: number
  source: Estimate['qualitySource']
}

/** Below the first the domain is not believed, from the second on nothing else is. */
const unsureBelow = 0.35
const sureFrom = 0.7
/** 1.645 standard deviations to each side. */
const deviations90 = 1.645

/** @param feedback  null where none counts. @param reading  null: over all kinds of prompts */
export function estimateQuality(
  prior: QualityPrior,
  feedback: FeedbackCounts | null,
  reading: PromptReading | null,
): QualityEstimate {
  const good = feedback ? sum(feedback.good) : 0
  const judged = feedback ? good + sum(feedback.bad) : 0
  const overall = posterior(prior.mean, prior.strength, { good, judged })
  const weight = reading ? clamp((reading.confidence - unsureBelow) / (sureFrom - unsureBelow)) : 0
  let quality = overall * (1 - weight)
  let strength = (prior.strength + judged) * (1 - weight)
  if (reading && weight > 0) {
    for (const [index, domain] of domainNames.entries()) {
      const share = weight * (reading.domains[index] ?? 0)
      const goodHere = feedback?.good[index] ?? 0
      const judgedHere = goodHere + (feedback?.bad[index] ?? 0)
      const mean = prior.byDomain[domain] ?? prior.mean
      quality += share * posterior(mean, prior.strength, { good: goodHere, judged: judgedHere })
      strength += share * (prior.strength + judgedHere)
    }
  }
  const halfWidth = deviations90 * Math.sqrt((quality * (1 - quality)) / (strength + 1))
  return { quality, halfWidth, source: sourceOf(judged, prior.strength) }
}

interface Counts {
  good: number
  judged: number
}

function posterior(mean: number, strength: number, { good, judged }: Counts): number {
  return (strength * mean + good) / (strength + judged)
}

function sourceOf(judged: number, strength: number): Estimate['qualitySource'] {
  if (judged === 0) return 'prior'
  return judged < strength ? 'blend' : 'learned'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
