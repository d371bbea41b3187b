/** What the answers of one model showed so far, in some kilobytes however many there are. */
import { z } from 'zod'
import {
  answerChecks,
  mostFindingRequests,
  type AnswerCheck,
  type AnswersEvidence,
} from '../../../shared/requests/finding.ts'
import { afterAnswer, newState, raisesAlarm, type ShareTest } from './sequential-test.ts'
import { judgeTokens, tokenCountsSchema, type TokenReport } from './token-counts.ts'

const hourMs = 3_600_000
const mostFingerprints = 8
const mostConversations = 64
const mostNames = 8

/**
 * Shares that honest answers do not exceed. A vendor's own name of a model is never another model's. A model with a
 * reasoning effort of medium or more may skip reasoning where nothing asks for it, and some servers leave log
 * probabilities out of single answers. Reports of tokens vary with the text.
 */
export const shareTests: Readonly<Record<AnswerCheck, ShareTest>> = {
  named: { honest: 1e-4, deviating: [0.02, 0.1, 0.5, 0.99] },
  promptTokens: { honest: 0.05, deviating: [0.3, 0.6, 0.95] },
  reasoning: { honest: 0.3, deviating: [0.6, 0.9, 0.99] },
  logprobs: { honest: 0.02, deviating: [0.1, 0.5, 0.99] },
}

const testSchema = z.strictObject({
  /** Logarithms; null is minus infinity, which JSON does not have. */
  state: z.array(z.number().nullable()),
  /** Since the first deviating answer; 0 before. */
  sinceMs: z.number(),
  answers: z.int(),
  deviating: z.int(),
  /** Answers since the last deviating one. */
  quiet: z.int(),
  /** Of all answers that could be compared, and of those that deviated, by hour of UTC. */
  answersByHour: z.array(z.int()).length(24),
  deviatingByHour: z.array(z.int()).length(24),
  requestIds: z.array(z.string()),
  hasAlarm: z.boolean(),
})
type Test = z.output<typeof testSchema>

export const modelEvidenceSchema = z.strictObject({
  answers: z.int(),
  tests: z.record(z.enum(answerChecks), testSchema),
  names: z.record(z.string(), z.int()),
  tokens: tokenCountsSchema,
  /** Mean logarithm of deviating reports by the usual one, and how many there are. */
  factor: z.strictObject({ sum: z.number(), reports: z.int() }),
  fingerprints: z.array(
    z.strictObject({ value: z.string(), firstAtMs: z.int(), lastAtMs: z.int(), answers: z.int() }),
  ),
  /** Answers with reasoning. */
  reasoned: z.int(),
  /** The newest conversations that counted: later turns repeat the same text. */
  conversations: z.array(z.string()),
})
export type ModelEvidence = z.output<typeof modelEvidenceSchema>

/** One answer, as far as it can be compared; null where it cannot. */
export interface ComparedAnswer {
  requestId: string
  atMs: number
  named: { name: string; isOther: boolean } | null
  /** Absent for later turns of a conversation. */
  tokens: (TokenReport & { conversation: string }) | null
  fingerprint: string | null
  hasReasoning: boolean
  lacksReasoning: boolean | null
  lacksLogprobs: boolean | null
}

export function newEvidence(): ModelEvidence {
  const test = (check: AnswerCheck): Test => ({
    state: newState(shareTests[check]).map(() => null),
    answersByHour: Array.from({ length: 24 }, () => 0),
    ...noDeviation(),
    hasAlarm: false,
  })
  const tests = {
    named: test('named'),
    promptTokens: test('promptTokens'),
    reasoning: test('reasoning'),
    logprobs: test('logprobs'),
  }
  const lists = { fingerprints: [], conversations: [] }
  return {
    answers: 0,
    tests,
    names: {},
    tokens: {},
    factor: { sum: 0, reports: 0 },
    reasoned: 0,
    ...lists,
  }
}

/** Notes an answer. @returns the checks whose finding is new or has changed */
export function noteAnswer(evidence: ModelEvidence, answer: ComparedAnswer): AnswerCheck[] {
  evidence.answers += 1
  if (answer.hasReasoning) evidence.reasoned += 1
  if (answer.fingerprint !== null) noteFingerprint(evidence, answer.fingerprint, answer.atMs)
  if (answer.named?.isOther) noteName(evidence, answer.named.name)
  const deviates: Record<AnswerCheck, boolean | null> = {
    named: answer.named && answer.named.isOther,
    promptTokens: tokensDeviate(evidence, answer.tokens),
    reasoning: answer.lacksReasoning,
    logprobs: answer.lacksLogprobs,
  }
  return answerChecks.filter((check) => {
    const result = deviates[check]
    return result !== null && noteResult(evidence.tests[check], { check, result, ...answer })
  })
}

