/** What the difficulty head learns from: the files' prompts with rated models, and the graded prompts. */
import {
  difficultyFeatureNames,
  fillDifficultyFeatures,
} from '../../src/service/routing/prompt/difficulty-features.ts'
import { readInstruction } from '../../src/service/routing/prompt/instruction-features.ts'
import { readFeatures } from '../../src/service/routing/prompt/prompt-features.ts'
import type { TopicWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import { readTopics } from '../../src/service/routing/prompt/topic-head.ts'
import { logitOfPoints } from '../../src/shared/models/quality-scale.ts'
import type { DataFile } from './data-file.ts'
import type { Grade, GradedPrompt } from '../graded/graded-prompts.ts'
import { poolRating } from './pool-ratings.ts'
import type { DifficultyFeatures, GradedFeatures, ScoredPrompt } from './difficulty-loss.ts'

/** A model of 1300 points answers 96, 88, 73, 50 and 27 % of such prompts well. */
export const difficultyOfGrade: Readonly<Record<Grade, number>> = {
  1: -3.2,
  2: -2,
  3: -1,
  4: 0,
  5: 1,
}
/** Probability of a right answer by chance, by the beginning of a file's name: ten options, and four. */
const chances: readonly (readonly [start: string, chance: number])[] = [
  ['mmlu_pro', 0.1],
  ['routellm_mmlu', 0.25],
]

export function difficultyFeatures(prompt: string, topics: TopicWeights): DifficultyFeatures {
  const { dense: instruction, stems } = readInstruction(prompt)
  const features = readFeatures({ lastUser: prompt, system: '' })
  const values = fillDifficultyFeatures(new Float64Array(difficultyFeatureNames.length), {
    instruction,
    topics: readTopics(topics, features).topics,
    form: features.dense,
  })
  return { values, stems }
}

/** Prompts that no rated model was asked are left out. */
export function scoredPrompts(file: DataFile, topics: TopicWeights): ScoredPrompt[] {
  const [, chance] = chances.find(([start]) => file.name.startsWith(start)) ?? ['', 0]
  const rows = file.kind === 'pair' ? file.rows.map(ofPair) : file.rows
  return rows.flatMap(({ prompt, scores }) => {
    const rated = Object.entries(scores).flatMap(([model, score]) => {
      const rating = poolRating(file.name, model)
      return rating ? [{ logit: logitOfPoints(rating.points), score }] : []
    })
    if (rated.length === 0) return []
    return [
      {
        ...difficultyFeatures(prompt, topics),
        file: file.name,
        logits: rated.map(({ logit }) => logit),
        scores: rated.map(({ score }) => score),
        chance,
      },
    ]
  })
}

export function gradedFeatures(
  prompts: readonly GradedPrompt[],
  topics: TopicWeights,
): GradedFeatures[] {
  return prompts.map(({ prompt, grade }) => ({
    ...difficultyFeatures(prompt, topics),
    difficulty: difficultyOfGrade[grade],
  }))
}

function ofPair({ prompt, weak, strong }: { prompt: string; weak: number; strong: number }) {
  return { prompt, scores: { weak, strong } }
}
