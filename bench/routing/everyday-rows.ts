/**
 * Graded prompts as everyday work: each is read by weights that saw no prompt of its kind, and a router of nine
 * models decides on it by public ratings alone.
 */
import type { Candidate, PromptReading } from '../../src/service/routing/candidate.ts'
import { priorKnowledge } from '../../src/service/routing/knowledge.ts'
import { rank } from '../../src/service/routing/rank.ts'
import { sampleContext, samplePolicy } from '../../src/service/routing/sample-candidates.ts'
import type { Measurement } from '../measurement.ts'
import { row } from '../row.ts'
import { rankCorrelation } from './calibration.ts'
import { charsPerToken } from './data-file.ts'
import { difficultyOfGrade } from './difficulty-samples.ts'
import { pairTypes, type GradedPrompt } from './graded/graded-prompts.ts'
import { nineModels } from './nine-models.ts'

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
  const decided = prompts.map((asked): Decided => {
    const reading = readingOf(asked)
    return { asked, reading, chosen: choose(candidates, asked, reading) }
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
      byTrueGrade(decided, candidates),
    ),
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

/** What the router would choose if it read every grade correctly. */
function byTrueGrade(decided: readonly Decided[], candidates: readonly Candidate[]): Decided[] {
  return decided.map(({ asked, reading }) => {
    const known = { ...reading, difficulty: difficultyOfGrade[asked.grade] }
    return { asked, reading: known, chosen: choose(candidates, asked, known) }
  })
}

function choose(
  candidates: readonly Candidate[],
  { prompt }: EverydayPrompt,
  reading: PromptReading,
): Candidate {
  const promptTokens = Math.ceil(prompt.length / charsPerToken)
  const context = sampleContext({ promptTokens, reading })
  const { ranked } = rank(candidates, {
    knowledgeOf: priorKnowledge,
    context,
    policy: samplePolicy(),
  })
  const [first] = ranked
  if (!first) throw new Error('no model can answer')
  return first.candidate
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
