/** The fake service's decisions: invented, but always the same for a request. */
import type { RequestRecord, Router } from '../../src/shared/entities.ts'
import type { Preview } from '../../src/shared/routers/preview.ts'
import type { Estimate, ExplainedDetail } from '../../src/shared/requests/detail.ts'
import { defaultWeights } from '../../src/shared/routers/routing-settings.ts'

const reading: ExplainedDetail['reading'] = {
  domains: [['code', 0.94]],
  topics: [['code_editing', 0.9]],
  confidence: 0.9,
  difficulty: 0.1,
  difficultyReasons: ['system design', 'long sentences'],
}

/** The router's models in order, except that the one that answered is first and the last one is left out. */
export function decisionOf(
  record: Pick<RequestRecord, 'modelUsed' | 'carbonGrams' | 'latencyMs'>,
  router: Router,
): ExplainedDetail {
  const used = record.modelUsed ?? ''
  const others = router.models.filter((model) => model !== used)
  const excluded = others.slice(1)
  const ranked = [used, ...others.slice(0, 1)]
  return {
    client: null,
    tokenSource: 'reported',
    tokens: { input: 100, cacheRead: null, cacheWrite: null, output: 200, reasoning: null },
    price: null,
    carbon: {
      lowGrams: record.carbonGrams * 0.4,
      highGrams: record.carbonGrams * 2.7,
      method: 'modelled',
    },
    signals: [{ name: 'format', model: used, label: 0, weight: 0.3 }],
    attempts: [
      { ...attempt(others[0] ?? used), outcome: 'rate_limited', status: 429, tookMs: 180 },
      { ...attempt(used), startedMs: 181, tookMs: record.latencyMs - 181, outcome: 'answered' },
    ],
    strategy: router.strategy,
    promptTokens: 100,
    maxOutputTokens: null,
    isStreamed: true,
    needs: [],
    parameters: {
      qualityTolerance: 0.08,
      limitEachPrompt: false,
      account: null,
      weights: defaultWeights,
      latencyPercentile: 50,
      qualityPerUsd: 0,
    },
    reading,
    ranked: ranked.map((model, index) => ({
      model,
      position: router.models.indexOf(model),
      reason: null,
      estimate: estimateOf(index),
    })),
    excluded: excluded.map((model) => ({
      model,
      position: router.models.indexOf(model),
      code: 'lacks_capability',
      reason: 'does not support images',
      estimate: estimateOf(router.models.indexOf(model)),
    })),
    kept: null,
    drawnWith: null,
    ...(excluded.length > 0 && { cascade: triesOf(router.models) }),
    adjusted: [leftOut(used)],
    why: `Cheapest of the 2 models within 8 points of the best expected quality. The prompt looks most like code (94 %). It looks hard: system design, long sentences; expected quality 81 of ${used}, 86 of ${others[0] ?? used}. The next, ${others[0] ?? used}, would have cost 4.8 times as much for 5 points more expected quality.`,
    flip: `a quality tolerance under 5 points instead of 8 points would choose ${others[0] ?? used}`,
  }
}

function leftOut(model: string): ExplainedDetail['adjusted'][number] {
  return { parameter: 'temperature', change: 'left_out', reason: `${model} refuses it` }
}

function triesOf(models: readonly string[]): ExplainedDetail['cascade'] {
  const accept = 'not_refused_not_cut_off'
  return models.slice(-1).map((model) => {
    return { models: [model], accept, outcome: 'not_accepted', reason: 'it was cut off' }
  })
}

function attempt(model: string): ExplainedDetail['attempts'][number] {
  return { model, startedMs: 0, tookMs: 0, outcome: 'answered', status: 200, message: null }
}

function estimateOf(index: number): Estimate {
  const times = 1 + index * 3.8
  return {
    quality: 0.81 + index * 0.05,
    qualityHalfWidth: 0.04,
    qualitySource: 'prior',
    outputTokens: 240,
    costNanoUsd: Math.round(505_000 * times),
    promptNanoUsd: 25_000,
    costP90NanoUsd: Math.round(1_400_000 * times),
    latencyMs: 810,
    latencyP95Ms: 2300,
    latencySource: index === 0 ? 'learned' : 'assumed',
    lowMicrograms: Math.round(41_000 * times),
    micrograms: Math.round(100_000 * times),
    highMicrograms: Math.round(320_000 * times),
    carbonMethod: index === 0 ? 'modelled' : 'unknown',
  }
}

/** The preview of any message to a router: its first model. */
export function previewOf(router: Router): Preview {
  const record = { modelUsed: router.models[0] ?? '', carbonGrams: 0, latencyMs: 0 }
  const decision = {
    ...decisionOf(record, router),
    tokenSource: 'none' as const,
    carbon: null,
    attempts: [],
  }
  const { costNanoUsd, costP90NanoUsd, latencyMs, latencyP95Ms } = estimateOf(0)
  return {
    object: 'modelport.preview',
    model: record.modelUsed,
    routerDecision: router.strategy,
    why: decision.why,
    flip: decision.flip,
    expected: {
      costUsd: costNanoUsd / 1e9,
      costP90Usd: costP90NanoUsd / 1e9,
      latencyMs,
      latencyP95Ms,
      latencySource: 'learned',
      quality: 0.81,
      qualityHalfWidth: 0.04,
      carbonGrams: 0.1,
      carbonLowGrams: 0.041,
      carbonHighGrams: 0.32,
      promptTokens: 100,
      outputTokens: 240,
    },
    skipped: [],
    explorationShare: 0,
    mayHedge: false,
    decision,
  }
}
