/** Has the judge grade all answers to a prompt, and turns its verdicts into grades. */
import type { Candidate } from '../routing/candidate.ts'
import { highestOf, mostPromptTokens, mostTokens } from './highest-cost.ts'
import {
  commonKind,
  judgeRound,
  withoutOwnFamily,
  type Compare,
  type JudgedRound,
} from './judge.ts'
import {
  judgeMessages,
  judgeTokens,
  longestShown,
  readVerdict,
  repairMessages,
  verdictFormat,
} from './judge-prompt.ts'
import type { RunRequest } from './run-requests.ts'
import { gradedAnswer, type AnsweredBy } from './graded-answer.ts'
import type { PromptOutcome, StoredAnswer, StoredReading } from './tuning-outcome.ts'
import type { TuningPrompt } from './tuning-prompt.ts'

interface JudgedPromptInput {
  position: number
  prompt: TuningPrompt
  reading: StoredReading
  isRepeated: boolean
}

export interface JudgeAccess {
  judge: Candidate
  send(request: RunRequest): Promise<StoredAnswer | null>
  newFence(): string
}

type Judged = Pick<
  PromptOutcome,
  'answers' | 'kind' | 'comparisons' | 'ownFamily' | 'unreadable' | 'repeated'
>

export async function judgeAnswers(
  run: JudgedPromptInput,
  answers: readonly AnsweredBy[],
  access: JudgeAccess,
): Promise<Judged> {
  const answered = answers.flatMap(({ candidate: { modelId: model }, answer }) =>
    answer ? [{ model, text: answer.text, startLogit: run.reading.startLogits[model] ?? 0 }] : [],
  )
  const { compared, ownFamily } = withoutOwnFamily(access.judge.modelId, answered)
  const compare = comparer(run, access)
  const first = await judgeRound(run.prompt, compared, { compare, round: 0 })
  const again = run.isRepeated
    ? await judgeRound(run.prompt, compared, { compare, round: 1 })
    : null
  const rounds = again ? [first, again] : [first]
  const isOwn = (model: string) => ownFamily.some((one) => one.model === model)
  return {
    answers: answers.map(({ candidate, answer }) => {
      const missing = isOwn(candidate.modelId) ? 'own_family' : 'unreadable'
      return gradedAnswer(candidate, answer, { grade: gradeOf(candidate, rounds), missing })
    }),
    kind: commonKind(rounds.flatMap(({ kinds }) => kinds)),
    comparisons: sum(rounds, ({ comparisons }) => comparisons),
    ownFamily: 2 * ownFamily.length * rounds.length,
    unreadable: sum(rounds, ({ unreadable }) => unreadable),
    repeated: again ? pairs(first, again) : [],
  }
}

/** The mean of the rounds that graded it. */
function gradeOf({ modelId }: Candidate, rounds: readonly JudgedRound[]): number | null {
  const grades = rounds.flatMap((round) => round.grades.get(modelId) ?? [])
  return grades.length === 0 ? null : sum(grades, (grade) => grade) / grades.length
}

function pairs(first: JudgedRound, again: JudgedRound): [number, number][] {
  return [...first.grades].flatMap(([model, grade]) => {
    const second = again.grades.get(model)
    return second === undefined ? [] : [[grade, second]]
  })
}

function comparer(
  { position }: JudgedPromptInput,
  { judge, send, newFence }: JudgeAccess,
): Compare {
  const ask = async (key: string, messages: ReturnType<typeof judgeMessages>) => {
    const max_tokens = limitOf(judge)
    const body = { messages, max_tokens, ...verdictFormat(judge.capabilities) }
    return await send({ key, position, candidate: judge, body, isJudge: true })
  }
  return async (name, answers) => {
    const key = `judge/${position}/${name}`
    const messages = judgeMessages(answers, newFence())
    const answer = await ask(key, messages)
    if (answer === null) return null
    const read = readVerdict(answer.text)
    if (read.ok) return read.verdict
    const again = await ask(`${key}/again`, repairMessages(messages, read.problem))
    const second = again && readVerdict(again.text)
    return second?.ok ? second.verdict : null
  }
}

function limitOf({ maxOutputTokens }: Candidate): number {
  return Math.min(judgeTokens, maxOutputTokens ?? judgeTokens)
}

/** Bytes of the judge's instructions and markers, and room for its second try. */
const ownTokens = 4_000

/** Highest cost of the judge for a prompt, without second tries. @param answerTokens  of two answers, at most */
export function judgeCostNanoUsd(
  { prompt, isRepeated }: Pick<JudgedPromptInput, 'prompt' | 'isRepeated'>,
  models: readonly string[],
  { judge, answerTokens = 2 * longestShown }: { judge: Candidate; answerTokens?: number },
): number {
  const { compared } = withoutOwnFamily(
    judge.modelId,
    models.map((model) => ({ model, startLogit: 0 })),
  )
  const comparisons = 2 * Math.max(0, compared.length - 1) * (isRepeated ? 2 : 1)
  const asked = Math.min(longestShown * 4, mostPromptTokens({ messages: [...prompt.messages] }))
  const reference = mostTokens(prompt.reference ?? '')
  const promptTokens = ownTokens + asked + reference + answerTokens
  return comparisons * highestOf(judge, promptTokens, limitOf(judge))
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
