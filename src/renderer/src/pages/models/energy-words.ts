import { formatTwoDigits } from '../../../../shared/strings/format.ts'
import type { EnergyRange } from '../../../../shared/models/listed-model.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** `≈ 0.42 Wh`, with two digits because it is an estimate; a dash for a model of unknown size. */
export function energyText({ mid, method }: EnergyRange): string {
  return method === 'unknown' ? '—' : t('≈ {mid} Wh', { mid: formatTwoDigits(mid) })
}

/** `0.2 to 0.9 Wh` */
export function energyRangeText({ low, high }: EnergyRange): string {
  return low === high
    ? t('{low} Wh', { low: formatTwoDigits(low) })
    : t('{low} to {high} Wh', { low: formatTwoDigits(low), high: formatTwoDigits(high) })
}
