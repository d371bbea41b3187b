/** The result of a run: tables, the judge's own figures, the change of decisions, and the judged prompts it leaves. */
import { formatUsd } from '../../shared/strings/format.ts'
import {
  promptsForOrder,
  type TuningResult,
  type TuningRun,
} from '../../shared/tuning/tuning-run.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { Router } from '../../shared/entities.ts'
import type { Candidate, ModelKnowledge } from '../routing/candidate.ts'
import { decisionChange } from './decision-change.ts'
import { judgeErrorRate } from './judge.ts'
import { learnedQuality, leastLearned } from './learned-quality.ts'
import { modelResult, type FinishedPrompt } from './result-tables.ts'

export interface ResultOptions {
  run: TuningRun
  router: Router
  candidates: readonly Candidate[]
  knowledgeOf(candidate: Candidate): ModelKnowledge
  prompts: readonly FinishedPrompt[]
  /** Judged prompts of earlier runs that apply to the router. */
  judgedBefore: readonly JudgedPrompt[]
}

export function tuningResult(options: ResultOptions): TuningResult {
  const { run, prompts } = options
  const judged = { before: options.judgedBefore, now: toJudgedPrompts(prompts) }
  const change = decisionChange({ ...options, judged })
  return {
    run,
    models: run.models.map((model) => modelResult(model, prompts)),
    learned: learnedQuality([...judged.before, ...judged.now], options.candidates),
    judge: judgeResult(run.judge, prompts),
    change,
    summary:
      change === null ? 'No decision can be compared.' : summaryOf(options.router.name, change),
    notes: notesOn(options),
  }
}

/** The prompts that routing learns from: those of which at least one answer has a grade. */
export function toJudgedPrompts(
  prompts: readonly FinishedPrompt[],
  { errorRate } = judgeErrorRate(repeatedOf(prompts)),
): JudgedPrompt[] {
  return prompts
    .filter(({ outcome }) => outcome.answers.some(({ grade }) => grade !== null))
    .map(({ reading, outcome }) => ({
      id: reading.id,
      atMs: outcome.atMs,
      topics: reading.topics,
      difficulty: reading.difficulty,
      confidence: reading.confidence,
      form: reading.form,
      kind: outcome.kind,
      errorRate: outcome.gradedBy === 'check' ? 0 : errorRate,
      answers: outcome.answers.map(({ model, grade }) => ({
        modelId: model,
        startLogit: reading.startLogits[model] ?? 0,
        grade,
      })),
    }))
}

function repeatedOf(prompts: readonly FinishedPrompt[]): [number, number][] {
  return prompts.flatMap(({ outcome }) => outcome.repeated)
}

export function judgeResult(
  judge: string | null,
  prompts: readonly FinishedPrompt[],
): TuningResult['judge'] {
  const judged = prompts.filter(({ outcome }) => outcome.gradedBy === 'judge')
  if (judge === null || judged.length === 0) return null
  const repeated = repeatedOf(judged)
  const { errorRate, isMeasured } = judgeErrorRate(repeated)
  const sum = (name: 'comparisons' | 'ownFamily' | 'unreadable') =>
    judged.reduce((total, { outcome }) => total + outcome[name], 0)
  return {
    model: judge,
    comparisons: sum('comparisons'),
    ownFamily: sum('ownFamily'),
    unreadable: sum('unreadable'),
    repeated: repeated.length,
    errorRate,
    isErrorRateMeasured: isMeasured,
  }
}

function summaryOf(router: string, change: NonNullable<TuningResult['change']>): string {
  const { after, before, savedShare, qualityChange } = change
  const [first] = after.shares
  const sent = `With this, ${router} would have sent ${percent(first?.share ?? 0)} to ${first?.model ?? ''}`
  return `${sent}, ${savedWords(savedShare, before.costUsd, after.costUsd)}, expected quality ${signed(qualityChange)} of 100.`
}

function savedWords(savedShare: number | null, beforeUsd: number, afterUsd: number): string {
  if (savedShare === null)
    return afterUsd === 0 ? 'at no cost' : `spent ${formatUsd(afterUsd)} more`
  const verb = savedShare < 0 ? 'spent' : 'saved'
  const more = savedShare < 0 ? ' more' : ''
  const of = `${formatUsd(afterUsd)} instead of ${formatUsd(beforeUsd)}`
  return `${verb} ${percent(Math.abs(savedShare))}${more} (${of})`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** A change of quality in points of 100, as the tables write quality. */
function signed(change: number): string {
  const points = Math.round(Math.abs(change) * 100)
  if (points === 0) return '±0'
  return `${change < 0 ? '−' : '+'}${points}`
}

function notesOn({ run, prompts }: ResultOptions): string[] {
  const notes: string[] = []
  if (run.prompts.graded < promptsForOrder) {
    notes.push(
      `${run.prompts.graded} prompts show how good the models are, but hardly which one is better.`,
    )
  }
  const cut = prompts.flatMap(({ outcome }) => outcome.answers).filter(({ isCut }) => isCut).length
  if (cut > 0) notes.push(`${cut} answers reached their token limit and were graded as they were.`)
  notes.push(`Kinds of prompts with fewer than ${leastLearned} graded answers are not learned yet.`)
  return notes
}
