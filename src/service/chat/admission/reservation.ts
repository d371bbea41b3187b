/**
 * The dearest a request can become, before it is sent: pure arithmetic on prices and counts.
 *
 * Prompt: the estimate, a quarter more and 32 tokens, because the estimate counts characters and a
 * provider its own tokens; at the price of the dearest input class. Answer, for each of `n` choices:
 * what the caller allows; else the longest the model gives; else what its context leaves.
 *
 * Where the caller set no limit, that longest answer is often a hundred times what an answer is. If
 * it does not fit into what is left, the answer is limited instead of the request refused: to an
 * eighth of what is left, so that requests beside it find something too, but to 4,096 tokens at the
 * least while there is as much. Below 256 tokens an answer is not worth its prompt.
 */
import type { ChatRequest } from '../../../shared/chat.ts'
import type { PriceRow } from '../../../shared/price.ts'
import { costNanoUsd, priceRow } from '../../catalog/cost.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { PlannedTier } from '../chat-call.ts'

const shareOfRest = 8
const usualOutputTokens = 4_096
const leastOutputTokens = 256

/** What a request asks for that costs money. */
export interface Ask {
  /** As estimated. */
  promptTokens: number
  /** The caller's limit for one answer; null where it set none. */
  outputTokens: number | null
  /** `n` */
  choices: number
}

export type Funding =
  | {
      isFunded: true
      nanoUsd: number
      /** The limit each answer has to be sent with; null where none is needed. */
      outputTokens: number | null
    }
  /** @property nanoUsd  the least that would have to be left */
  | { isFunded: false; nanoUsd: number }

export function askOf(body: ChatRequest, promptTokens: number): Ask {
  const outputTokens = body.max_completion_tokens ?? body.max_tokens ?? null
  return { promptTokens, outputTokens, choices: body.n ?? 1 }
}

/** What has to be set aside for a candidate, if so much is left. One that costs nothing always is. */
export function fund(candidate: Candidate, ask: Ask, leftNanoUsd: number): Funding {
  const costOf = (outputTokens: number) => dearest(candidate, ask, outputTokens)
  const longest = ask.outputTokens ?? longestAnswer(candidate, ask)
  const nanoUsd = costOf(longest ?? leastOutputTokens)
  const isDearest = longest !== null || rowFor(candidate, ask).outputUsdPerMtok === 0
  if (isDearest && (nanoUsd === 0 || nanoUsd <= leftNanoUsd)) {
    return { isFunded: true, nanoUsd, outputTokens: null }
  }
  if (ask.outputTokens !== null) return { isFunded: false, nanoUsd }
  const affordable = affordableTokens(candidate, ask, leftNanoUsd)
  const least = Math.min(leastOutputTokens, longest ?? Infinity)
  if (affordable < least) return { isFunded: false, nanoUsd: costOf(least) }
  const share = Math.max(usualOutputTokens, Math.floor(affordable / shareOfRest))
  const outputTokens = Math.min(affordable, share, longest ?? usualOutputTokens)
  return { isFunded: true, nanoUsd: costOf(outputTokens), outputTokens }
}

/** What has to be set aside for a cascade's tiers, and which of them fit. */
export interface FundedTiers {
  tiers: PlannedTier[]
  /** Of all that fit: a tier whose answer is not accepted is paid for, too. */
  nanoUsd: number
  /** Model to the limit each of its answers has to be sent with. */
  outputLimits: Map<string, number>
}

/** @param leftNanoUsd  beside what is set aside for the answer of no tier */
export function fundTiers(
  tiers: readonly PlannedTier[],
  ask: Ask,
  leftNanoUsd: number,
): FundedTiers {
  const funded: FundedTiers = { tiers: [], nanoUsd: 0, outputLimits: new Map() }
  for (const tier of tiers) {
    let nanoUsd = funded.nanoUsd
    const limits: [string, number][] = []
    const isFunded = tier.candidates.every((candidate) => {
      const funding = fund(candidate, ask, leftNanoUsd - nanoUsd)
      nanoUsd += funding.nanoUsd
      if (funding.isFunded && funding.outputTokens !== null)
        limits.push([candidate.modelId, funding.outputTokens])
      return funding.isFunded
    })
    if (!isFunded) continue
    funded.tiers.push(tier)
    funded.nanoUsd = nanoUsd
    for (const [model, tokens] of limits)
      funded.outputLimits.set(model, Math.min(tokens, funded.outputLimits.get(model) ?? Infinity))
  }
  return funded
}

/** Null where neither the model's longest answer nor its context is known. */
function longestAnswer({ maxOutputTokens, contextTokens }: Candidate, ask: Ask): number | null {
  if (contextTokens === null) return maxOutputTokens
  return Math.min(maxOutputTokens ?? Infinity, Math.max(1, contextTokens - ask.promptTokens))
}

function dearest(candidate: Candidate, ask: Ask, outputTokens: number): number {
  const row = rowFor(candidate, ask)
  const inputUsdPerMtok = Math.max(
    row.inputUsdPerMtok,
    row.cacheReadUsdPerMtok ?? 0,
    row.cacheWriteUsdPerMtok ?? 0,
  )
  return costNanoUsd(
    { inputUsdPerMtok, outputUsdPerMtok: row.outputUsdPerMtok },
    {
      inputTokens: longestPrompt(ask),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: outputTokens * ask.choices,
    },
  )
}

/** A prompt that may count as a long one for the provider is set aside for as one. */
function rowFor({ price }: Candidate, ask: Ask): PriceRow {
  return priceRow(price, longestPrompt(ask))
}

function longestPrompt({ promptTokens }: Ask): number {
  return Math.ceil(promptTokens * 1.25) + 32
}

/** How long each answer can be for what is left; below zero where not even the prompt is paid. */
function affordableTokens(candidate: Candidate, ask: Ask, leftNanoUsd: number): number {
  const forAnswers = leftNanoUsd - dearest(candidate, ask, 0)
  if (forAnswers < 0) return -1
  const nanoUsdPerMtok =
    Math.round(rowFor(candidate, ask).outputUsdPerMtok * 1e6) * 1e3 * ask.choices
  if (nanoUsdPerMtok === 0) return Infinity
  // Rounded down, so that the rounding of a cost up never takes what is not there.
  return Number((BigInt(forAnswers) * 1_000_000n) / BigInt(nanoUsdPerMtok))
}
