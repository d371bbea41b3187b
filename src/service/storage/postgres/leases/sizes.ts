/** How much of the rest of a budget or of a router's day one node leases, and how much of it the node keeps. */

/** A lease is at most this part of what is left, so that every node can get one and little of the rest lies unused. */
export const slices = 16

export interface Rest {
  /** The limit, less what was spent and all leases; negative after the limit was lowered. */
  leftNanoUsd: number
  /** The unused part of the node's lease. */
  freeNanoUsd: number
}

/**
 * @param needs  the reservations that wait for a grant
 * @returns how much to add to the node's lease: what the waiting reservations need, or a slice if that is more; null
 * when not even the smallest of them would fit
 */
export function grantSize(
  { leftNanoUsd, freeNanoUsd }: Rest,
  needs: readonly number[],
): number | null {
  if (freeNanoUsd + leftNanoUsd < Math.min(...needs)) return null
  const missing = missingFor(needs, freeNanoUsd)
  if (missing === 0) return 0
  return Math.max(0, Math.min(leftNanoUsd, Math.max(missing, sliceOf(leftNanoUsd))))
}

export function missingFor(needs: readonly number[], freeNanoUsd: number): number {
  return Math.max(0, needs.reduce((sum, need) => sum + need, 0) - freeNanoUsd)
}

/** @returns how much of the free part of its lease a node keeps for its next requests */
export function freePartToKeep({ leftNanoUsd, freeNanoUsd }: Rest, isIdle: boolean): number {
  return isIdle ? 0 : Math.max(0, Math.min(freeNanoUsd, sliceOf(leftNanoUsd + freeNanoUsd)))
}

/** The largest lease that is not needed at once. */
export function sliceOf(leftNanoUsd: number): number {
  return Math.floor(leftNanoUsd / slices)
}
