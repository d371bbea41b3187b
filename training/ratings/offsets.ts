/**
 * The kinds of prompts at which a model is better or worse than its points, by topic. Categories predict this only
 * weakly, so they have a small weight, and Arena's an even smaller one: with full weight, choices became worse
 * (docs/models.md).
 */
import type { EffortRating } from '../../src/shared/models/model-facts.ts'
import { topicNames, type Topic } from '../../src/shared/routers/topics.ts'
import type { ArenaCategory, ArenaTable } from './arena.ts'
import {
  liveBenchCategories,
  logitOfShare,
  type LiveBenchCategory,
  type LiveBenchRow,
} from './livebench.ts'
import { fitLine, mean } from './statistics.ts'

export type Offsets = EffortRating['offsets']

const liveBenchWeight = 0.3
const arenaWeight = 0.1
/** A point of LMArena in logits, as the study fitted it. */
const logitPerPoint = 0.0131
/** Weaker models would bend the line of a category on the overall rating. */
const leastPoints = 1250
/** 1.96 standard errors are half of a 95 % interval. */
const errorsPerHalfWidth = 1.96

/** Categories that contain the topic's kind of work. */
const liveBenchOf: Readonly<Partial<Record<Topic, LiveBenchCategory>>> = {
  conversation: 'IF',
  writing: 'IF',
  transformation: 'IF',
  code_editing: 'Coding',
  code_writing: 'Coding',
  code_tracing: 'Coding',
  computer_science: 'Coding',
  word_problems: 'Mathematics',
  formal_maths: 'Mathematics',
  logic_puzzles: 'Reasoning',
  extraction: 'Data Analysis',
}
const arenaOf: Readonly<Partial<Record<Topic, ArenaCategory>>> = {
  conversation: 'if',
  writing: 'creative_writing',
  transformation: 'if',
  code_editing: 'coding',
  code_writing: 'coding',
  code_tracing: 'coding',
  computer_science: 'coding',
  word_problems: 'math',
  formal_maths: 'math',
  physics: 'industry_life_and_physical_and_social_science',
  chemistry: 'industry_life_and_physical_and_social_science',
  biology: 'industry_life_and_physical_and_social_science',
  medicine: 'industry_medicine_and_healthcare',
  everyday_science: 'industry_life_and_physical_and_social_science',
  research_science: 'industry_life_and_physical_and_social_science',
  law: 'industry_legal_and_government',
  business: 'industry_business_and_management_and_financial_operations',
  economics: 'industry_business_and_management_and_financial_operations',
  psychology: 'industry_life_and_physical_and_social_science',
  history: 'industry_writing_and_literature_and_language',
  philosophy: 'industry_writing_and_literature_and_language',
}

/** Residuals by model name and category, in logits. */
export type Residuals<Category> = ReadonlyMap<string, ReadonlyMap<Category, number>>

/** The logit of a category, less that of the same model's others and of the other models' same category. */
export function liveBenchResiduals(
  rows: ReadonlyMap<string, LiveBenchRow>,
): ReadonlyMap<LiveBenchRow, ReadonlyMap<LiveBenchCategory, number>> {
  const usual = new Map(
    liveBenchCategories.map((category) => {
      const shares = [...rows.values()].flatMap(({ categories }) => categories.get(category) ?? [])
      return [category, shares.length === 0 ? 0 : mean(shares.map(logitOfShare))]
    }),
  )
  return new Map(
    [...rows.values()].map((row) => {
      const above = [...row.categories].map(([category, share]): [LiveBenchCategory, number] => [
        category,
        logitOfShare(share) - (usual.get(category) ?? 0),
      ])
      const level = mean(above.map(([, value]) => value))
      return [row, new Map(above.map(([category, value]) => [category, value - level]))]
    }),
  )
}

/** Around the line of each category on the overall rating, shrunk by how uncertain each figure is. */
export function arenaResiduals({ overall, categories }: ArenaTable): Residuals<ArenaCategory> {
  const found = new Map<string, Map<ArenaCategory, number>>()
  for (const [category, figures] of categories as ReadonlyMap<ArenaCategory, typeof overall>) {
    const rated = [...figures].flatMap(([name, figure]) => {
      const whole = overall.get(name)
      return whole && whole.points > leastPoints ? [{ name, figure, whole }] : []
    })
    const line = fitLine(rated.map(({ figure, whole }) => [whole.points, figure.points] as const))
    const errorOf = (halfWidth: number) => (halfWidth / errorsPerHalfWidth) ** 2
    const noise =
      rated.length === 0 ? 0 : mean(rated.map(({ figure }) => errorOf(figure.halfWidth)))
    const spread = Math.max(0, line.residual ** 2 - noise)
    for (const { name, figure, whole } of rated) {
      const residual = figure.points - (line.intercept + line.slope * whole.points)
      const shrunk = (residual * spread) / (spread + errorOf(figure.halfWidth) || 1)
      const ofModel = found.get(name) ?? new Map<ArenaCategory, number>()
      found.set(name, ofModel.set(category, shrunk * logitPerPoint))
    }
  }
  return found
}

/** Three decimals; topics that no source tells apart, and offsets that round to nothing, are absent. */
export function offsetsOf(
  liveBench: ReadonlyMap<LiveBenchCategory, number> | null,
  arena: ReadonlyMap<ArenaCategory, number> | null,
): Offsets {
  const offsets: Partial<Record<Topic, number>> = {}
  for (const topic of topicNames) {
    const category = liveBenchOf[topic]
    const arenaCategory = arenaOf[topic]
    const mine = category === undefined ? 0 : (liveBench?.get(category) ?? 0)
    const theirs = arenaCategory === undefined ? 0 : (arena?.get(arenaCategory) ?? 0)
    const offset = Math.round((mine * liveBenchWeight + theirs * arenaWeight) * 1000) / 1000
    if (offset !== 0) offsets[topic] = offset
  }
  return offsets
}

/** Two decimals; an offset that rounds to nothing is absent. */
export function sumOffsets(all: readonly Offsets[]): Offsets {
  return Object.fromEntries(
    topicNames.flatMap((topic) => {
      const sum = all.reduce((total, offsets) => total + (offsets[topic] ?? 0), 0)
      const rounded = Math.round(sum * 100) / 100
      return rounded === 0 ? [] : [[topic, rounded]]
    }),
  )
}
