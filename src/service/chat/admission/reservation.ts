/**
 * The highest possible cost of a request, calculated from prices and counts before it is sent.
 *
 * Prompt: the most that its text and media can have at the model (`routing/prompt-size.ts`), because the estimate counts
 * characters and a provider counts its own tokens; at the price of the most expensive input class. What the request refers
 * to and does not show is bounded by the model's context (`billed-later.ts`). Answer, for each of `n` choices: the caller's limit, or
 * the model's maximum if that is less; without a limit the model's longest answer, else the rest of its context.
 *
 * Without a caller's limit, the longest answer is often a hundred times as long as a usual one. If it does not fit the
 * budget, the answer is limited instead of the request refused: to an eighth of the remaining budget, which leaves room
 * for concurrent requests, but to no fewer than 4,096 tokens while the budget covers them. An answer of fewer than 256
 * tokens is not worth its prompt, so such a request is refused.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { PriceRow } from '../../../shared/models/price.ts'
import { costNanoUsd, priceRow } from '../../catalog/cost.ts'
import { inUs } from '../../catalog/surcharges.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { leastPromptTokens, mostPromptTokens, type PromptSize } from '../../routing/prompt-size.ts'
import type { ChatCall, PlannedTier } from '../chat-call.ts'
import { choicesOf } from './request-needs.ts'
import { billedLater, nothingLater, type BilledLater } from './billed-later.ts'

const shareOfRest = 8
const usualOutputTokens = 4_096
const leastOutputTokens = 256

/** The properties of a request that determine its cost. */
export interface CostFactors {
  prompt: PromptSize
  /** The caller's limit for one answer; null without one. */
  outputTokens: number | null
  /** `n` */
  choices: number
  later: BilledLater
}

interface EstimatedCall extends Pick<ChatCall, 'original'> {
  body: ChatRequest | null
}

export type FundingResult =
  | {
      isFunded: true
      nanoUsd: number
      /** The token limit to send for each answer; null when none is needed. */
      outputTokens: number | null
    }
  /** @property nanoUsd  the smallest remaining budget that would suffice */
  | { isFunded: false; nanoUsd: number }

/** @param call  without a body for embeddings, which have no output */
export function costFactorsOf({ body, original }: EstimatedCall, prompt: PromptSize): CostFactors {
  if (body === null) return { prompt, outputTokens: 0, choices: 1, later: nothingLater }
  const outputTokens = body.max_completion_tokens ?? body.max_tokens ?? null
  const later = billedLater({ body, original })
  return { prompt, outputTokens, choices: choicesOf(body), later }
}

/** The reservation for a candidate, if it fits the remaining budget. A free candidate always fits. */
export function fund(
  candidate: Candidate,
  factors: CostFactors,
  leftNanoUsd: number,
): FundingResult {
  const costOf = (outputTokens: number) => dearest(candidate, factors, outputTokens)
  const longest =
    factors.outputTokens === null
      ? longestAnswer(candidate, factors)
      : Math.min(factors.outputTokens, candidate.maxOutputTokens ?? Infinity)
  const nanoUsd = costOf(longest ?? leastOutputTokens)
  const isDearest = longest !== null || rowFor(candidate, factors).outputUsdPerMtok === 0
  if (isDearest && (nanoUsd === 0 || nanoUsd <= leftNanoUsd)) {
    return { isFunded: true, nanoUsd, outputTokens: null }
  }
  if (factors.outputTokens !== null) return { isFunded: false, nanoUsd }
  const affordable = affordableTokens(candidate, factors, leftNanoUsd)
  const least = Math.min(leastOutputTokens, longest ?? Infinity)
  if (affordable < least) return { isFunded: false, nanoUsd: costOf(least) }
  const share = Math.max(usualOutputTokens, Math.floor(affordable / shareOfRest))
  const outputTokens = Math.min(affordable, share, longest ?? usualOutputTokens)
  return { isFunded: true, nanoUsd: costOf(outputTokens), outputTokens }
}

/** The reservation for a cascade's tiers, and which of them fit. */
export interface FundedTiers {
  tiers: PlannedTier[]
  /** The sum over all tiers that fit, because rejected answers are paid for too. */
  nanoUsd: number
  /** Token limit to send for each answer, by model. */
  outputLimits: Map<string, number>
  /** Highest cost of one answer, by model. */
  most: Map<string, number>
}

