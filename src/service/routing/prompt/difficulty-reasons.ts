/** Why a prompt looks hard or easy, in words. */
import { difficultyLevel } from '../../../shared/models/quality-scale.ts'
import { topicNames } from '../../../shared/routers/topics.ts'
import { cueNames } from './instruction-cues.ts'

/** Words for a value above the average, and for one below it; null if a person would not give it as a reason. */
type Names = readonly [above: string | null, below: string | null]

/** Names in the order of `instructionFeatureNames`, before its cues. */
const ofNumbers: readonly Names[] = [
  ['a long request', 'a short request'],
  [null, null],
  ['few words', null],
  ['long words', 'short words'],
  ['long words', null],
  ['numbers', null],
  ['large numbers', null],
  ['several sentences', null],
  ['long sentences', 'short sentences'],
  ['many clauses', null],
  [null, null],
  ['formulas', null],
  ['formulas', null],
  ['formulas', null],
  [null, null],
  ['code', null],
  ['names', null],
  ['variables', null],
]

/** Names in the order of the head's coefficients. */
const names: readonly Names[] = [
  ...ofNumbers,
  ...cueNames.map((name): Names => [name, null]),
  ...topicNames.map((name): Names => [name.replaceAll('_', ' '), null]),
]

const mostReasons = 3
/** Least contribution of a reason, in logits. */
const leastContribution = 0.08

/** @param difficulty  of the prompt; one of usual difficulty has no reasons */
export function reasonsOfFeatures(
  contributions: Float64Array,
  coefficients: readonly number[],
  difficulty: number,
): string[] {
  const level = difficultyLevel(difficulty)
  if (level === 'usual') return []
  const sign = level === 'hard' ? 1 : -1
  const strengths = new Map<string, number>()
  for (let index = 0; index < contributions.length; index += 1) {
    const strength = sign * (contributions[index] ?? 0)
    const isAbove = (contributions[index] ?? 0) > 0 === (coefficients[index] ?? 0) > 0
    const name = names[index]?.[isAbove ? 0 : 1] ?? null
    if (name === null || strength <= 0) continue
    strengths.set(name, (strengths.get(name) ?? 0) + strength)
  }
  return [...strengths]
    .filter(([, strength]) => strength >= leastContribution)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostReasons)
    .map(([name]) => name)
}
