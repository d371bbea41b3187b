/** Money is stored in integer nano-dollars, so that sums are exact. */
const nanoPerUsd = 1e9

export function toNanoUsd(usd: number): number {
  return Math.round(usd * nanoPerUsd)
}

export function toUsd(nanoUsd: number): number {
  return nanoUsd / nanoPerUsd
}