/** @returns whether there is a finding that has changed */
function noteResult(
  test: Test,
  {
    check,
    result,
    requestId,
    atMs,
  }: Pick<ComparedAnswer, 'requestId' | 'atMs'> & { check: AnswerCheck; result: boolean },
): boolean {
  const state = afterAnswer(
    shareTests[check],
    test.state.map((log) => log ?? -Infinity),
    result,
  )
  test.state = state.map((log) => (log === -Infinity ? null : log))
  const hour = Math.floor(atMs / hourMs) % 24
  test.answersByHour[hour] = (test.answersByHour[hour] ?? 0) + 1
  if (!result && test.deviating === 0) return false
  if (test.deviating === 0) test.sinceMs = atMs
  test.answers += 1
  test.quiet = result ? 0 : test.quiet + 1
  if (!result) {
    // Single odd answers must not be counted with a substitution that begins later.
    if (!test.hasAlarm && test.quiet >= forgetAfter) Object.assign(test, noDeviation())
    return false
  }
  test.deviating += 1
  test.deviatingByHour[hour] = (test.deviatingByHour[hour] ?? 0) + 1
  test.requestIds = [requestId, ...test.requestIds].slice(0, mostFindingRequests)
  test.hasAlarm ||= raisesAlarm(state)
  return test.hasAlarm
}

const forgetAfter = 100

function noDeviation() {
  const deviatingByHour = Array.from({ length: 24 }, () => 0)
  return { sinceMs: 0, answers: 0, deviating: 0, quiet: 0, deviatingByHour, requestIds: [] }
}

function tokensDeviate(evidence: ModelEvidence, tokens: ComparedAnswer['tokens']): boolean | null {
  if (tokens === null || evidence.conversations.includes(tokens.conversation)) return null
  evidence.conversations = [tokens.conversation, ...evidence.conversations].slice(
    0,
    mostConversations,
  )
  const judged = judgeTokens(evidence.tokens, tokens)
  if (judged === null) return null
  if (judged.deviates) {
    evidence.factor.sum += Math.log(judged.factor)
    evidence.factor.reports += 1
  }
  return judged.deviates
}

function noteFingerprint({ fingerprints }: ModelEvidence, value: string, atMs: number): void {
  const known = fingerprints.find((one) => one.value === value)
  if (known) {
    known.lastAtMs = atMs
    known.answers += 1
    return
  }
  fingerprints.unshift({ value, firstAtMs: atMs, lastAtMs: atMs, answers: 1 })
  fingerprints.length = Math.min(fingerprints.length, mostFingerprints)
}

function noteName({ names }: ModelEvidence, name: string): void {
  const known = Object.hasOwn(names, name) ? names[name] : undefined
  const isFull = Object.keys(names).length >= mostNames
  if (name !== '__proto__' && (known !== undefined || !isFull)) names[name] = (known ?? 0) + 1
}

/** The finding of a check that raised an alarm. */
export function evidenceOf(
  modelId: string,
  check: AnswerCheck,
  { tests, names, factor }: ModelEvidence,
): AnswersEvidence {
  const test = tests[check]
  const { deviating, answers, sinceMs } = test
  const [named = null] = Object.entries(names).toSorted(([, a], [, b]) => b - a)[0] ?? []
  return {
    check,
    modelId,
    deviating,
    answers,
    sinceMs,
    named: check === 'named' ? named : null,
    factor:
      check === 'promptTokens' && factor.reports > 0 ? Math.exp(factor.sum / factor.reports) : null,
    hoursUtc: hoursOf(test),
  }
}

/** Answers outside of the hours that show the model is usually another one then. */
const leastOutside = 20
const longestHours = 12

/**
 * The shortest span of hours with nearly all deviating answers; null when it is longer than half a day, or when hardly
 * any answer was outside of it.
 */
function hoursOf({ answersByHour, deviatingByHour, deviating }: Test): AnswersEvidence['hoursUtc'] {
  for (let length = 1; length <= longestHours; length += 1) {
    for (let from = 0; from < 24; from += 1) {
      const inside = (hours: readonly number[]) =>
        Array.from({ length }, (_, index) => hours[(from + index) % 24] ?? 0).reduce(
          (a, b) => a + b,
        )
      if (inside(deviatingByHour) < deviating * 0.9) continue
      const all = answersByHour.reduce((a, b) => a + b)
      return all - inside(answersByHour) < leastOutside
        ? null
        : { from, until: (from + length) % 24 }
    }
  }
  return null
}
