/**
 * EcoLogits' estimate of one answer, for comparison with ours. It follows their methodology
 * (ecologits.ai/latest/methodology/llm_inference, CC BY-SA 4.0; mlco2/ecologits @5be90da): a fixed batch of 64
 * on H100s, no energy for input tokens, hardware included.
 */

export interface EcologitsModel {
  activeBillions: number
  totalBillions: number
  /** The measured speed; null when it is estimated from the active parameters. */
  speed: { tokensPerSecond: number; firstTokenSeconds: number } | null
}

export interface EcologitsDatacentre {
  /** Power usage effectiveness: the data centre's power divided by the computers' power. */
  pue: number
  /** Water usage effectiveness on site, litres per kWh. */
  wueOnSite: number
  /** Water used by the grid's power plants, litres per kWh. */
  wueOffSite: number
  gridGramsPerKwh: number
}

export interface EcologitsAnswer {
  outputTokens: number
  /** The measured latency, null if there is none. It is an upper bound of the estimate. */
  latencySeconds: number | null
}

export interface EcologitsImpact {
  energyWh: number
  /** Grams from electricity alone. */
  usageGrams: number
  /** The share of manufacturing the hardware. */
  embodiedGrams: number
  waterMl: number
}

const batch = 64
const gpuEnergy = { alpha: 1.166_527_3e-6, beta: -0.011_205_921, gamma: 4.052_928_1e-5 }
const secondsPerToken = { alpha: 6.785e-4, beta: 3.119e-4, gamma: 0.019_474 }
const bitsPerParameter = 16
const gpuMemoryGb = 80
const gpusPerServer = 8
const serverWatts = 1200
const serverEmbodiedKg = 5700
const gpuEmbodiedKg = 164
const lifetimeSeconds = 3 * 365 * 86_400

export function ecologitsImpact(
  model: EcologitsModel,
  { outputTokens, latencySeconds }: EcologitsAnswer,
  datacentre: EcologitsDatacentre,
): EcologitsImpact {
  const gpus = gpusFor(model.totalBillions)
  const seconds = Math.min(generationSeconds(model, outputTokens), latencySeconds ?? Infinity)
  const serverWh = ((seconds / 3600) * serverWatts * gpus) / gpusPerServer / batch
  const gpusWh = gpus * outputTokens * gpuWhPerToken(model.activeBillions)
  const energyWh = datacentre.pue * (serverWh + gpusWh)
  const hardwareKg = (gpus / gpusPerServer) * serverEmbodiedKg + gpus * gpuEmbodiedKg
  return {
    energyWh,
    usageGrams: (energyWh / 1000) * datacentre.gridGramsPerKwh,
    embodiedGrams: (seconds / (lifetimeSeconds * batch)) * hardwareKg * 1000,
    // The overhead counts twice off site, as in EcoLogits' code and published figures.
    waterMl: energyWh * (datacentre.wueOnSite + datacentre.pue * datacentre.wueOffSite),
  }
}

/** Energy of one of the GPUs that answer. */
export function gpuWhPerToken(activeBillions: number, batchSize = batch): number {
  return gpuEnergy.alpha * Math.exp(gpuEnergy.beta * batchSize) * activeBillions + gpuEnergy.gamma
}

/** The number of GPUs, a power of two, that hold the weights with a fifth to spare. */
export function gpusFor(totalBillions: number): number {
  const memoryGb = (1.2 * totalBillions * bitsPerParameter) / 8
  return 2 ** Math.ceil(Math.log2(Math.ceil(memoryGb / gpuMemoryGb)))
}

function generationSeconds(
  { activeBillions, speed }: EcologitsModel,
  outputTokens: number,
): number {
  if (speed !== null) return speed.firstTokenSeconds + outputTokens / speed.tokensPerSecond
  const { alpha, beta, gamma } = secondsPerToken
  return outputTokens * (alpha * activeBillions + beta * batch + gamma)
}
