/** A router's hedge as the form writes it: `auto`, seconds, or nothing. */
import type { RouterInput } from '../../../../shared/entities.ts'

export interface HedgeTexts {
  after: string
  maxExtraPercent: string
}

type HedgeInput = RouterInput['hedge']

export function hedgeTexts(hedge: HedgeInput): HedgeTexts {
  if (!hedge) return { after: '', maxExtraPercent: '' }
  const { afterMs, maxExtraPercent } = hedge
  return {
    after: afterMs === 'auto' ? 'auto' : String(afterMs / 1000),
    maxExtraPercent: maxExtraPercent === undefined ? '' : String(maxExtraPercent),
  }
}

/** Words become a value the service refuses beside their field. */
export function readHedge({ after, maxExtraPercent }: HedgeTexts): HedgeInput {
  const text = after.trim()
  if (text === '') return null
  const afterMs = text === 'auto' ? 'auto' : Math.round(Number(text) * 1000)
  return maxExtraPercent.trim() === ''
    ? { afterMs }
    : { afterMs, maxExtraPercent: Number(maxExtraPercent) }
}
