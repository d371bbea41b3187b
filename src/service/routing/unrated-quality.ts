/** The quality of a model that no source rates: from its price, with a low weight. */
import type { TokenPrice } from '../../shared/models/price.ts'
import type { QualityPrior } from './candidate.ts'

/**
 * 74 rated models of the catalogue gain 24 points with each e-fold of their price. Unrated models are worse than rated
 * ones of that price (measured, docs/decisions/2026-11-23-account-of-loss.md), so the line starts at what is assumed of
 * a model that costs nothing.
 */
const pointsPerLnUsd = 24
const pointsAtOneDollar = 1200
const strength = 5

export function unratedQuality({ inputUsdPerMtok, outputUsdPerMtok }: TokenPrice): QualityPrior {
  // Three prompt tokens to one of the answer.
  const usdPerMtok = (3 * inputUsdPerMtok + outputUsdPerMtok) / 4
  if (usdPerMtok <= 0) {
    return { points: pointsAtOneDollar, strength, offsets: null, basis: 'assumed' }
  }
  const points = Math.round(pointsAtOneDollar + pointsPerLnUsd * Math.log(usdPerMtok))
  return { points, strength, offsets: null, basis: 'price' }
}
