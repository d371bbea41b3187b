/** Chooses the prompts of a run and estimates what it costs and how long it takes. Nothing is sent. */
import {
  leastPrompts,
  promptsForOrder,
  thoroughPrompts,
  type TuningCost,
} from '../../shared/tuning/tuning-run.ts'
import { costNanoUsd } from '../catalog/cost.ts'
import type { Candidate, ModelKnowledge } from '../routing/candidate.ts'
import { estimate } from '../routing/estimate.ts'
import { sampleEvenly } from '../routing/sample-evenly.ts'
import { readNeeds } from '../chat/admission/request-needs.ts'
import { answerLimit } from './answer-limit.ts'
import { highestCostNanoUsd } from './highest-cost.ts'
import { judgeCostNanoUsd } from './judge-answers.ts'
import { withoutOwnFamily } from './judge.ts'
import { withoutDuplicates } from './kept-prompts.ts'
import { readingOf, storedReading } from './prompt-reading.ts'
import { requestsAtOnce } from './run-requests.ts'
import type { StoredReading } from './tuning-outcome.ts'
import type { SourcePrompt } from './tuning-prompt.ts'

export interface PlanRunOptions {
  prompts: readonly SourcePrompt[]
  count: number
  candidates: readonly Candidate[]
  judge: Candidate | null
  maxAnswerTokens: number | null
  knowledgeOf(candidate: Candidate): ModelKnowledge
  newId(): string
  /** Random number from 0 to below 1. */
  random(): number
}

export interface ChosenPrompt {
  prompt: SourcePrompt
  reading: StoredReading
}

export interface RunPlan {
  found: number
  duplicates: number
  ungradable: number
  /** The chosen prompts in a random order, so that a run that ends early has covered every kind. */
  chosen: readonly ChosenPrompt[]
  cost: TuningCost
  leastCapNanoUsd: number
  expectedMs: number
  notes: string[]
}

export function planRun(options: PlanRunOptions): RunPlan {
  const { prompts, count, judge } = options
  const gradable = prompts.filter(({ check }) => check !== null || canJudge(options))
  const different = withoutDuplicates(gradable)
  const read = different.map((prompt) => ({ prompt, ...readingOf(prompt) }))
  const sampled = shuffled(sampleEvenly(read, count), options.random)
  const chosen = sampled.map(({ prompt, ...reading }) => ({
    prompt,
    reading: storedReading(prompt, reading, options),
  }))
  const expected = expectRun(chosen, options)
  return {
    found: prompts.length,
    duplicates: gradable.length - different.length,
    ungradable: prompts.length - gradable.length,
    chosen,
    ...expected,
    notes: notesOn(chosen, { ...options, judge }),
  }
}

