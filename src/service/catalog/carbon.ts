/**
 * Grams of CO2e for one completion: the energy of its tokens times the grid's intensity. Location based,
 * inference only, without training and hardware. Always three numbers, because the value is only known as
 * a range.
 */
import gridFile from '../../../resources/grid.json' with { type: 'json' }
import { wattHours, type EnergyTokens, type ModelEnergy } from './energy.ts'

const gramsPerKwhByZone = new Map(Object.entries(gridFile.gramsPerKwh))
/** The world's average in the same table, used for every unknown region. */
export const worldGridGramsPerKwh = gridFile.gramsPerKwh.WORLD

/**
 * The grid's average intensity, g CO2e per kWh. `resources/grid.json` names the table's source and year.
 * @param region  ISO 3166 three-letter code of the model's location, or a group of the table (`EU`)
 */
export function gridGramsPerKwh(region: string | null): number {
  return gramsPerKwhByZone.get(region?.toUpperCase() ?? '') ?? worldGridGramsPerKwh
}

export interface CarbonEstimate {
  low: number
  /** The value of `_meta.carbonGrams`. */
  mid: number
  high: number
  /** `modelled`: from the model's size or own figure; `unknown`: the range for a model of any size. */
  method: ModelEnergy['method']
}

/** @returns grams; all three are 0 when no token was read or written */
export function carbonGrams(
  energy: ModelEnergy,
  tokens: EnergyTokens,
  gramsPerKwh: number,
): CarbonEstimate {
  const grams = (part: ModelEnergy['mid']) => (wattHours(part, tokens) / 1000) * gramsPerKwh
  const { low, mid, high, method } = energy
  return { low: grams(low), mid: grams(mid), high: grams(high), method }
}
