/**
 * Estimates quality, cost, latency and emissions of each candidate for a request. The figures are rounded to
 * whole units once, here, so that the ranked numbers are the recorded ones.
 */
import { unreadDifficulty } from '../../shared/models/quality-scale.ts'
import type { Estimate } from '../../shared/requests/detail.ts'
import { carbonGrams } from '../catalog/carbon.ts'
import type { Candidate, LatencyKnowledge, ModelKnowledge, RoutingContext } from './candidate.ts'
import { expectedCostNanoUsd } from './expected-cost.ts'
import { expectedPromptTokens } from './prompt-size.ts'
import { expectedOutput, ratioAtDifficulty } from './expected-output.ts'
import { cacheFlow } from './prompt-cache.ts'
import { estimateQuality } from './quality.ts'

/** Tokens of a readable beginning: a reader of a stream starts before its end. */
const readableTokens = 60

export function estimate(
  candidate: Candidate,
  known: ModelKnowledge,
  context: RoutingContext,
): Estimate {
  const { reading, choices = 1 } = context
  const promptTokens = expectedPromptTokens(candidate, context)
  const limit = Math.min(context.maxOutputTokens ?? Infinity, candidate.maxOutputTokens ?? Infinity)
  const difficulty = reading?.difficulty ?? unreadDifficulty
  const ratio = ratioAtDifficulty(candidate.outputRatio, difficulty)
  const timedRatio = ratioAtDifficulty(candidate.timedOutputRatio, difficulty)
  const answer = expectedOutput(known.lnOutputTokens, reading?.topics ?? null, {
    limit,
    lengthFactor: ratio / candidate.outputRatio,
    lnP90: known.lnP90,
  })
  const flow = cacheFlow(candidate, promptTokens, context)
  const cached = flow.cachedTokens
  // The prompt is billed once for all choices, which are written at the same time.
  const outputTokens = choices * answer.outputTokens
  const tokens = { ...flow, promptTokens, outputTokens }
  const { price, energy, gridGramsPerKwh } = candidate
  const latencyMs = expectedLatencyMs(known, {
    ...tokens,
    outputTokens: answer.outputTokens,
    ratio,
    timedRatio,
    isStreamed: context.isStreamed,
  })
  const carbon = carbonGrams(
    energy,
    { inputTokens: promptTokens - cached, cachedTokens: cached, outputTokens },
    gridGramsPerKwh,
  )
  const { quality, halfWidth, source, rated } = estimateQuality(candidate.quality, known, reading)
  return {
    quality: inTenThousandths(quality),
    qualityHalfWidth: inTenThousandths(halfWidth),
    qualitySource: source,
    outputTokens,
    costNanoUsd: expectedCostNanoUsd(price, tokens),
    promptNanoUsd: expectedCostNanoUsd(price, { ...tokens, outputTokens: 0 }),
    costP90NanoUsd: expectedCostNanoUsd(price, {
      promptTokens,
      writtenTokens: flow.writtenTokens > 0 ? promptTokens : 0,
      outputTokens: choices * answer.p90Tokens,
    }),
    latencyMs: Math.round(latencyMs),
    latencyP95Ms: Math.round(latencyMs * known.latency.p95Ratio),
    latencySource: known.latency.source,
    lowMicrograms: Math.round(carbon.low * 1e6),
    micrograms: Math.round(carbon.mid * 1e6),
    highMicrograms: Math.round(carbon.high * 1e6),
    carbonMethod: carbon.method,
    ...(rated && { rated: roundedRating(rated) }),
  }
}

function roundedRating(rated: NonNullable<Estimate['rated']>): NonNullable<Estimate['rated']> {
  return {
    quality: inTenThousandths(rated.quality),
    qualityHalfWidth: inTenThousandths(rated.qualityHalfWidth),
    share: inTenThousandths(rated.share),
  }
}

function inTenThousandths(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

interface Work {
  promptTokens: number
  cachedTokens: number
  outputTokens: number
  /** Billed output tokens per visible token; the others are reasoning. */
  ratio: number
  /** The part of the reasoning that the published time to the first token includes, in the same form. */
  timedRatio: number
  isStreamed: boolean
}

/** Expected latency. A busy model takes longer, in proportion to its load. */
function expectedLatencyMs({ latency, load }: ModelKnowledge, work: Work): number {
  const visible = work.outputTokens / work.ratio
  const read = work.isStreamed ? Math.min(visible, readableTokens) : visible
  const written = read + Math.max(0, work.outputTokens - visible * timedRatioOf(latency, work))
  const firstTokenMs = expectedFirstTokenMs(latency, work.promptTokens - work.cachedTokens)
  return (firstTokenMs + written * latency.msPerToken) * (1 + load)
}

/** How much reasoning the time to the first token includes: measured streams all, published times the default. */
function timedRatioOf({ source }: LatencyKnowledge, work: Work): number {
  if (source === 'prior') return work.timedRatio
  return source === 'learned' && work.isStreamed ? work.ratio : 1
}

function expectedFirstTokenMs(latency: LatencyKnowledge, promptTokens: number): number {
  return latency.firstTokenMs + latency.msPerPromptToken * promptTokens
}