/** @param leftNanoUsd  without the reservation for the answer after the tiers */
export function fundTiers(
  tiers: readonly PlannedTier[],
  factors: CostFactors,
  leftNanoUsd: number,
): FundedTiers {
  const funded: FundedTiers = { tiers: [], nanoUsd: 0, outputLimits: new Map(), most: new Map() }
  for (const tier of tiers) {
    let nanoUsd = funded.nanoUsd
    const limits: [string, number][] = []
    const amounts: [string, number][] = []
    const isFunded = tier.candidates.every((candidate) => {
      const funding = fund(candidate, factors, leftNanoUsd - nanoUsd)
      nanoUsd += funding.nanoUsd
      amounts.push([candidate.modelId, funding.nanoUsd])
      if (funding.isFunded && funding.outputTokens !== null)
        limits.push([candidate.modelId, funding.outputTokens])
      return funding.isFunded
    })
    if (!isFunded) continue
    funded.tiers.push(tier)
    funded.nanoUsd = nanoUsd
    for (const [model, tokens] of limits) keepLeast(funded.outputLimits, model, tokens)
    for (const [model, most] of amounts) keepLeast(funded.most, model, most)
  }
  return funded
}

/** Sets a model's amount unless it has a smaller one. */
export function keepLeast(amounts: Map<string, number>, model: string, amount: number): void {
  amounts.set(model, Math.min(amount, amounts.get(model) ?? Infinity))
}

/** @returns null when neither the model's longest answer nor its context is known */
function longestAnswer(candidate: Candidate, { prompt }: CostFactors): number | null {
  const { maxOutputTokens, contextTokens } = candidate
  if (contextTokens === null) return maxOutputTokens
  const rest = contextTokens - leastPromptTokens(candidate, prompt)
  return Math.min(maxOutputTokens ?? Infinity, Math.max(1, rest))
}

/** @returns Infinity when neither the text nor the model's context bounds the prompt */
function dearest(candidate: Candidate, factors: CostFactors, outputTokens: number): number {
  const { readings, feesNanoUsd, isInUs } = factors.later
  const row = rowFor(candidate, factors)
  const inputUsdPerMtok = Math.max(
    row.inputUsdPerMtok,
    row.cacheReadUsdPerMtok ?? 0,
    row.cacheWriteUsdPerMtok ?? 0,
    row.cacheWrite1hUsdPerMtok ?? 0,
  )
  const inputTokens = inputUsdPerMtok === 0 ? 0 : mostInput(candidate, factors)
  if (inputTokens === Infinity) return Infinity
  const one = costNanoUsd(
    { inputUsdPerMtok, outputUsdPerMtok: row.outputUsdPerMtok },
    {
      inputTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: outputTokens * factors.choices,
    },
  )
  return readings * (isInUs ? inUs(one) : one) + feesNanoUsd
}

function mostInput(candidate: Candidate, { prompt, later }: CostFactors): number {
  const promptTokens = Math.max(prompt.promptTokens, later.textTokens)
  const most = mostPromptTokens(candidate, { ...prompt, promptTokens })
  return later.unread === null ? most : Math.max(most, candidate.contextTokens ?? Infinity)
}

/** A prompt that the provider may count as long is reserved at the long prompt's price. */
function rowFor(candidate: Candidate, factors: CostFactors): PriceRow {
  return priceRow(candidate.price, mostInput(candidate, factors))
}

/** The answer length that the remaining budget pays for; negative when it does not even cover the prompt. */
function affordableTokens(candidate: Candidate, factors: CostFactors, leftNanoUsd: number): number {
  const forAnswers = leftNanoUsd - dearest(candidate, factors, 0)
  if (forAnswers < 0) return -1
  const { readings, isInUs } = factors.later
  const oneNanoUsdPerMtok =
    Math.round(rowFor(candidate, factors).outputUsdPerMtok * 1e6) * 1e3 * factors.choices * readings
  const nanoUsdPerMtok = isInUs ? inUs(oneNanoUsdPerMtok) : oneNanoUsdPerMtok
  if (nanoUsdPerMtok === 0) return Infinity
  // Rounded down, because costs are rounded up and must not exceed the budget.
  return Number((BigInt(forAnswers) * 1_000_000n) / BigInt(nanoUsdPerMtok))
}
