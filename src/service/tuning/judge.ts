/**
 * Grades the answers to one prompt by a judge. Each answer is compared with the answer of the model that was expected
 * to be best, twice, with the order swapped. In each comparison the judge says of both answers whether they are
 * acceptable, and which one is better:
 *
 * | grade      | better or tie | worse |
 * |------------|---------------|-------|
 * | acceptable | 1             | 0.75  |
 * | not        | 0.25 or 0     | 0     |
 *
 * An answer that is not acceptable gets 0.25 when it is better, and 0 in a tie. Its grade is the mean over its
 * comparisons. So M models take 2 (M - 1) comparisons for each prompt, not M (M - 1).
 *
 * A judge never grades its own family: such models take no part.
 */
import type { Topic } from '../../shared/routers/topics.ts'
import { familyOf } from '../../shared/models/model-family.ts'
import type { ComparedAnswers, Verdict } from './judge-prompt.ts'
import type { TuningPrompt } from './tuning-prompt.ts'

export interface JudgedAnswerText {
  model: string
  text: string
  /** The logit of its expected quality. */
  startLogit: number
}

/** @returns null when no verdict could be read @param key  unique for the prompt */
export type Compare = (key: string, answers: ComparedAnswers) => Promise<Verdict | null>

export interface JudgedRound {
  grades: ReadonlyMap<string, number>
  kinds: readonly Topic[]
  comparisons: number
  unreadable: number
}

export interface JudgedModels<Answer> {
  /** The first is the one that all others are compared with. Fewer than two cannot be compared. */
  compared: readonly Answer[]
  ownFamily: readonly Answer[]
}

export function withoutOwnFamily<Answer extends Pick<JudgedAnswerText, 'model' | 'startLogit'>>(
  judge: string,
  answers: readonly Answer[],
): JudgedModels<Answer> {
  const isOwn = ({ model }: Answer) => familyOf(model) === familyOf(judge)
  return {
    compared: answers
      .filter((answer) => !isOwn(answer))
      .toSorted((a, b) => b.startLogit - a.startLogit || (a.model < b.model ? -1 : 1)),
    ownFamily: answers.filter(isOwn),
  }
}

/** @param round  0, or 1 for the second grading of the same answers */
export async function judgeRound(
  prompt: TuningPrompt,
  answers: readonly JudgedAnswerText[],
  { compare, round }: { compare: Compare; round: number },
): Promise<JudgedRound> {
  const [anchor, ...others] = answers
  const found = anchor
    ? others.flatMap((other) => [
        { first: anchor, second: other },
        { first: other, second: anchor },
      ])
    : []
  const verdicts = await Promise.all(
    found.map(async ({ first, second }) => {
      const key = `${round}/${first.model} ${second.model}`
      const verdict = await compare(key, { prompt, first: first.text, second: second.text })
      return { first: first.model, second: second.model, verdict }
    }),
  )
  return toRound(verdicts)
}

interface ReadComparison {
  first: string
  second: string
  verdict: Verdict | null
}

function toRound(comparisons: readonly ReadComparison[]): JudgedRound {
  const scores = new Map<string, number[]>()
  const kinds: Topic[] = []
  const add = (model: string, score: number) =>
    scores.set(model, [...(scores.get(model) ?? []), score])
  for (const { first, second, verdict } of comparisons) {
    if (verdict === null) continue
    kinds.push(verdict.kind)
    const { better, first_acceptable: isFirst, second_acceptable: isSecond } = verdict
    add(first, scoreOf(isFirst, better === 'tie' ? null : better === 'first'))
    add(second, scoreOf(isSecond, better === 'tie' ? null : better === 'second'))
  }
  return {
    grades: new Map([...scores].map(([model, all]) => [model, mean(all)])),
    kinds,
    comparisons: comparisons.length,
    unreadable: comparisons.filter(({ verdict }) => verdict === null).length,
  }
}

/** @param isBetter  null: a tie */
function scoreOf(isAcceptable: boolean, isBetter: boolean | null): number {
  if (isAcceptable) return isBetter === false ? 0.75 : 1
  return isBetter === true ? 0.25 : 0
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The kind that most verdicts name; the first of those named equally often. */
export function commonKind(kinds: readonly Topic[]): Topic | null {
  const countOf = (kind: Topic) => kinds.filter((other) => other === kind).length
  return kinds.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? null
}

/** Fewest grades given twice from which the judge's error rate is measured. */
const leastRepeated = 10
export const assumedErrorRate = 0.1
const greatestErrorRate = 0.4

/**
 * The share of wrong grades, from grades that were given twice. Two independent gradings with an error rate of ε agree
 * with a probability of 1 - 2 ε (1 - ε).
 */
export function judgeErrorRate(repeated: readonly (readonly [number, number])[]): {
  errorRate: number
  isMeasured: boolean
} {
  if (repeated.length < leastRepeated) return { errorRate: assumedErrorRate, isMeasured: false }
  const isGood = (grade: number) => grade >= 0.5
  const agreed = repeated.filter(([first, second]) => isGood(first) === isGood(second)).length
  const agreement = agreed / repeated.length
  const errorRate = (1 - Math.sqrt(Math.max(0, 2 * agreement - 1))) / 2
  return { errorRate: Math.min(greatestErrorRate, errorRate), isMeasured: true }
}
