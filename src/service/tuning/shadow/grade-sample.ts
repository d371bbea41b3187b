/** One sample: asks the second model, has the judge grade both answers, and gives what is stored of it. */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { JudgedPrompt } from '../../../shared/tuning/tuning.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { StoredShadowSample, UngradedReason } from '../../storage/shadow-sample-store.ts'
import { answerLimit } from '../answer-limit.ts'
import { highestCostNanoUsd } from '../highest-cost.ts'
import { judgeAnswers, judgeCostNanoUsd } from '../judge-answers.ts'
import { longestShown } from '../judge-prompt.ts'
import { judgeErrorRate } from '../judge.ts'
import { toJudgedPrompts } from '../result.ts'
import { repeatedPrompts } from '../running-run.ts'
import type { PromptOutcome, StoredAnswer, StoredReading } from '../tuning-outcome.ts'
import type { SampledRequest } from './sampled-request.ts'
import type { ShadowRequests } from './shadow-requests.ts'

export interface SampleToGrade {
  request: SampledRequest
  reading: StoredReading
  /** The model that answered the caller. */
  first: Candidate
  second: Candidate
  judge: Candidate
  /** Grades that the judge gave twice before. */
  repeated: readonly [number, number][]
}

export interface GradeSampleOptions {
  requests: ShadowRequests
  lnOutputTokensOf(candidate: Candidate): readonly number[]
  newFence(): string
  now(): number
}

export type GradedSample =
  | { kind: 'graded'; sample: StoredShadowSample; judged: JudgedPrompt }
  | { kind: Exclude<UngradedReason, 'dropped'> }

export async function gradeSample(
  sample: SampleToGrade,
  options: GradeSampleOptions,
): Promise<GradedSample> {
  const { second, judge } = sample
  const { requests, newFence, now } = options
  const body = bodyFor(sample, options)
  if (body === null) return { kind: 'failed' }
  if (!(await requests.covers(highestCost(sample, body)))) return { kind: 'overCap' }
  const answer = await requests.send({ candidate: second, body, isJudge: false })
  if (answer === null) return { kind: requests.isOverCap ? 'overCap' : 'failed' }
  if (isCutByLimit(sample, answer, body)) return { kind: 'failed' }
  const judged = await judgeAnswers(
    { position: 0, ...sample, prompt: sample.request.prompt, isRepeated: isRepeated(sample) },
    [
      { candidate: sample.first, answer: firstAnswer(sample.request) },
      { candidate: second, answer },
    ],
    { judge, newFence, send: (request) => requests.send(request) },
  )
  if (requests.isOverCap) return { kind: 'overCap' }
  if (judged.answers.some(({ grade }) => grade === null)) return { kind: 'failed' }
  return toGraded(sample, { ...judged, gradedBy: 'judge', atMs: now() })
}

/** @returns null when the prompt does not fit the model's context */
function bodyFor(
  { request, reading, second }: SampleToGrade,
  { lnOutputTokensOf }: GradeSampleOptions,
): (ChatRequest & { max_tokens: number }) | null {
  const { prompt, parameters, maxTokens } = request
  const lnOutputTokens = lnOutputTokensOf(second)
  const usual = answerLimit({ candidate: second, lnOutputTokens, reading, limit: null })
  if (usual === null) return null
  const max_tokens = Math.min(usual, maxTokens ?? usual)
  return { ...parameters, messages: [...prompt.messages], max_tokens }
}

/** An estimate of the whole sample: each request reserves its own highest cost. */
function highestCost(
  { request, first, second, judge, repeated }: SampleToGrade,
  body: ChatRequest & { max_tokens: number },
): number {
  const { prompt, text } = request
  const graded = { prompt, isRepeated: isRepeated({ repeated }) }
  const models = [first.modelId, second.modelId]
  const longest = Buffer.byteLength(text) + bytesPerToken * body.max_tokens
  const answerTokens = Math.min(2 * longestShown, longest)
  return (
    highestCostNanoUsd(second, body) + judgeCostNanoUsd(graded, models, { judge, answerTokens })
  )
}

const bytesPerToken = 4

function isRepeated({ repeated }: Pick<SampleToGrade, 'repeated'>): boolean {
  return repeated.length < 2 * repeatedPrompts
}

/** Whether the token limit cut the answer. The first answer had no such limit, so the comparison would not be fair. */
function isCutByLimit(
  { request }: SampleToGrade,
  { isCut }: StoredAnswer,
  { max_tokens }: { max_tokens: number },
): boolean {
  return isCut && (request.maxTokens === null || max_tokens < request.maxTokens)
}

function firstAnswer({ text, costNanoUsd, latencyMs, outputTokens }: SampledRequest): StoredAnswer {
  return { text, isCut: false, costNanoUsd, latencyMs, outputTokens }
}

function toGraded(
  { request, reading, judge, repeated }: SampleToGrade,
  outcome: PromptOutcome,
): GradedSample {
  const errorRate = judgeErrorRate([...repeated, ...outcome.repeated])
  const [judged] = toJudgedPrompts([{ reading, outcome }], errorRate)
  if (!judged) throw new Error('a graded sample has no judged prompt')
  const sample = {
    id: reading.id,
    routerId: request.routerId,
    atMs: outcome.atMs,
    judge: judge.modelId,
    reading: JSON.stringify(reading),
    outcome: JSON.stringify(outcome),
  }
  return { kind: 'graded', sample, judged }
}
