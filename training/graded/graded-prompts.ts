/**
 * Prompts with a grade of difficulty, from which the difficulty head is trained and tested.
 *
 * The grade answers one question: how often would a mid-size model of about 1300 Arena points
 * give an answer that a careful expert accepts, at the first attempt, without tools?
 *
 * | Grade | Accepted | Roughly |
 * | --- | --- | --- |
 * | 1 | 96 % | anybody does it in a minute, or every textbook says it: greetings, definitions, one step |
 * | 2 | 88 % | a junior of the field does it in minutes: standard functions, letters, two or three steps |
 * | 3 | 73 % | an expert does it in minutes, a junior slips: several steps, a trap, exact constraints |
 * | 4 | 50 % | an expert needs an hour: long derivations, subtle bugs, designs with conflicting aims |
 * | 5 | 27 % | an expert needs a day or does not get there: research, proofs, exact form at length |
 *
 * How to grade:
 * - Grade the task, not its length: material to read raises the grade only if the answer depends on
 *   combining distant parts of it.
 * - What models do badly counts as hard even where people find it easy: counting letters, arithmetic
 *   with many digits, strict verse, words to avoid, facts that hardly any text states.
 * - What models do well counts as easy even where people find it hard: translating everyday text,
 *   explaining textbook knowledge, polishing prose.
 * - A disputed question is only hard if a fair account of the dispute is no answer to it.
 * - Open tasks are graded by what it takes to be useful: any friendly poem is enough, but a plan that
 *   ignores a stated constraint is not.
 * - A language does not change the grade, nor do politeness, examples or the wish for a short answer.
 *
 * Each line of the texts is `grade topic [pair] [@language] | prompt`; `\n` in it is a line break,
 * `{{mill tides}}` inserts materials, and ` ~ ` parts several prompts. A pair is a letter for its type and a
 * number, unique in its kind.
 */
import { topicNames, type Topic } from '../../src/shared/routers/topics.ts'
import { codeWriting, codeWork } from './code.ts'
import { everydayLife } from './everyday-life.ts'
import { knowledge } from './knowledge.ts'
import { materials } from './materials.ts'
import { mindAndCulture } from './mind-and-culture.ts'
import { officeWork } from './office-work.ts'
import { openTasks } from './open-tasks.ts'
import { reasoning } from './reasoning.ts'
import { technicalWork } from './technical-work.ts'
import { textTasks } from './text-tasks.ts'

export type Grade = 1 | 2 | 3 | 4 | 5

/** The letter of a pair in the texts, and what its two sides differ in. */
export const pairTypes = {
  d: 'short hard, long easy',
  m: 'short and long material',
  c: 'easy and hard of one topic',
  o: 'easy and hard code in one sentence',
  l: 'two languages',
  f: 'plain and framed',
} as const

export type PairType = (typeof pairTypes)[keyof typeof pairTypes]

export interface GradedPrompt {
  prompt: string
  /** Grade by the rule above: from 1, which a small model answers, to 5, which a mid-size model mostly fails. */
  grade: Grade
  /** A head is tested on kinds that were left out of its training as a whole. */
  kind: string
  topic: Topic
  /** An ISO 639-1 code. */
  language: string
  /** Pair of the prompt. Both sides are of one kind, so leaving out a kind never splits a pair. */
  pair: { type: PairType; id: number } | null
}

const lineFormat =
  /^(?<grade>[1-5]) (?<topic>\w+)(?: (?<pair>[a-z]\d+))?(?: @(?<language>[a-z]{2}))? \| (?<prompt>.+)$/

export const gradedPrompts: readonly GradedPrompt[] = readKinds({
  ...codeWriting,
  ...codeWork,
  ...textTasks,
  ...knowledge,
  ...reasoning,
  ...openTasks,
  ...everydayLife,
  ...officeWork,
  ...technicalWork,
  ...mindAndCulture,
})

function readKinds(kinds: Readonly<Record<string, string>>): GradedPrompt[] {
  const pairIds = new Map<string, number>()
  return Object.entries(kinds).flatMap(([kind, text]) =>
    text
      .trim()
      .split('\n')
      .flatMap((line) => readLine({ line, kind, pairIds })),
  )
}

interface Line {
  line: string
  kind: string
  pairIds: Map<string, number>
}

function readLine({ line, kind, pairIds }: Line): GradedPrompt[] {
  const parts = lineFormat.exec(line)?.groups
  if (parts === undefined) throw new Error(`${kind}: this line has another form: ${line}`)
  const topic = topicNames.find((name) => name === parts['topic'])
  if (topic === undefined) throw new Error(`${kind}: no topic: ${line}`)
  return (parts['prompt'] ?? '').split(' ~ ').map((prompt) => ({
    prompt: withMaterials(prompt),
    grade: Number(parts['grade']) as Grade,
    kind,
    topic,
    language: parts['language'] ?? 'en',
    pair: parts['pair'] === undefined ? null : pairOf(`${kind} ${parts['pair']}`, pairIds),
  }))
}

/** @param name  the kind and the pair's mark in it, such as `logic c1` */
function pairOf(name: string, pairIds: Map<string, number>): GradedPrompt['pair'] {
  const letter = name.split(' ')[1]?.charAt(0)
  const type = Object.entries(pairTypes).find(([key]) => key === letter)?.[1]
  if (type === undefined) throw new Error(`${name}: no type of pair`)
  const id = pairIds.get(name) ?? pairIds.size + 1
  pairIds.set(name, id)
  return { type, id }
}

function withMaterials(text: string): string {
  return text
    .replaceAll(String.raw`\n`, '\n')
    .replaceAll(/\{\{([\w ]+)\}\}/g, (_, names: string) =>
      names.split(' ').map(materialOf).join('\n\n'),
    )
}

function materialOf(name: string): string {
  const text = materials[name]
  if (text === undefined) throw new Error(`no material ${name}`)
  return text
}
