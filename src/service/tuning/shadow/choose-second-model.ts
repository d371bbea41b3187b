/** Chooses the model that is asked as well: the one about which the sample teaches most. */
import { familyOf } from '../../../shared/models/model-family.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type { JudgedPrompt } from '../../../shared/tuning/tuning.ts'
import { topicNames, type Topic } from '../../../shared/routers/topics.ts'
import type { Candidate } from '../../routing/candidate.ts'

export interface SecondModelOptions {
  /** The model that answered. */
  model: string
  decision: DecisionRecord
  judge: string
  candidates: readonly Candidate[]
  /** Whether it can be asked now. */
  isUsable(candidate: Candidate): boolean
  /** Topics of the prompt. */
  topics: readonly number[]
  /** Those of the router, whichever they apply to, and those of others that apply to it. */
  judged: readonly JudgedPrompt[]
  /** Random number from 0 to below 1. */
  random(): number
}

/**
 * Chooses, among the models that the decision allowed, the one with the fewest judged prompts of the topic; at random
 * among equals. Models on this computer are left out, because they would slow down the caller's next requests.
 * @returns null when there is none
 */
export function chooseSecondModel(options: SecondModelOptions): Candidate | null {
  const { model, decision, judge, candidates, isUsable, random } = options
  const allowed = decision.ranked.filter((one) => one.model !== model && one.effort === undefined)
  const others = candidates.filter(
    (candidate) =>
      allowed.some((one) => one.model === candidate.modelId) &&
      familyOf(candidate.modelId) !== familyOf(judge) &&
      !candidate.isLocal &&
      isUsable(candidate),
  )
  const counts = others.map((candidate) => countJudged(candidate, options))
  const fewest = Math.min(...counts)
  const least = others.filter((_candidate, index) => counts[index] === fewest)
  return least[Math.floor(random() * least.length)] ?? null
}

/**
 * Whether the answer can be graded. Judged prompts are about models at their provider's default reasoning effort, so
 * an answer at an effort that the router chose is left out. So is one of a model that the caller named.
 */
export function isGradable({
  model,
  decision,
  judge,
}: Pick<SecondModelOptions, 'model' | 'decision' | 'judge'>): boolean {
  if (decision.strategy === 'pinned' || familyOf(model) === familyOf(judge)) return false
  return decision.ranked.find((one) => one.model === model)?.effort === undefined
}

function countJudged({ modelId }: Candidate, { topics, judged }: SecondModelOptions): number {
  const topic = mostLikely(topics)
  return judged.filter(
    (prompt) =>
      (prompt.kind ?? mostLikely(prompt.topics)) === topic &&
      prompt.answers.some((answer) => answer.modelId === modelId && answer.grade !== null),
  ).length
}

function mostLikely(topics: readonly number[]): Topic | undefined {
  return topicNames[topics.indexOf(Math.max(...topics))]
}
