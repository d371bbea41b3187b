import { formatQualityPoints } from '../../../../shared/models/quality-words.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
/**
 * The measured effect of a quality tolerance: `cost_optimized` on four public sets of exam
 * questions, compared with the best single model of each set (docs/benchmarks.md).
 */
interface Measured {
  tolerance: number
  /** Minimum and maximum of the four sets, in percent. */
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

/** The measured effect as text, with a note outside the measured range. */
export function toleranceMeaning(tolerance: number): string {
  const below = measured.findLast((one) => one.tolerance <= tolerance)
  const above = measured.find((one) => one.tolerance >= tolerance)
  if (!below)
    return t('Not measured below {tolerance}. {inWords}', {
      tolerance: formatQualityPoints(least.tolerance),
      inWords: inWords(least),
    })
  if (!above)
    return t('Not measured above {tolerance}. {inWords}', {
      tolerance: formatQualityPoints(below.tolerance),
      inWords: inWords(below),
    })
  if (below === above) return inWords(below)
  return joinSentences([inWords(below), inWords(above)])
}

function inWords({ tolerance, kept, saved }: Measured): string {
  return t('At {tolerance}: {quality} of the best model’s quality and {saving} lower cost.', {
    tolerance: formatQualityPoints(tolerance),
    quality: range(kept),
    saving: range(saved),
  })
}

function range([from, to]: readonly [number, number]): string {
  return t('{from}–{to} %', { from: Math.round(from), to: Math.round(to) })
}
