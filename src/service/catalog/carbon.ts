/**
 * Grams of CO2e for one completion: the energy of its tokens times the grid's intensity. Location
 * based, inference only, without training and hardware. Always three numbers, because a single one
 * would claim to be known: what is known is a range.
 *
 * Joules per output token follow our fit to the ML.ENERGY v3 measurements (H100, 171 configurations
 * of 16 models): exp(-1.4182 + 0.2100 ln P_active + 0.6284 ln P_total - 0.5206 ln batch), with P in
 * billions of parameters; leave-one-model-out its error is a factor 1.23 in the median and 1.74 at p90.
 * Input tokens: 2 P FLOP a token at 40 % of 989 TFLOPS and 700 W = 0.0035 P_active joules.
 * Overhead K: 1.2 is a data centre's cooling alone, 1.72 is everything around the accelerator
 * (Google's account of Gemini Apps, August 2025: accelerators are 58 % of the whole).
 */

/** Electricity mixes as EcoLogits has them (mlco2/ecologits, 2025 data), g CO2e per kWh. */
const gridByRegion: Readonly<Record<string, number>> = {
  USA: 383.55,
  FRA: 44.18,
  DEU: 344.14,
  SWE: 35.82,
  CHN: 559.55,
  IND: 708.32,
}
/** The world's average in the same table; stands for every region that is not known. */
export const worldGridGramsPerKwh = 473.01

/** @param region  ISO 3166 three-letter code of where the model runs, as the catalogue has it */
export function gridGramsPerKwh(region: string | null): number {
  return (region === null ? undefined : gridByRegion[region]) ?? worldGridGramsPerKwh
}

export interface CarbonEstimate {
  low: number
  /** What `_meta.carbonGrams` says. */
  mid: number
  high: number
  /** `modelled` from the model's own energy figure; `unknown`: the bracket for a model of any size. */
  method: 'modelled' | 'unknown'
}

interface CarbonInput {
  outputTokens: number
  inputTokens: number
  /** Watt-hours per thousand output tokens; null where the model's size is unknown. */
  energyWhPerKtok: number | null
  gridGramsPerKwh: number
}

/** A token read costs 18 to 25 % of a token written (models of 8 to 70 billion parameters). */
const inputShareOfOutput = 0.2
/** The fit's error at p90. */
const modelledErrorFactor = 1.74

/** What bounds a model nobody has published the size of: 8 to 500 billion parameters, dense. */
const unknownModel = {
  low: unknownModelOf({ billions: 8, batch: 256, overhead: 1.2 }),
  mid: unknownModelOf({ billions: Math.sqrt(8 * 500), batch: 64, overhead: 1.72 }),
  high: unknownModelOf({ billions: 500, batch: 16, overhead: 1.72 }),
}

const joulesPerWattHour = 3600

/** @returns grams; all three are 0 when no token was read or written */
export function carbonGrams(input: CarbonInput): CarbonEstimate {
  const grams = (wattHours: number) => (wattHours / 1000) * input.gridGramsPerKwh
  if (input.energyWhPerKtok === null) {
    const { low, mid, high } = unknownModel
    return {
      low: grams(unknownWattHours(low, input)),
      mid: grams(unknownWattHours(mid, input)),
      high: grams(unknownWattHours(high, input)),
      method: 'unknown',
    }
  }
  const ktokens = (input.outputTokens + inputShareOfOutput * input.inputTokens) / 1000
  const mid = grams(ktokens * input.energyWhPerKtok)
  const low = mid / modelledErrorFactor
  return { low, mid, high: mid * modelledErrorFactor, method: 'modelled' }
}

interface JoulesPerToken {
  output: number
  input: number
}

/** Worked out once: logarithms for every request would cost more than all else here. */
function unknownModelOf(model: {
  billions: number
  batch: number
  overhead: number
}): JoulesPerToken {
  const { billions, batch, overhead } = model
  const output = Math.exp(-1.4182 + (0.21 + 0.6284) * Math.log(billions) - 0.5206 * Math.log(batch))
  return { output: overhead * output, input: overhead * 0.0035 * billions }
}

function unknownWattHours(
  joules: JoulesPerToken,
  { outputTokens, inputTokens }: CarbonInput,
): number {
  return (outputTokens * joules.output + inputTokens * joules.input) / joulesPerWattHour
}
