/** Adds up the answers that a request paid for: usually one, more in a cascade. */
import type { ChatUsage } from '../../../shared/chat/chat.ts'
import type { RequestDetail, TokenClasses } from '../../../shared/requests/detail.ts'
import { carbonGrams, type CarbonEstimate } from '../../catalog/carbon.ts'
import { costNanoUsd, priceRow } from '../../catalog/cost.ts'
import { withSurcharges } from '../../catalog/surcharges.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { billedTokens, tokenClasses } from './token-classes.ts'

export interface MeteredAnswer {
  candidate: Candidate
  usage: ChatUsage
  /** Whether the token counts are the provider's. */
  isReported: boolean
}

export interface Bill {
  costNanoUsd: number
  /** Null where nothing was answered. */
  carbon: CarbonEstimate | null
}

export function billOf(answers: readonly MeteredAnswer[]): Bill {
  let nanoUsd = 0
  let carbon: CarbonEstimate | null = null
  for (const answer of answers) {
    const { candidate, usage } = answer
    nanoUsd += withSurcharges(costNanoUsd(candidate.price, billedTokens(usage)), usage)
    carbon = addCarbon(carbon, carbonOf(answer))
  }
  return { costNanoUsd: nanoUsd, carbon }
}

export function tokensOf(answers: readonly MeteredAnswer[]): TokenClasses {
  return answers.map(({ usage }) => tokenClasses(usage)).reduce(addTokens, noTokens)
}

/** A sum with one estimate is an estimate. */
export function tokenSourceOf(answers: readonly MeteredAnswer[]): RequestDetail['tokenSource'] {
  if (answers.length === 0) return 'none'
  return answers.every(({ isReported }) => isReported) ? 'reported' : 'estimated'
}

/** The ledger's counts: the reported tokens or the estimated ones. */
export function tokenCounts(answers: readonly MeteredAnswer[]) {
  const source = tokenSourceOf(answers)
  const sumOf = (name: 'prompt_tokens' | 'completion_tokens') =>
    answers.reduce((sum, { usage }) => sum + usage[name], 0)
  return {
    reportedPromptTokens: source === 'reported' ? sumOf('prompt_tokens') : null,
    reportedCompletionTokens: source === 'reported' ? sumOf('completion_tokens') : null,
    estimatedPromptTokens: source === 'estimated' ? sumOf('prompt_tokens') : null,
    estimatedCompletionTokens: source === 'estimated' ? sumOf('completion_tokens') : null,
  }
}

/** The prompt of a request of which only a part was sent. */
export function partOf(usage: ChatUsage, share: number): ChatUsage {
  if (share === 1) return usage
  const tokens = Math.ceil(usage.prompt_tokens * share)
  return { ...usage, prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens }
}

/** The price row that applied to a prompt of this size. */
export function priceOf(
  { price, priceSource }: Candidate,
  promptTokens: number,
): NonNullable<RequestDetail['price']> {
  const row = priceRow(price, promptTokens)
  const { inputUsdPerMtok, outputUsdPerMtok } = row
  const { cacheReadUsdPerMtok = null, cacheWriteUsdPerMtok = null } = row
  return {
    inputUsdPerMtok,
    outputUsdPerMtok,
    cacheReadUsdPerMtok,
    cacheWriteUsdPerMtok,
    ...priceSource,
  }
}

const noTokens: TokenClasses = {
  input: 0,
  cacheRead: null,
  cacheWrite: null,
  output: 0,
  reasoning: null,
}

function carbonOf({ candidate, usage }: MeteredAnswer): CarbonEstimate {
  const billed = billedTokens(usage)
  const { cacheReadTokens: cachedTokens, outputTokens } = billed
  const inputTokens = billed.inputTokens + billed.cacheWriteTokens
  const { energy, gridGramsPerKwh } = candidate
  return carbonGrams(energy, { inputTokens, cachedTokens, outputTokens }, gridGramsPerKwh)
}

/** The bounds add up as if all errors went the same way: too wide rather than too narrow. */
function addCarbon(sum: CarbonEstimate | null, one: CarbonEstimate): CarbonEstimate {
  if (sum === null) return one
  const isModelled = sum.method === 'modelled' && one.method === 'modelled'
  return {
    low: sum.low + one.low,
    mid: sum.mid + one.mid,
    high: sum.high + one.high,
    method: isModelled ? 'modelled' : 'unknown',
  }
}

function addTokens(a: TokenClasses, b: TokenClasses): TokenClasses {
  return {
    input: a.input + b.input,
    cacheRead: addKnown(a.cacheRead, b.cacheRead),
    cacheWrite: addKnown(a.cacheWrite, b.cacheWrite),
    output: a.output + b.output,
    reasoning: addKnown(a.reasoning, b.reasoning),
  }
}

/** @returns null if the provider does not report it; it then counts it as input or output */
function addKnown(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0)
}
