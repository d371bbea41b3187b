/** The cap of a run: what the form suggests, and what a cap will probably pay for. */
import { formatUsd } from '../../../../shared/strings/format.ts'
import type { TuningPlan, TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Answers are sometimes longer than expected. */
const reserveFactor = 1.5
/** A suggestion of less than a cent would only look precise. */
const leastSuggestedUsd = 0.01

type PlannedCost = Pick<TuningPlan, 'cost' | 'leastCapUsd'>

/** A cap that covers all prompts, unless answers are much longer than expected. */
export function suggestedCap({ cost, leastCapUsd }: PlannedCost): string {
  // The last prompt is asked only while its highest cost is left.
  const probable = reserveFactor * cost.expectedUsd + leastCapUsd
  return roundedUp(Math.min(probable, cost.highestUsd))
}

/** A cap that covers the rest of a run that its cap ended, at the cost of its prompts so far. */
export function suggestedNewCap({ spentUsd, capUsd, prompts }: TuningRun): string {
  const ended = Math.max(1, prompts.graded + prompts.ungraded)
  return roundedUp(Math.max(reserveFactor * (spentUsd / ended) * prompts.total, 1.2 * capUsd))
}

/** Rounded up to two significant digits; whole cents from ten cents on. */
function roundedUp(usd: number): string {
  const atLeast = Math.max(usd, leastSuggestedUsd)
  const unit = 10 ** (Math.floor(Math.log10(atLeast)) - 1)
  // Ten dollars in units of a dollar must not become eleven because of binary fractions.
  const rounded = Number((Math.ceil(atLeast / unit - 1e-9) * unit).toPrecision(2))
  return rounded >= 0.1 && rounded < 10 ? rounded.toFixed(2) : String(rounded)
}

/** `Ask 100 prompts, spend at most $1.20`; without the amount while it is not a number. */
export function startText(prompts: number, capUsd: number | null): string {
  const asked = t('Ask {prompts} prompts', { prompts })
  if (capUsd === null || Number.isNaN(capUsd)) return asked
  return capUsd === 0
    ? t('{asked} at no cost', { asked })
    : t('{asked}, spend at most {capUsd}', { asked, capUsd: formatUsd(capUsd) })
}

/** A sentence about a cap that will probably end the run early; null for a sufficient one. */
export function capWarning(
  capUsd: number,
  { cost, leastCapUsd, prompts: { chosen } }: PlannedCost & Pick<TuningPlan, 'prompts'>,
): string | null {
  if (capUsd >= cost.expectedUsd || capUsd < leastCapUsd) return null
  const enough = Math.floor((capUsd / cost.expectedUsd) * chosen)
  return t('Probably enough for about {enough} of {chosen} prompts. You can raise the cap later.', {
    enough,
    chosen,
  })
}
