/** Candidates for tests: what a test is about is given, the rest is unremarkable. */
import type { Candidate } from './candidate.ts'

export function candidate(given: Partial<Candidate> = {}): Candidate {
  const modelId = given.modelId ?? 'p:model'
  return {
    modelId,
    providerId: modelId.slice(0, modelId.indexOf(':')),
    position: 0,
    price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2 },
    priceSource: { source: 'user', asOf: null },
    contextTokens: 8_000,
    maxOutputTokens: 4_000,
    capabilities: [],
    parameters: null,
    energyWhPerKtok: null,
    gridGramsPerKwh: 400,
    region: null,
    isLocal: false,
    quality: { mean: 0.7, strength: 25, byDomain: {}, isKnown: true },
    latency: null,
    ...given,
  }
}
