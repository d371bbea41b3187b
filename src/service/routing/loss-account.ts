/**
 * The account of allowed loss: `cost_optimized` may lose 5 % of the best expected quality on the mean of a router's
 * requests, and spends it where a saved dollar takes the least quality. A model's loss is what it is expected to be
 * worse than the best one, and a part of what that is uncertain by, so that models hardly known have to save more.
 * Each choice moves the price: up while less is lost than allowed, down while more is. Pure; the reasons are in
 * docs/decisions/2026-11-23-account-of-loss.md.
 */
import type {
  DecisionRecord,
  Estimate,
  LossAccount,
  RankParameters,
} from '../../shared/requests/detail.ts'
import type { Contender } from './strategies/strategy.ts'
import { breakTie } from './tie-break.ts'

/** The part of the best expected quality that may be lost: of the mean, or of each prompt where that is set. */
export const allowedLossShare = 0.05
/** The part of a deviation of the difference that counts as lost. */
const caution = 0.6
/** Estimates are no more precise than half a percentage point. */
export const qualityBand = 0.005
/** Half-widths are those of 90 % intervals. */
const deviations90 = 1.645
/** Qualities are rounded, and none is certain. */
const leastVariance = 1e-4

/** The change of the logarithm for a choice that loses nothing, and how many times that it falls at most. */
const step = 0.025
const greatestFall = 5
const leastPrice = 1e-4
const greatestPrice = 10
/** Number of the last requests that the mean cost follows. */
const rememberedChoices = 200

/** The account before a router's first choice. The price is low, so that the first choices are careful. */
export const openedAccount: LossAccount = {
  choices: 0,
  qualityPerMeanCost: 0.02,
  meanCostUsd: null,
}

/** What a choice takes away, in expected quality. */
export interface Spending<One extends Contender> {
  /** Expected to be best; null without contenders. */
  best: One | null
  /** Cautious estimate of how much lower the quality is than the best. */
  lossOf(contender: Contender): number
  /** Quality that a US dollar is worth: the account's price, or that of a budget that is ahead of its pace. */
  qualityPerUsd: number
  /** The loss, and the cost at this price: the least is chosen. Rounded, so that ties are ties everywhere. */
  totalOf(contender: Contender): number
}

export function spendingAmong<One extends Contender>(
  contenders: readonly One[],
  { account, qualityPerUsd: paced }: Pick<RankParameters, 'account' | 'qualityPerUsd'>,
): Spending<One> {
  const best = bestAmong(contenders, ({ estimate }) => estimate)
  const own = account === null || best === null ? 0 : priceOfQuality(account, best)
  const qualityPerUsd = Math.max(paced, own)
  const lossOf = lossesAgainst(best, contenders)
  const totalOf = (contender: Contender) => {
    const costUsd = contender.estimate.costNanoUsd / 1e9
    return Math.round((lossOf(contender) + qualityPerUsd * costUsd) * 1e6) / 1e6
  }
  return { best, lossOf, qualityPerUsd, totalOf }
}

/** The account after a recorded decision: its first model was chosen. */
export function afterDecision(
  account: LossAccount,
  { ranked, parameters }: RankedDecision,
): LossAccount {
  const [chosen] = ranked
  if (!chosen) return account
  return afterChoice(account, { among: ranked, chosen, paced: parameters?.qualityPerUsd ?? 0 })
}

type RankedDecision = Pick<DecisionRecord, 'ranked' | 'parameters'>

interface Choice<One extends Contender> {
  among: readonly One[]
  chosen: One
  /** What a dollar was worth by the budget's pace. */
  paced: number
}

/**
 * The account after a choice. It does not change when there were fewer than two contenders, or when a budget set a
 * higher price than the account.
 */
