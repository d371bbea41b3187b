/** A cap in nano-dollars. Fractions of one are cut off, so that no more than the cap is spent. */
export function nanoUsdOf(usd: number): number {
  return Math.floor(Math.round(usd * 1e12) / 1e3)
}
