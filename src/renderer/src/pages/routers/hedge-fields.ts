/** A router's hedging settings as form input: `auto`, seconds, or empty. */
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

/** Other text becomes a value that the service rejects with a message for the field. */
export function readHedge({ after, maxExtraPercent }: HedgeTexts): HedgeInput {
  const text = after.trim()
  if (text === '') return null
  const afterMs = text === 'auto' ? 'auto' : Math.round(Number(text) * 1000)
  return maxExtraPercent.trim() === ''
    ? { afterMs }
    : { afterMs, maxExtraPercent: Number(maxExtraPercent) }
}
