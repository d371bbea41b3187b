/** What judged prompts taught, for the report: the fitted quality of each model with its interval, by topic. */
import type { Router } from '../../shared/entities.ts'
import { sigmoid } from '../../shared/models/quality-scale.ts'
import { topicNames, type Topic } from '../../shared/routers/topics.ts'
import type { LearnedGroup, LearnedModel } from '../../shared/tuning/tuning-run.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { Candidate, ModelFit } from '../routing/candidate.ts'
import { fitFeatures } from '../routing/fit-features.ts'
import { fitOwn } from '../routing/own-knowledge.ts'
import { teaches, type JudgedPromptStore } from '../storage/judged-prompt-store.ts'
import { logitDeviations, type FitPrompt } from '../routing/quality-fit.ts'

/** A topic with fewer graded answers of a model is not shown as learned. */
export const leastLearned = 10
const deviations90 = 1.645

export interface LearnedSources {
  judgedPrompts: Pick<JudgedPromptStore, 'list'>
  routers(): ReadonlyMap<string, Router>
  candidatesOf(router: Router): Candidate[]
}

/** What the router expects of its models now, from all runs and samples that apply to it; null without the router. */
export async function learnedByRouter(
  routerId: string,
  { judgedPrompts, routers, candidatesOf }: LearnedSources,
): Promise<LearnedModel[] | null> {
  const router = routers().get(routerId)
  if (!router) return null
  const judged = (await judgedPrompts.list()).filter((prompt) => teaches(prompt, routerId))
  return learnedQuality(judged, candidatesOf(router))
}

/** @param judged  those that apply to the router. @returns models of the router that have graded answers */
export function learnedQuality(
  judged: readonly JudgedPrompt[],
  candidates: readonly Candidate[],
): LearnedModel[] {
  const priorOf = (id: string) => candidates.find(({ modelId }) => modelId === id)?.quality ?? null
  const { fit, fitted, isRated } = fitOwn({ prompts: judged, weightOf: () => 1, priorOf })
  return candidates.flatMap(({ modelId }) => {
    const ofModel = fit.models.get(modelId)
    return ofModel ? learnedModel(modelId, { ...ofModel, isRated: isRated(modelId) }, fitted) : []
  })
}

function learnedModel(
  model: string,
  fit: ModelFit & { isRated: boolean },
  prompts: readonly FitPrompt[],
): LearnedModel {
  const answers = prompts.flatMap((prompt) => answerOf(prompt, model, fit.coefficients) ?? [])
  const deviationOf = logitDeviations(prompts, model, fit)
  const topics = topicNames
    .map((topic) => ({ topic, ofTopic: answers.filter((answer) => answer.topic === topic) }))
    .filter(({ ofTopic }) => ofTopic.length > 0)
    .toSorted((a, b) => b.ofTopic.length - a.ofTopic.length)
  const learned = topics.filter(({ ofTopic }) => ofTopic.length >= leastLearned)
  return {
    model,
    groups: [
      groupOf(null, answers, deviationOf),
      ...learned.map(({ topic, ofTopic }) => groupOf(topic, ofTopic, deviationOf)),
    ],
    topicsNotLearned: topics.length - learned.length,
  }
}

interface FittedAnswer {
  topic: Topic | undefined
  features: Float64Array
  /** Logits. */
  before: number
  now: number
}

/** @returns null when the model's answer has no grade */
function answerOf(
  prompt: FitPrompt,
  model: string,
  coefficients: readonly number[],
): FittedAnswer | null {
  const answer = prompt.answers.find(({ modelId, grade }) => modelId === model && grade !== null)
  if (!answer) return null
  const features = fitFeatures(prompt)
  const own = features.reduce((sum, value, at) => sum + value * (coefficients[at] ?? 0), 0)
  const { topics } = prompt
  return {
    topic: topicNames[topics.indexOf(Math.max(...topics))],
    features,
    before: answer.startLogit,
    now: answer.startLogit + own,
  }
}

/** The interval moves the logits of all its prompts together. */
function groupOf(
  topic: Topic | null,
  answers: readonly FittedAnswer[],
  deviationOf: (features: Float64Array) => number,
): LearnedGroup {
  const mean = (of: (answer: FittedAnswer) => number) =>
    answers.reduce((sum, answer) => sum + of(answer), 0) / answers.length
  const size = answers[0]?.features.length ?? 0
  const features = Float64Array.from({ length: size }, (_value, at) =>
    mean((answer) => answer.features[at] ?? 0),
  )
  const spread = deviations90 * deviationOf(features)
  const qualityAt = (shift: number) => mean(({ now }) => sigmoid(now + shift))
  return {
    topic,
    answers: answers.length,
    before: mean(({ before }) => sigmoid(before)),
    now: { low: qualityAt(-spread), mean: qualityAt(0), high: qualityAt(spread) },
  }
}
