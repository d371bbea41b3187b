/**
 * The energy of a model's tokens. Always three figures, because the value is only known as a range.
 *
 * Joules per output token are our fit to the ML.ENERGY v3 measurements (H100, 171 configurations of 16
 * models, batches of 8 to 512; Apache-2.0): with A active and T total parameters in billions and B
 * requests in a batch, exp(-2.0879 + 0.2104 ln A + 0.8022 ln T - 0.3628 ln B - 0.0411 ln T ln B). For a
 * model left out of the fit, the error is a factor of 1.23 in the median and 1.63 at p90
 * (`npm run bench routing` measures it again).
 *
 * Input tokens: 2 A FLOP each, at 40 % of 989 TFLOPS and 700 W, are 0.0035 A joules; a cached one takes a
 * tenth. A factor covers everything around the accelerator: 1.2 is a data centre's cooling alone, 1.72 is
 * everything (Google's account of Gemini Apps, August 2025: accelerators are 58 % of the whole).
 */
import type { ModelSize } from '../../shared/models/model-facts.ts'

/** Joules per token, including everything around the accelerator. */
export interface TokenEnergy {
  output: number
  input: number
}

export interface ModelEnergy {
  low: TokenEnergy
  mid: TokenEnergy
  high: TokenEnergy
  /** `modelled`: from the user's figure or a published size; `unknown`: the range for any size. */
  method: 'modelled' | 'unknown'
}

/** Counts whose classes do not overlap. */
export interface EnergyTokens {
  outputTokens: number
  /** Tokens that are not cached. */
  inputTokens: number
  cachedTokens: number
}

/** The fit's error at p90, applied to a given figure. */
export const fitErrorFactor = 1.63

/** A token read costs 18 to 25 % of a token written (models of 8 to 70 billion parameters). */
const inputShareOfOutput = 0.2
/** Cached keys and values are loaded, not computed. */
const cachedShareOfInput = 0.1
const joulesPerInputTokenPerBillion = 0.0035
const joulesPerWattHour = 3600

/** The range for a model without a published size: 8 to 500 billion parameters, dense. */
const anySize: ModelSize = { activeBillions: [8, 500], totalBillions: [8, 500] }
const unknownEnergy: ModelEnergy = { ...energyOfSize(anySize), method: 'unknown' }

/**
 * Computed once per model: logarithms for every request would cost more than everything else here.
 * @param energyWhPerKtok  watt-hours per thousand output tokens, if measured or chosen
 */
export function modelEnergy(energyWhPerKtok: number | null, size: ModelSize | null): ModelEnergy {
  if (energyWhPerKtok !== null) return energyOfFigure(energyWhPerKtok)
  return size === null ? unknownEnergy : { ...energyOfSize(size), method: 'modelled' }
}

/**
 * Half of a 65 W processor (CodeCarbon's constant mode) while memory of 50 GB/s is read once for each token, which
 * is what limits a single request on one's own computer.
 */
const ownComputerWatts = 32.5
const ownMemoryBytesPerSecond = 50e9

/** Watt-hours per thousand output tokens of a model on this computer. @param sizeBytes  of its file */
export function localEnergyWhPerKtok(sizeBytes: number): number {
  const secondsPerToken = sizeBytes / ownMemoryBytesPerSecond
  const whPerKtok = (ownComputerWatts * secondsPerToken * 1000) / joulesPerWattHour
  return Number(whPerKtok.toPrecision(2))
}

/** Watt-hours of one answer. */
export function wattHours(energy: TokenEnergy, tokens: EnergyTokens): number {
  const inputTokens = tokens.inputTokens + cachedShareOfInput * tokens.cachedTokens
  return (tokens.outputTokens * energy.output + inputTokens * energy.input) / joulesPerWattHour
}

/** Joules per output token, of the accelerators alone. @param batch  concurrent requests */
export function joulesPerOutputToken(
  activeBillions: number,
  totalBillions: number,
  batch: number,
): number {
  const lnTotal = Math.log(totalBillions)
  const lnBatch = Math.log(batch)
  return Math.exp(
    -2.0879 +
      0.2104 * Math.log(activeBillions) +
      0.8022 * lnTotal -
      0.3628 * lnBatch -
      0.0411 * lnTotal * lnBatch,
  )
}

function energyOfSize({ activeBillions, totalBillions }: ModelSize): Omit<ModelEnergy, 'method'> {
  const [leastActive, mostActive] = activeBillions
  const [leastTotal, mostTotal] = totalBillions
  const active = Math.sqrt(leastActive * mostActive)
  const total = Math.sqrt(leastTotal * mostTotal)
  return {
    low: tokenEnergy({ active: leastActive, total: leastTotal, batch: 256, overhead: 1.2 }),
    mid: tokenEnergy({ active, total, batch: 64, overhead: 1.72 }),
    high: tokenEnergy({ active: mostActive, total: mostTotal, batch: 16, overhead: 1.72 }),
  }
}

interface Deployment {
  active: number
  total: number
  batch: number
  overhead: number
}

function tokenEnergy({ active, total, batch, overhead }: Deployment): TokenEnergy {
  return {
    output: overhead * joulesPerOutputToken(active, total, batch),
    input: overhead * joulesPerInputTokenPerBillion * active,
  }
}

function energyOfFigure(energyWhPerKtok: number): ModelEnergy {
  const output = (energyWhPerKtok * joulesPerWattHour) / 1000
  const times = (factor: number) => ({
    output: output * factor,
    input: output * factor * inputShareOfOutput,
  })
  return {
    low: times(1 / fitErrorFactor),
    mid: times(1),
    high: times(fitErrorFactor),
    method: 'modelled',
  }
}
