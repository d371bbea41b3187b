import type { EnergyRange } from '../../../../shared/listed-model.ts'

/** `≈ 0.42 Wh`, with two digits because it is an estimate; a dash for a model of unknown size. */
export function energyText({ mid, method }: EnergyRange): string {
  return method === 'unknown' ? '—' : `≈ ${twoDigits(mid)} Wh`
}

/** `0.2 to 0.9 Wh` */
export function energyRangeText({ low, high }: EnergyRange): string {
  return low === high ? `${twoDigits(low)} Wh` : `${twoDigits(low)} to ${twoDigits(high)} Wh`
}

function twoDigits(wattHours: number): string {
  return new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }).format(wattHours)
}
