/** The tables of a run's result: how good, expensive and slow each model was. */
import { domainNames, type Domain } from '../../shared/app/domains.ts'
import type { GradedGroup, Interval, TuningModelResult } from '../../shared/tuning/tuning-run.ts'
import { sigmoid } from '../../shared/models/quality-scale.ts'
import type { GradedAnswer, PromptOutcome, StoredReading } from './tuning-outcome.ts'

export interface FinishedPrompt {
  reading: StoredReading
  outcome: PromptOutcome
}

interface ModelAnswer {
  answer: GradedAnswer
  reading: StoredReading
}

const gradeNumbers = [1, 2, 3, 4] as const

export function modelResult(model: string, prompts: readonly FinishedPrompt[]): TuningModelResult {
  const all = prompts.flatMap(({ reading, outcome }) =>
    outcome.answers
      .filter((answer) => answer.model === model)
      .map((answer) => ({ answer, reading })),
  )
  const given = all.filter(({ answer }) => answer.costNanoUsd !== null)
  return {
    model,
    all: groupOf(all),
    expected: meanOf(all.map(({ reading }) => sigmoid(reading.startLogits[model] ?? 0))) ?? 0,
    domains: domainNames.flatMap((domain) => {
      const group = groupOf(all.filter(({ reading }) => domainOf(reading) === domain))
      return group.prompts === 0 ? [] : [{ domain, ...group }]
    }),
    grades: gradeNumbers.flatMap((grade) => {
      const group = groupOf(all.filter(({ reading }) => gradeOf(reading) === grade))
      return group.prompts === 0 ? [] : [{ grade, ...group }]
    }),
    costUsd: meanOf(given.map(({ answer }) => (answer.costNanoUsd ?? 0) / 1e9)),
    latencyMs: meanOf(given.map(({ answer }) => answer.latencyMs ?? 0)),
    outputTokens: meanOf(given.map(({ answer }) => answer.outputTokens ?? 0)),
    cut: given.filter(({ answer }) => answer.isCut).length,
    failed: all.length - given.length,
    ownFamily: all.filter(({ answer }) => answer.missing === 'own_family').length,
  }
}

function groupOf(answers: readonly ModelAnswer[]): GradedGroup {
  const grades = answers.flatMap(({ answer }) => answer.grade ?? [])
  return { prompts: grades.length, quality: intervalOf(grades) }
}

const deviations90 = 1.645

/** Wilson's interval, which also holds for few prompts and for means near 0 and 1. Null without a grade. */
export function intervalOf(grades: readonly number[]): Interval | null {
  const mean = meanOf(grades)
  if (mean === null) return null
  const squared = deviations90 ** 2
  const weight = grades.length + squared
  const middle = (mean * grades.length + squared / 2) / weight
  const spread =
    (deviations90 * Math.sqrt(grades.length * mean * (1 - mean) + squared / 4)) / weight
  return { low: Math.max(0, middle - spread), mean, high: Math.min(1, middle + spread) }
}

function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The domain named by the prompt's source, else the one that was read from the prompt. */
export function domainOf({ domain, domains }: StoredReading): Domain {
  return domain ?? domainNames[domains.indexOf(Math.max(...domains))] ?? 'other'
}

/** Difficulties at which an easy prompt ends: a model of 1300 points answers 82 %, 50 % and 27 % of these well. */
const gradeEnds = [-1.5, 0, 1] as const

function gradeOf({ grade, difficulty }: StoredReading): 1 | 2 | 3 | 4 {
  if (grade !== null) return grade
  const index = gradeEnds.findIndex((end) => difficulty < end)
  return gradeNumbers[index] ?? 4
}
