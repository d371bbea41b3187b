/** The models expected to answer nearly as well as the best one, among which most strategies choose. */
import { qualityPoints } from './reason-words.ts'
import type { RankParameters } from '../../shared/requests/detail.ts'
import { allowedLossShare } from './loss-account.ts'
import type { Contender } from './strategies/strategy.ts'
import { byKey } from './tie-break.ts'

/** Qualities are ten-thousandths; the floating-point error of their difference is far smaller. */
const rounding = 1e-9

/**
 * The tolerance among these: that of the parameters, and where no prompt may lose more than the mean, no more than
 * that. Where an account decides, the models within it are those worth trying.
 */
export function toleranceAmong(
  contenders: readonly Contender[],
  { qualityTolerance, limitEachPrompt, account }: RankParameters,
): number {
  if (account === null && !limitEachPrompt) return qualityTolerance
  // Paced qualities may all be below 0.
  const limit = Math.max(0, allowedLossShare * bestQuality(contenders))
  return account === null ? Math.min(qualityTolerance, limit) : limit
}

/** Whether it is good enough among these. */
export function isAmongGood(
  { estimate }: Contender,
  contenders: readonly Contender[],
  tolerance: number,
): boolean {
  return isGoodEnough(estimate.quality, bestQuality(contenders), tolerance)
}

export function isGoodEnough(quality: number, best: number, tolerance: number): boolean {
  return best - quality <= tolerance + rounding
}

/** The good enough ones as `rankGood` orders them, then the others, best first. */
export function goodEnoughFirst<One extends Contender>(
  contenders: readonly One[],
  tolerance: number,
  rankGood: (good: readonly One[]) => One[],
): One[] {
  const best = bestQuality(contenders)
  const good: One[] = []
  const others: One[] = []
  for (const contender of contenders) {
    const isGood = isGoodEnough(contender.estimate.quality, best, tolerance)
    ;(isGood ? good : others).push(contender)
  }
  return [...rankGood(good), ...others.toSorted(byKey(({ estimate }) => -estimate.quality))]
}

/** `Cheapest of the 3 models within 8 points of the best expected quality` */
export function whyFirstOfGood(
  superlative: string,
  contenders: readonly Contender[],
  tolerance: number,
): string {
  const good = contenders.filter((one) => isAmongGood(one, contenders, tolerance))
  const within = `within ${qualityPoints(tolerance)} of the best expected quality`
  if (good.length === 1) return `Only model ${within}`
  const things = good.some(({ effort }) => effort !== undefined) ? 'models and efforts' : 'models'
  return `${superlative} of the ${good.length} ${things} ${within}`
}

/**
 * What would put the second model first: a wider tolerance if its quality was too low, a narrower one if
 * its quality is higher, otherwise a smaller figure. Null when none of them would.
 */
export function flipInGood(
  ranked: readonly Contender[],
  tolerance: number,
  figure: { name: string; amountOf(contender: Contender): number },
): string | null {
  const [first, second] = ranked
  if (!first || !second) return null
  const best = bestQuality(ranked)
  const gap = (contender: Contender) => Math.round((best - contender.estimate.quality) * 1e4) / 1e4
  const would = `would choose ${second.model}`
  if (!isGoodEnough(second.estimate.quality, best, tolerance)) {
    if (figure.amountOf(second) >= figure.amountOf(first)) return null
    return `a quality tolerance of ${qualityPoints(gap(second))} instead of ${qualityPoints(tolerance)} ${would}`
  }
  if (gap(first) > gap(second)) {
    return `a quality tolerance under ${qualityPoints(gap(first))} instead of ${qualityPoints(tolerance)} ${would}`
  }
  // What decided then is no amount, for example that a time is only assumed.
  if (figure.amountOf(second) <= figure.amountOf(first)) return null
  const share = 1 - figure.amountOf(first) / figure.amountOf(second)
  return `${figure.name} ${Math.ceil(share * 100)} % lower ${would}`
}

export function bestQuality(contenders: readonly Contender[]): number {
  return contenders.reduce((best, { estimate }) => Math.max(best, estimate.quality), -Infinity)
}
