/** How the router's strategy would have decided the prompts of a run, before it and with what it taught. */
import type { Router } from '../../shared/entities.ts'
import type { TuningDecisions, TuningResult } from '../../shared/tuning/tuning-run.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { Candidate, EstimatedCandidate, ModelKnowledge } from '../routing/candidate.ts'
import { withOwnKinds } from '../routing/own-kinds.ts'
import { fitOf, learnOwn, type OwnKnowledge } from '../routing/own-knowledge.ts'
import { afterChoice } from '../routing/loss-account.ts'
import { order } from '../routing/order.ts'
import { parametersOf, policyOf } from '../routing/parameters.ts'
import { rank } from '../routing/rank.ts'
import type { FinishedPrompt } from './result-tables.ts'

export interface DecisionChangeOptions {
  router: Router
  candidates: readonly Candidate[]
  knowledgeOf(candidate: Candidate): ModelKnowledge
  prompts: readonly FinishedPrompt[]
  /** Prompts judged by earlier runs, and those judged by this one. */
  judged: { before: readonly JudgedPrompt[]; now: readonly JudgedPrompt[] }
}

/** @returns null when nothing was graded, or when the router has no choice */
export function decisionChange(options: DecisionChangeOptions): TuningResult['change'] {
  const { router, candidates, prompts, judged } = options
  if (candidates.length < 2 || judged.now.length === 0) return null
  const earlier = learn(judged.before, candidates)
  const taught = learn([...judged.before, ...judged.now], candidates)
  const ranked = (own: OwnKnowledge) => settled(prompts, own, options)
  const [rankedBefore, rankedAfter] = [ranked(earlier), ranked(taught)]
  const decided = prompts.flatMap((prompt, at) => {
    const [first] = rankedBefore[at] ?? []
    const after = rankedAfter[at] ?? []
    const sameModel = after.find(({ model }) => model === first?.model)
    return sameModel && after[0] ? [{ before: sameModel, after: after[0], prompt }] : []
  })
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

/** Number of choices after which an account is settled. */
const settlingChoices = 500

/** The decisions once the account of a strategy that has one is settled on these prompts. */
function settled(
  prompts: readonly FinishedPrompt[],
  own: OwnKnowledge,
  options: DecisionChangeOptions,
): (readonly EstimatedCandidate[])[] {
  const estimated = prompts.map((prompt) => rankWith(own, prompt, options))
  const { strategy } = options.router
  let { account, ...parameters } = parametersOf(options.router)
  if (account === null) return estimated
  const decideAll = () =>
    estimated.map((among) => {
      const ranked = order(among, strategy, { ...parameters, account })
      const [chosen] = ranked
      if (account && chosen) account = afterChoice(account, { among, chosen, paced: 0 })
      return ranked
    })
  for (let count = prompts.length; count < settlingChoices; count += prompts.length) decideAll()
  return decideAll()
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

/** Decisions on the prompts. Costs are measured where the model answered, and estimated otherwise. */
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
