/** How the router's strategy would have decided the prompts of a run, before it and with what it taught. */
import type { Router } from '../../shared/entities.ts'
import { sigmoid } from '../../shared/quality-scale.ts'
import type { TuningDecisions, TuningResult } from '../../shared/tuning-run.ts'
import type { Candidate, EstimatedCandidate, ModelKnowledge } from '../routing/candidate.ts'
import { ownLogit } from '../routing/fit-features.ts'
import { order } from '../routing/order.ts'
import { policyOf } from '../routing/parameters.ts'
import { fitQuality, type QualityFit } from '../routing/quality-fit.ts'
import { rank } from '../routing/rank.ts'
import type { JudgedPrompt } from '../../shared/tuning.ts'
import type { FinishedPrompt } from './result-tables.ts'

export interface DecisionChangeOptions {
  router: Router
  candidates: readonly Candidate[]
  knowledgeOf(candidate: Candidate): ModelKnowledge
  prompts: readonly FinishedPrompt[]
  judged: readonly JudgedPrompt[]
}

interface Decided {
  before: EstimatedCandidate
  after: EstimatedCandidate
  prompt: FinishedPrompt
}

/** Null when nothing was graded, or when the router has no choice. */
export function decisionChange(options: DecisionChangeOptions): TuningResult['change'] {
  const { router, candidates, prompts, judged } = options
  if (candidates.length < 2 || judged.length === 0) return null
  const isRated = (id: string) =>
    candidates.find(({ modelId }) => modelId === id)?.quality.isKnown === true
  const fit = fitQuality(
    judged.map((prompt) => ({ ...prompt, weight: 1 })),
    isRated,
  )
  const decided = prompts.flatMap((prompt) => decide(prompt, fit, options) ?? [])
  if (decided.length === 0) return null
  const quality = (one: EstimatedCandidate, { reading }: FinishedPrompt) =>
    qualityAfter(one.model, reading, fit)
  const before = decisionsOf(
    decided.map((each) => ({ ...each, one: each.before })),
    quality,
  )
  const after = decisionsOf(
    decided.map((each) => ({ ...each, one: each.after })),
    quality,
  )
  return {
    strategy: router.strategy,
    prompts: decided.length,
    before,
    after,
    savedShare: before.costUsd === 0 ? null : 1 - after.costUsd / before.costUsd,
    qualityChange: after.quality - before.quality,
  }
}

function decide(
  prompt: FinishedPrompt,
  fit: QualityFit,
  { router, candidates, knowledgeOf }: DecisionChangeOptions,
): Decided | null {
  const { reading } = prompt
  // A run asks each model at its provider's default effort.
  const policy = { ...policyOf(router, 0), chooseEffort: false }
  const { promptTokens } = reading
  const request = {
    promptTokens,
    maxOutputTokens: null,
    needs: [],
    isStreamed: false,
    effort: null,
  }
  const context = { ...request, reading, lastAnswer: null }
  const { ranked } = rank(candidates, { knowledgeOf, context, policy })
  const [before] = ranked
  if (before === undefined) return null
  const taught = ranked.map((one) => ({
    ...one,
    estimate: { ...one.estimate, quality: rounded(qualityAfter(one.model, reading, fit)) },
  }))
  const [after = before] = order(
    taught.toSorted((a, b) => a.position - b.position),
    policy.strategy,
    policy.parameters,
  )
  return { before, after, prompt }
}

/** Qualities are compared in ten-thousandths. */
function rounded(quality: number): number {
  return Math.round(quality * 1e4) / 1e4
}

function qualityAfter(
  model: string,
  { startLogits, topics, difficulty }: FinishedPrompt['reading'],
  fit: QualityFit,
): number {
  const own = fit.models.get(model)?.coefficients ?? fit.common
  return sigmoid((startLogits[model] ?? 0) + (own ? ownLogit(own, { topics, difficulty }) : 0))
}

/** Costs are measured; where a model gave no answer, they are estimated. */
function decisionsOf(
  decided: readonly { one: EstimatedCandidate; prompt: FinishedPrompt }[],
  qualityOf: (one: EstimatedCandidate, prompt: FinishedPrompt) => number,
): TuningDecisions {
  const counts = new Map<string, number>()
  let nanoUsd = 0
  let quality = 0
  for (const { one, prompt } of decided) {
    counts.set(one.model, (counts.get(one.model) ?? 0) + 1)
    const answer = prompt.outcome.answers.find(({ model }) => model === one.model)
    nanoUsd += answer?.costNanoUsd ?? one.estimate.costNanoUsd
    quality += qualityOf(one, prompt)
  }
  return {
    shares: [...counts]
      .map(([model, count]) => ({ model, share: count / decided.length }))
      .toSorted((a, b) => b.share - a.share),
    costUsd: nanoUsd / 1e9,
    quality: quality / decided.length,
  }
}
