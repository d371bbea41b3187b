/**
 * Feedback fades by 2 % a week. Counts are stored as if all feedback had been given at one fixed time. Adding
 * is then a sum, withdrawing leaves no remainder, and fading is one factor applied when they are read.
 */
const keptPerWeek = 0.98
const weekMs = 7 * 86_400_000
const fixedMs = Date.UTC(2026, 0, 1)

/** The factor by which feedback of this time counts more than feedback of the fixed time. */
export function growthSince(timeMs: number): number {
  return keptPerWeek ** ((fixedMs - timeMs) / weekMs)
}
