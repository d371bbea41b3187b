/** How the router's strategy would have decided the prompts of a run, before it and with what it taught. */
import type { Router } from '../../shared/entities.ts'
import type { TuningDecisions, TuningResult } from '../../shared/tuning-run.ts'
import type { JudgedPrompt } from '../../shared/tuning.ts'
import type { Candidate, EstimatedCandidate, ModelKnowledge } from '../routing/candidate.ts'
import { withOwnKinds } from '../routing/own-kinds.ts'
import { fitOf, learnOwn, type OwnKnowledge } from '../routing/own-knowledge.ts'
import { policyOf } from '../routing/parameters.ts'
import { rank } from '../routing/rank.ts'
import type { FinishedPrompt } from './result-tables.ts'

export interface DecisionChangeOptions {
  router: Router
  candidates: readonly Candidate[]
  knowledgeOf(candidate: Candidate): ModelKnowledge
  prompts: readonly FinishedPrompt[]
  /** What earlier runs taught, and what this one teaches. */
  judged: { before: readonly JudgedPrompt[]; now: readonly JudgedPrompt[] }
}

interface Decided {
  /** The chosen models, both with what is expected of them after the run. */
  before: EstimatedCandidate
  after: EstimatedCandidate
  prompt: FinishedPrompt
}

/** Null when nothing was graded, or when the router has no choice. */
export function decisionChange(options: DecisionChangeOptions): TuningResult['change'] {
  const { router, candidates, prompts, judged } = options
  if (candidates.length < 2 || judged.now.length === 0) return null
  const earlier = learn(judged.before, candidates)
  const taught = learn([...judged.before, ...judged.now], candidates)
  const decided = prompts.flatMap((prompt) => decide(prompt, { earlier, taught }, options) ?? [])
  if (decided.length === 0) return null
  const before = decisionsOf(decided.map((each) => ({ one: each.before, prompt: each.prompt })))
  const after = decisionsOf(decided.map((each) => ({ one: each.after, prompt: each.prompt })))
  return {
    strategy: router.strategy,
    prompts: decided.length,
    before,
    after,
    savedShare: before.costUsd === 0 ? null : 1 - after.costUsd / before.costUsd,
    qualityChange: after.quality - before.quality,
  }
}

function learn(prompts: readonly JudgedPrompt[], candidates: readonly Candidate[]): OwnKnowledge {
  const priorOf = (id: string) => candidates.find(({ modelId }) => modelId === id)?.quality ?? null
  return learnOwn({ prompts, weightOf: () => 1, priorOf })
}

function decide(
  prompt: FinishedPrompt,
  { earlier, taught }: { earlier: OwnKnowledge; taught: OwnKnowledge },
  options: DecisionChangeOptions,
): Decided | null {
  const [before] = rankWith(earlier, prompt, options)
  const after = rankWith(taught, prompt, options)
  const sameModel = after.find(({ model }) => model === before?.model)
  return sameModel && after[0] ? { before: sameModel, after: after[0], prompt } : null
}

function rankWith(
  own: OwnKnowledge,
  { reading }: FinishedPrompt,
  { router, candidates, knowledgeOf }: DecisionChangeOptions,
): readonly EstimatedCandidate[] {
  const { promptTokens, form } = reading
  const request = {
    promptTokens,
    maxOutputTokens: null,
    needs: [],
    isStreamed: false,
    effort: null,
  }
  const { ranked } = rank(candidates, {
    knowledgeOf: (candidate) => ({
      ...knowledgeOf(candidate),
      own: fitOf(own, candidate.modelId),
    }),
    context: { ...request, reading: withOwnKinds(reading, own.kinds, form), lastAnswer: null },
    // A run asks each model at its provider's default effort.
    policy: { ...policyOf(router), chooseEffort: false },
  })
  return ranked
}

/** Costs are measured where the model answered, and estimated otherwise. */
function decisionsOf(
  decided: readonly { one: EstimatedCandidate; prompt: FinishedPrompt }[],
): TuningDecisions {
  const counts = new Map<string, number>()
  let nanoUsd = 0
  let quality = 0
  for (const { one, prompt } of decided) {
    counts.set(one.model, (counts.get(one.model) ?? 0) + 1)
    const answer = prompt.outcome.answers.find(({ model }) => model === one.model)
    nanoUsd += answer?.costNanoUsd ?? one.estimate.costNanoUsd
    quality += one.estimate.quality
  }
  return {
    shares: [...counts]
      .map(([model, count]) => ({ model, share: count / decided.length }))
      .toSorted((a, b) => b.share - a.share),
    costUsd: nanoUsd / 1e9,
    quality: quality / decided.length,
  }
}