/** A judge needs two answers to compare that are not of its own family. */
function canJudge({ candidates, judge }: Pick<PlanRunOptions, 'candidates' | 'judge'>): boolean {
  if (judge === null) return false
  const models = candidates.map(({ modelId }) => ({ model: modelId, startLogit: 0 }))
  return withoutOwnFamily(judge.modelId, models).compared.length >= 2
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** Answers scatter around the median length; the mean of that distribution, and a cautious range of it. */
const ofMedian = { low: 0.7, mean: 1.38 }
const verdictTokens = 150
const judgeInstructionTokens = 700

function expectRun(
  chosen: readonly ChosenPrompt[],
  options: PlanRunOptions,
): Pick<RunPlan, 'cost' | 'leastCapNanoUsd' | 'expectedMs'> {
  const sums = { low: 0, expected: 0, highest: 0 }
  const msByProvider = new Map<string, number>()
  let leastCapNanoUsd = 0
  for (const one of chosen) {
    let highest = 0
    for (const request of requestsOf(one, options)) {
      sums.low += request.low
      sums.expected += request.expected
      highest += request.highest
      const { providerId, isLocal } = request.candidate
      const ms = (msByProvider.get(providerId) ?? 0) + request.ms / requestsAtOnce(isLocal)
      msByProvider.set(providerId, ms)
    }
    sums.highest += highest
    leastCapNanoUsd = Math.max(leastCapNanoUsd, highest)
  }
  const { low, expected, highest } = sums
  return {
    cost: { lowUsd: low / 1e9, expectedUsd: expected / 1e9, highestUsd: highest / 1e9 },
    leastCapNanoUsd,
    expectedMs: Math.round(Math.max(0, ...msByProvider.values())),
  }
}

interface ExpectedRequest {
  candidate: Candidate
  low: number
  expected: number
  highest: number
  ms: number
}

function requestsOf(one: ChosenPrompt, options: PlanRunOptions): ExpectedRequest[] {
  const { candidates, judge } = options
  const answers = candidates.flatMap((candidate) => expectAnswer(one, candidate, options) ?? [])
  if (judge === null || one.prompt.check !== null) return answers
  const outputTokens = answers.map(({ outputTokens: tokens }) => tokens)
  return [...answers, expectJudge(one, judge, { candidates, outputTokens })]
}

function expectAnswer(
  { prompt, reading }: ChosenPrompt,
  candidate: Candidate,
  { knowledgeOf, maxAnswerTokens }: PlanRunOptions,
): (ExpectedRequest & { outputTokens: number }) | null {
  const known = knowledgeOf(candidate)
  const { lnOutputTokens } = known
  const limits = { candidate, lnOutputTokens, reading, limit: maxAnswerTokens }
  const max_tokens = answerLimit(limits)
  if (max_tokens === null) return null
  const body = { messages: [...prompt.messages], max_tokens }
  const context = { ...readNeeds(body), reading, lastAnswer: null }
  const {
    costNanoUsd: median,
    promptNanoUsd,
    latencyMs,
    outputTokens,
  } = estimate(candidate, known, context)
  const output = median - promptNanoUsd
  return {
    candidate,
    low: promptNanoUsd + ofMedian.low * output,
    expected: promptNanoUsd + ofMedian.mean * output,
    highest: highestCostNanoUsd(candidate, body),
    ms: latencyMs,
    outputTokens,
  }
}

function expectJudge(
  { prompt, reading }: ChosenPrompt,
  judge: Candidate,
  { candidates, outputTokens }: { candidates: readonly Candidate[]; outputTokens: number[] },
): ExpectedRequest {
  const models = candidates.map(({ modelId }) => ({ model: modelId, startLogit: 0 }))
  const { compared } = withoutOwnFamily(judge.modelId, models)
  const comparisons = 2 * Math.max(0, compared.length - 1)
  const longest = Math.max(0, ...outputTokens)
  const one = costNanoUsd(judge.price, {
    inputTokens: judgeInstructionTokens + reading.promptTokens + 2 * longest,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: verdictTokens,
  })
  const modelIds = models.map(({ model }) => model)
  return {
    candidate: judge,
    low: ofMedian.low * one * comparisons,
    expected: one * comparisons,
    highest: judgeCostNanoUsd({ prompt, isRepeated: true }, modelIds, { judge }),
    ms: 2_000 * comparisons,
  }
}

function notesOn(
  chosen: readonly ChosenPrompt[],
  { count, judge, candidates }: Pick<PlanRunOptions, 'count' | 'judge' | 'candidates'>,
): string[] {
  const notes: string[] = []
  if (chosen.length < count) notes.push(`Only ${chosen.length} prompts can be used.`)
  if (chosen.length < promptsForOrder) {
    notes.push(
      `Fewer than ${promptsForOrder} prompts show how good the models are, but hardly which one is better.`,
    )
  }
  const unrated = candidates.filter(({ quality }) => quality.basis !== 'rated')
  if (unrated.length > 0 && chosen.length < thoroughPrompts) {
    const names = unrated.map(({ modelId }) => modelId).join(', ')
    notes.push(
      `Without public ratings: ${names}. ${thoroughPrompts} prompts replace ratings, fewer do not.`,
    )
  }
  if (judge !== null) notes.push(...notesOnJudge(judge, candidates))
  return notes
}

function notesOnJudge(judge: Candidate, candidates: readonly Candidate[]): string[] {
  const models = candidates.map(({ modelId }) => ({ model: modelId, startLogit: 0 }))
  const own = withoutOwnFamily(judge.modelId, models).ownFamily.map(({ model }) => model)
  if (own.length === 0) return []
  return [
    `The judge ${judge.modelId} belongs to the family of ${own.join(', ')} and grades no answers of it.`,
  ]
}

/** Whether so few prompts are left that nothing can be learned. */
export function isTooFew({ chosen }: Pick<RunPlan, 'chosen'>): boolean {
  return chosen.length < leastPrompts
}
