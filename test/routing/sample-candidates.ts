/** Candidates and estimates for tests: a test passes the fields it is about, and the others have defaults. */
import type { Estimate, RankParameters } from '../../src/shared/requests/detail.ts'
import { defaultWeights } from '../../src/shared/routers/routing-settings.ts'
import type { Contender } from '../../src/service/routing/strategies/strategy.ts'
import { modelEnergy } from '../../src/service/catalog/energy.ts'
import type {
  Candidate,
  ModelKnowledge,
  QualityPrior,
  RoutingContext,
  RoutingPolicy,
} from '../../src/service/routing/candidate.ts'
import { pointsOfQuality } from '../../src/shared/models/quality-scale.ts'
import { lnOutputOf, lnP90Prior } from '../../src/service/routing/expected-output.ts'
import { latencyPrior } from '../../src/service/routing/knowledge.ts'

export function candidate(given: Partial<Candidate> = {}): Candidate {
  const modelId = given.modelId ?? 'p:model'
  return {
    modelId,
    providerId: modelId.slice(0, modelId.indexOf(':')),
    position: 0,
    price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2 },
    priceSource: { source: 'user', asOf: null },
    contextTokens: 8_000,
    embedding: null,
    maxOutputTokens: 4_000,
    capabilities: [],
    parameters: null,
    energy: modelEnergy(null, null),
    gridGramsPerKwh: 400,
    region: null,
    isLocal: false,
    quality: sampleQuality(0.7),
    speed: null,
    outputRatio: 1,
    timedOutputRatio: given.outputRatio ?? 1,
    effort: null,
    otherEfforts: [],
    ...given,
  }
}

/** @param quality  for a prompt that was not read */
export function sampleQuality(quality: number): QualityPrior {
  return { points: pointsOfQuality(quality), strength: 25, offsets: null, basis: 'rated' }
}

export function sampleEstimate(given: Partial<Estimate> = {}): Estimate {
  return {
    quality: 0.8,
    qualityHalfWidth: 0.05,
    qualitySource: 'prior',
    outputTokens: 250,
    costNanoUsd: 1_000_000,
    promptNanoUsd: 100_000,
    costP90NanoUsd: 3_000_000,
    latencyMs: 2_000,
    latencyP95Ms: 4_000,
    latencySource: 'prior',
    lowMicrograms: 10_000,
    micrograms: 40_000,
    highMicrograms: 90_000,
    carbonMethod: 'modelled',
    ...given,
  }
}

/** @param name  the model's name; its provider is `p` */
export function contender(name: string, estimate: Partial<Estimate>, position = 0): Contender {
  return { model: `p:${name}`, position, estimate: sampleEstimate(estimate) }
}

export const sampleParameters: RankParameters = {
  qualityTolerance: 0.08,
  limitEachPrompt: false,
  account: null,
  weights: defaultWeights,
  latencyPercentile: 50,
  qualityPerUsd: 0,
}

export function sampleContext(given: Partial<RoutingContext> = {}): RoutingContext {
  return {
    promptTokens: 1_000,
    maxOutputTokens: null,
    needs: [],
    isStreamed: false,
    effort: null,
    reading: null,
    lastAnswer: null,
    ...given,
  }
}

export function samplePolicy(given: Partial<RoutingPolicy> = {}): RoutingPolicy {
  return {
    strategy: 'cost_optimized',
    parameters: sampleParameters,
    requires: [],
    providers: null,
    regions: null,
    localOnly: false,
    maxCostUsdPerRequest: null,
    chooseEffort: true,
    ...given,
  }
}

/** What is known of a model that never answered. */
export function priorKnowledge(of: Candidate): ModelKnowledge {
  return {
    feedback: null,
    own: null,
    latency: latencyPrior(of),
    lnOutputTokens: lnOutputOf(of.outputRatio),
    lnP90: lnP90Prior,
    lengthAnswers: 0,
    load: 0,
  }
}
