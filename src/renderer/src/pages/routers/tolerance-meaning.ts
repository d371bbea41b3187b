/**
 * What a quality tolerance meant where it was measured: `cost_optimized` on four public sets of exam-style
 * questions, against the best single model of each (study of routing, section 2.6).
 */
interface Measured {
  tolerance: number
  /** Least and greatest of the four, in percent. */
  kept: readonly [number, number]
  saved: readonly [number, number]
}

const least: Measured = { tolerance: 0.03, kept: [98.5, 105.3], saved: [16, 29] }
const measured: readonly Measured[] = [
  least,
  { tolerance: 0.05, kept: [97.2, 103.5], saved: [35, 42] },
  { tolerance: 0.08, kept: [94.2, 99.7], saved: [67, 71] },
  { tolerance: 0.15, kept: [85.7, 95.1], saved: [83, 97] },
]

/** In a sentence; beyond what was measured it says so. */
export function toleranceMeaning(tolerance: number): string {
  const below = measured.findLast((one) => one.tolerance <= tolerance)
  const above = measured.find((one) => one.tolerance >= tolerance)
  if (!below) return `Not measured below 0.03. ${inWords(least)}`
  if (!above) return `Not measured above ${below.tolerance}. ${inWords(below)}`
  if (below === above) return inWords(below)
  return `${inWords(below)} ${inWords(above)}`
}

function inWords({ tolerance, kept, saved }: Measured): string {
  return `At ${tolerance}, routing kept ${range(kept)} of the best model’s quality and saved ${range(saved)} of its cost.`
}

function range([from, to]: readonly [number, number]): string {
  return `${Math.round(from)}–${Math.round(to)} %`
}
