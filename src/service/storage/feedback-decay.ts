/**
 * Feedback fades by two hundredths a week. Counts are kept as if all of it were given at one fixed time:
 * then adding is a sum, taking back leaves nothing behind, and fading is one factor when they are read.
 */
const keptPerWeek = 0.98
const weekMs = 7 * 86_400_000
const fixedMs = Date.UTC(2026, 0, 1)

/** How much more than at the fixed time feedback of this time counts. */
export function growthSince(timeMs: number): number {
  return keptPerWeek ** ((fixedMs - timeMs) / weekMs)
}
