/**
 * Everything that judged prompts teach: what models are better or worse at than rated, and how to recognise the
 * user's kinds of prompts. It is computed from the stored rows and is not stored itself, so new ratings, new rows
 * and deleted rows take effect at once. A router learns from the rows that apply to it, whichever router they are of.
 */
import { logitOf } from '../../shared/models/quality-scale.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { ModelFit, PromptReading, QualityPrior } from './candidate.ts'
import { domainShares, learnKinds, topicsOfNamed, type OwnKinds } from './own-kinds.ts'
import { estimateQuality } from './quality.ts'
import { fitQuality, type FitPrompt, type QualityFit } from './quality-fit.ts'

export interface OwnKnowledge {
  fit: QualityFit
  /** Null when no prompt has a named kind. */
  kinds: OwnKinds | null
}

export interface OwnSources {
  prompts: readonly JudgedPrompt[]
  /** How much a row counts by its age, 0 to 1. */
  weightOf(prompt: JudgedPrompt): number
  /** The model's present rating; null for a model that is no longer in use. */
  priorOf(modelId: string): QualityPrior | null
}

export const nothingOwn: OwnKnowledge = {
  fit: { common: null, models: new Map() },
  kinds: null,
}

export function learnOwn(sources: OwnSources): OwnKnowledge {
  if (sources.prompts.length === 0) return nothingOwn
  const { fit, kinds } = fitOwn(sources)
  return { fit, kinds }
}

/** Learns as `learnOwn` does, and also returns the prompts as they were fitted, for the report of a run. */
export function fitOwn({ prompts, weightOf, priorOf }: OwnSources): OwnKnowledge & {
  fitted: readonly FitPrompt[]
  isRated(modelId: string): boolean
} {
  const isRated = (modelId: string) => (priorOf(modelId)?.basis ?? 'rated') === 'rated'
  const weighted = prompts.map((prompt) => ({ ...prompt, weight: weightOf(prompt) }))
  const kinds = learnKinds(weighted)
  const toFit = (prompt: JudgedPrompt & { weight: number }): FitPrompt => {
    const topics = topicsOfNamed(prompt, kinds)
    return { ...prompt, topics, answers: startedAnew({ ...prompt, topics }, priorOf) }
  }
  const fitted = weighted.map(toFit)
  return { fit: fitQuality(fitted, isRated), kinds, fitted, isRated }
}

/** The fit of a model; the common one for a model without judged answers. */
export function fitOf({ fit }: OwnKnowledge, modelId: string): ModelFit | null {
  return fit.models.get(modelId) ?? fit.common
}

type StartReading = Pick<JudgedPrompt, 'difficulty' | 'confidence' | 'answers'> & {
  topics: readonly number[]
}

/** The answers with the logits that present ratings expect; as stored for models that are no longer in use. */
function startedAnew(
  { topics, difficulty, confidence, answers }: StartReading,
  priorOf: OwnSources['priorOf'],
): JudgedPrompt['answers'] {
  const reading = { topics, domains: domainShares(topics), difficulty, confidence, gain: 0 }
  return answers.map((answer) => {
    const prior = priorOf(answer.modelId)
    return prior ? { ...answer, startLogit: startLogit(prior, reading) } : answer
  })
}

/** The logit of the quality that is expected before anything was judged. */
export function startLogit(prior: QualityPrior, reading: PromptReading | null): number {
  return logitOf(estimateQuality(prior, { feedback: null, own: null }, reading).quality)
}