export function afterChoice<One extends Contender>(
  account: LossAccount,
  { among, chosen, paced }: Choice<One>,
): LossAccount {
  const { best, lossOf, qualityPerUsd } = spendingAmong(among, { account, qualityPerUsd: 0 })
  if (best === null || among.length < 2) return account
  const allowed = allowedLossShare * best.estimate.quality
  const unspent = allowed === 0 ? 0 : 1 - lossOf(chosen) / allowed
  const change = paced > qualityPerUsd ? 0 : step * Math.max(-greatestFall, unspent)
  const price = account.qualityPerMeanCost * Math.exp(change)
  return {
    choices: account.choices + 1,
    qualityPerMeanCost: rounded(Math.min(greatestPrice, Math.max(leastPrice, price))),
    meanCostUsd: rounded(meanCostWith(account, best)),
  }
}

/** @returns 0 while the best models cost nothing */
function priceOfQuality(account: LossAccount, best: Contender): number {
  const costUsd = meanCostWith(account, best)
  return costUsd === 0 ? 0 : account.qualityPerMeanCost / costUsd
}

/** Mean cost including this request's: after a few short prompts, a long one is no bargain only for being long. */
function meanCostWith({ choices, meanCostUsd }: LossAccount, { estimate }: Contender): number {
  const costUsd = estimate.costNanoUsd / 1e9
  const before = meanCostUsd ?? costUsd
  return before + (costUsd - before) / (Math.min(choices, rememberedChoices - 1) + 1)
}

/** Six digits: far below what a choice changes, and the values are recorded with every request. */
function rounded(value: number): number {
  return Number(value.toPrecision(6))
}

// ---- losses --------------------------------------------------------------------------------------

/** What is expected of a model, by all that is known or by ratings alone. */
type Expected = Pick<Estimate, 'quality' | 'qualityHalfWidth'>

/** The cheapest of the contenders that are about best, as `quality_optimized` chooses. */
function bestAmong<One extends Contender>(
  contenders: readonly One[],
  expectedOf: (contender: Contender) => Expected,
): One | null {
  let greatest = 0
  for (const one of contenders) greatest = Math.max(greatest, expectedOf(one).quality)
  let best: One | null = null
  for (const one of contenders) {
    if (expectedOf(one).quality < greatest - qualityBand) continue
    if (best === null || breakTie(one, best) < 0) best = one
  }
  return best
}

/**
 * Losses against the best. While few answers of a model were judged, the loss by ratings alone counts for their share.
 * The greater of both would follow the less lucky of two guesses, keep more than was promised and save less.
 */
function lossesAgainst(
  best: Contender | null,
  contenders: readonly Contender[],
): (contender: Contender) => number {
  if (best === null) return () => 0
  const isMixed = contenders.some(({ estimate }) => estimate.rated !== undefined)
  if (!isMixed) return (contender) => lossBetween(contender.estimate, best.estimate)
  const bestRated = bestAmong(contenders, ratedOf) ?? best
  return (contender) => {
    const loss = lossBetween(contender.estimate, best.estimate)
    const rated = lossBetween(ratedOf(contender), ratedOf(bestRated))
    const share = Math.max(shareOf(contender), shareOf(best))
    return share * rated + (1 - share) * loss
  }
}

function ratedOf({ estimate }: Contender): Expected {
  return estimate.rated ?? estimate
}

function shareOf({ estimate }: Contender): number {
  return estimate.rated?.share ?? 0
}

function lossBetween(one: Expected, best: Expected): number {
  if (one === best) return 0
  return Math.max(0, best.quality - one.quality + caution * doubt(one, best))
}

/** The deviation of the difference between two qualities, each uncertain on the logit. */
function doubt(one: Expected, best: Expected): number {
  const [ofOne, ofBest] = [varianceOf(one), varianceOf(best)]
  const logits = Math.hypot(one.qualityHalfWidth / ofOne, best.qualityHalfWidth / ofBest)
  return (Math.sqrt(ofOne * ofBest) * logits) / deviations90
}

function varianceOf({ quality }: Expected): number {
  return Math.max(leastVariance, quality * (1 - quality))
}
