/**
 * Graded prompts as everyday work: each is read by weights that saw no prompt of its kind, and a router of nine
 * models decides on it by public ratings alone.
 */
import type { Candidate, PromptReading } from '../../src/service/routing/candidate.ts'
import { rank } from '../../src/service/routing/rank.ts'
import {
  sampleContext,
  samplePolicy,
  priorKnowledge,
} from '../../test/routing/sample-candidates.ts'
import type { RankParameters } from '../../src/shared/requests/detail.ts'
import type { Measurement } from '../measurement.ts'
import { row } from '../row.ts'
import { spendAccount } from './account.ts'
import { rankCorrelation } from './calibration.ts'
import { charsPerToken } from '../../training/reader/data-file.ts'
import { difficultyOfGrade } from '../../training/reader/difficulty-samples.ts'
import { pairTypes, type GradedPrompt } from '../../training/graded/graded-prompts.ts'
import { nineModels } from './nine-models.ts'
import { shuffled } from '../../training/reader/random.ts'

/** The fields of a graded prompt that the rows are about. */
export type EverydayPrompt = Pick<GradedPrompt, 'prompt' | 'grade' | 'kind' | 'pair'>

/** A prompt beside its reading and the model that the router would ask first. */
interface Decided {
  asked: EverydayPrompt
  reading: PromptReading
  chosen: Candidate
}

/** The price of a million output tokens under which a model is cheap, and the points over which it is strong. */
const cheapUsd = 0.3
const strongPoints = 1460

/** @param source  what the rows call the prompts */
export function measureEveryday(
  source: string,
  prompts: readonly EverydayPrompt[],
  readingOf: (prompt: EverydayPrompt) => PromptReading,
): Measurement[] {
  const candidates = nineModels()
  const read = prompts.map((asked) => ({ asked, reading: readingOf(asked) }))
  const decided = decideWith(candidates, read)
  const truly = read.map(({ asked, reading }) => {
    return { asked, reading: { ...reading, difficulty: difficultyOfGrade[asked.grade] } }
  })
  const what = (figure: string) => `${source} (${prompts.length} graded prompts): ${figure}`
  return [
    row(what('rank correlation of difficulty and grade'), [orderOf(decided), ''], {
      goal: { atLeast: 0.68 },
    }),
    ...pairRows(what, decided),
    ...choiceRows(what, decided),
    ...choiceRows(
      (figure) => what(`with the true grades, ${figure}`),
      decideWith(candidates, truly),
    ),
    ...limitedRows(what, decideWith(candidates, read, limited), 17),
    ...limitedRows(
      (figure) => what(`with the true grades, ${figure}`),
      decideWith(candidates, truly, limited),
      100,
    ),
  ]
}

const limited = { limitEachPrompt: true }

/** Rows with a limit of 5 % for every prompt. @param atLeast  per cent of the hard ones */
function limitedRows(
  what: (figure: string) => string,
  decided: readonly Decided[],
  atLeast: number,
): Measurement[] {
  const hard = decided.filter(({ asked }) => asked.grade >= 4)
  const easy = decided.filter(({ asked }) => asked.grade <= 2)
  const within = (figure: string) => what(`within 5 % for every prompt, ${figure}`)
  return [
    row(
      within(`hard ones (grades 4 and 5) to a model over ${strongPoints} points`),
      [share(hard, isStrong), '%'],
      { goal: { atLeast } },
    ),
    row(within('easy ones (grades 1 and 2) to a cheap model'), [share(easy, isCheap), '%']),
  ]
}

/** Pairs of prompts that differ in one thing; the two sides of some are equally hard. */
function pairRows(what: (figure: string) => string, decided: readonly Decided[]): Measurement[] {
  return Object.values(pairTypes).flatMap((type) => {
    const ofType = decided.filter(({ asked }) => asked.pair?.type === type)
    if (ofType.length === 0) return []
    const atLeast = type === pairTypes.d ? 0.65 : 0
    return [row(what(`the same, pairs: ${type}`), [orderOf(ofType), ''], { goal: { atLeast } })]
  })
}

function choiceRows(what: (figure: string) => string, decided: readonly Decided[]): Measurement[] {
  const easy = decided.filter(({ asked }) => asked.grade <= 2)
  const hard = decided.filter(({ asked }) => asked.grade >= 4)
  const hardest = decided.filter(({ asked }) => asked.grade === 5)
  const toStrong = (of: readonly Decided[]) => share(of, isStrong)
  return [
    row(
      what(`easy ones (grades 1 and 2) to a model under $${cheapUsd} per million output tokens`),
      [share(easy, isCheap), '%'],
      { goal: { atLeast: 95 } },
    ),
    row(
      what(`hard ones (grades 4 and 5) to a model over ${strongPoints} points`),
      [toStrong(hard), '%'],
      {
        goal: { atLeast: 75 },
      },
    ),
    row(what(`hardest ones (grade 5) to a model over ${strongPoints} points`), [
      toStrong(hardest),
      '%',
    ]),
    row(
      what('choices other than the most frequent one'),
      [100 - shareOfMostFrequent(decided), '%'],
      {
        goal: { atLeast: 40 },
      },
    ),
  ]
}

/** Models to which `cost_optimized` sends the prompts one after another, with its account. */
function decideWith(
  candidates: readonly Candidate[],
  read: readonly Omit<Decided, 'chosen'>[],
  given: Partial<RankParameters> = {},
): Decided[] {
  const estimates = read.map(({ asked, reading }) => {
    const promptTokens = Math.ceil(asked.prompt.length / charsPerToken)
    const context = sampleContext({ promptTokens, reading })
    return rank(candidates, { knowledgeOf: priorKnowledge, context, policy: samplePolicy() }).ranked
  })
  const order = shuffled([...read.keys()], 1)
  const chosen = spendAccount(
    order.map((at) => estimates[at] ?? []),
    given,
  )
  return order.flatMap((at, nth) => {
    const [of, one] = [read[at], chosen[nth]]
    return of && one ? [{ ...of, chosen: one.candidate }] : []
  })
}

function orderOf(decided: readonly Decided[]): number {
  return rankCorrelation(decided.map(({ asked, reading }) => [reading.difficulty, asked.grade]))
}

function isCheap({ chosen }: Decided): boolean {
  return chosen.price.outputUsdPerMtok < cheapUsd
}

function isStrong({ chosen }: Decided): boolean {
  return chosen.quality.points > strongPoints
}

function share(decided: readonly Decided[], has: (one: Decided) => boolean): number {
  return (100 * decided.filter(has).length) / decided.length
}

function shareOfMostFrequent(decided: readonly Decided[]): number {
  const models = new Set(decided.map(({ chosen }) => chosen.modelId))
  return Math.max(...[...models].map((id) => share(decided, ({ chosen }) => chosen.modelId === id)))
}
