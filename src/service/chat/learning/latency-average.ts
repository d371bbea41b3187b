/**
 * The latency of one deployment for one form of answer: a moving average of the logarithms of the time to
 * the first token and the time per token, so that twice as slow weighs as much as twice as fast. Each
 * answer has a weight of 0.15. Measurements fade to the prior with a half-life of ten minutes, because the
 * load of this morning says little about now.
 */
import type { LatencyKnowledge } from '../../routing/candidate.ts'
import type { LatencyAverage, PromptSums } from '../../storage/model-statistics.ts'

const weight = 0.15
const halfLifeMs = 600_000
/** For a normal distribution: from the mean to the standard deviation, and from that to the 95th percentile. */
const deviationsToP95 = 1.25 * 1.645
/** Reached after two answers, and kept for twenty minutes after many. */
const learnedFrom = 0.25
/** The resolution of the clock; a logarithm must not be of 0. */
const leastFirstTokenMs = 1
const leastMsPerToken = 0.1
/** With fewer tokens, the time per token is not measured. */
const leastWritten = 5
/** A reader of a stream starts before its end; `estimate.ts` counts as many tokens. */
const readableTokens = 60

/** The times of one answer, from the start of its request. */
export interface TimedAnswer {
  isStreamed: boolean
  /** For a whole answer, the same as `totalMs`. */
  firstTokenMs: number
  totalMs: number
  /** Prompt tokens that were not read from a cache. */
  uncachedTokens: number
  /** Tokens generated in `totalMs`: for a stream those received, otherwise those billed. */
  writtenTokens: number
}

/** @param prior  the latency assumed without any answer. @param msPerPromptToken  see `slopeOf` */
export function latencyOf(
  average: LatencyAverage | undefined,
  prior: LatencyKnowledge,
  { msPerPromptToken, nowMs }: { msPerPromptToken: number; nowMs: number },
): LatencyKnowledge {
  if (average === undefined) return { ...prior, msPerPromptToken }
  const { lnFirstTokenMs, lnMsPerToken, deviation, share } = averageAt(average, prior, nowMs)
  return {
    firstTokenMs: Math.exp(lnFirstTokenMs),
    msPerPromptToken,
    msPerToken: Math.exp(lnMsPerToken),
    p95Ratio: Math.exp(deviationsToP95 * deviation),
    source: share < learnedFrom ? prior.source : 'learned',
  }
}

/**
 * The average after one more answer.
 * @param before  at the answer's end, see `averageAt`
 * @param msPerPromptToken  see `slopeOf`
 */
export function withAnswer(
  before: LatencyAverage,
  answer: TimedAnswer,
  msPerPromptToken: number,
): LatencyAverage {
  const promptMs = answer.uncachedTokens * msPerPromptToken
  const measured = answer.isStreamed
    ? streamed(before, answer, promptMs)
    : whole(before, answer, promptMs)
  return mix(before, measured, weight)
}

/**
 * The average after a timeout, which counts as an answer that took twice the limit.
 * @param before  at the timeout, see `averageAt`
 */
export function withTimeout(
  before: LatencyAverage,
  timeout: { isStreamed: boolean; tookMs: number; expectedTokens: number },
): LatencyAverage {
  const { isStreamed, tookMs, expectedTokens } = timeout
  const takenMs = 2 * tookMs
  const answer = {
    isStreamed,
    firstTokenMs: takenMs,
    totalMs: takenMs,
    uncachedTokens: 0,
    writtenTokens: isStreamed ? 0 : expectedTokens,
  }
  return withAnswer(before, answer, 0)
}

type Measured = Omit<LatencyAverage, 'atMs'>

function streamed(before: LatencyAverage, answer: TimedAnswer, promptMs: number): Measured {
  const { firstTokenMs, totalMs, writtenTokens } = answer
  // The slope is an estimate, too: it may explain at most nine tenths of the time.
  const shortMs = Math.max(firstTokenMs - promptMs, firstTokenMs / 10, leastFirstTokenMs)
  const perTokenBefore = Math.exp(before.lnMsPerToken)
  const perToken =
    writtenTokens < leastWritten
      ? perTokenBefore
      : Math.max((totalMs - firstTokenMs) / (writtenTokens - 1), leastMsPerToken)
  const read = Math.min(writtenTokens, readableTokens)
  const expectedMs = Math.exp(before.lnFirstTokenMs) + promptMs + read * perTokenBefore
  return {
    lnFirstTokenMs: Math.log(shortMs),
    lnMsPerToken: Math.log(perToken),
    deviation: Math.abs(Math.log((firstTokenMs + read * perToken) / expectedMs)),
    share: 1,
  }
}

/** A whole answer gives only its total time: both figures are corrected by the same factor. */
function whole(before: LatencyAverage, answer: TimedAnswer, promptMs: number): Measured {
  const writingMs = answer.writtenTokens * Math.exp(before.lnMsPerToken)
  const expectedMs = Math.exp(before.lnFirstTokenMs) + promptMs + writingMs
  const lnRatio = Math.log(Math.max(answer.totalMs, leastFirstTokenMs) / expectedMs)
  return {
    lnFirstTokenMs: before.lnFirstTokenMs + lnRatio,
    lnMsPerToken: before.lnMsPerToken + lnRatio,
    deviation: Math.abs(lnRatio),
    share: 1,
  }
}

/** The average faded to a point in time; a clock that was set back makes nothing younger. */
export function averageAt(
  average: LatencyAverage | undefined,
  prior: LatencyKnowledge,
  nowMs: number,
): LatencyAverage {
  const priorAverage = {
    atMs: nowMs,
    lnFirstTokenMs: Math.log(Math.max(prior.firstTokenMs, leastFirstTokenMs)),
    lnMsPerToken: Math.log(Math.max(prior.msPerToken, leastMsPerToken)),
    deviation: Math.log(prior.p95Ratio) / deviationsToP95,
    share: 0,
  }
  if (average === undefined) return priorAverage
  return mix(priorAverage, average, 2 ** (-Math.max(0, nowMs - average.atMs) / halfLifeMs))
}

/** @param part  the share of the second, 0 to 1 */
function mix(one: LatencyAverage, other: Measured, part: number): LatencyAverage {
  const between = (a: number, b: number) => a + (b - a) * part
  return {
    atMs: one.atMs,
    lnFirstTokenMs: between(one.lnFirstTokenMs, other.lnFirstTokenMs),
    lnMsPerToken: between(one.lnMsPerToken, other.lnMsPerToken),
    deviation: between(one.deviation, other.deviation),
    share: between(one.share, other.share),
  }
}

/** After fifty more answers, an answer's weight in the slope is a third. */
const promptForgetting = 0.98
const greatestMsPerPromptToken = 2
/**
 * Regularization, so that chance is not taken for a slope, in tokens squared: five prompts 500 tokens from
 * the mean. Prompts of about equal length then give no slope, and many different ones give it fully.
 */
const leastSpread = 5 * 500 ** 2

/** The sums of a least-squares fit with forgetting, after one more answer. */
export function withPrompt(
  sums: PromptSums | null,
  { uncachedTokens, firstTokenMs }: Pick<TimedAnswer, 'uncachedTokens' | 'firstTokenMs'>,
): PromptSums {
  const kept = (sum: number | undefined) => (sum ?? 0) * promptForgetting
  return {
    weight: kept(sums?.weight) + 1,
    tokens: kept(sums?.tokens) + uncachedTokens,
    firstTokenMs: kept(sums?.firstTokenMs) + firstTokenMs,
    squaredTokens: kept(sums?.squaredTokens) + uncachedTokens ** 2,
    tokensByMs: kept(sums?.tokensByMs) + uncachedTokens * firstTokenMs,
  }
}

/** Milliseconds that each prompt token adds to the time to the first token, 0 to 2. */
export function slopeOf(sums: PromptSums | null): number {
  if (sums === null) return 0
  const { weight: answers, tokens, firstTokenMs, squaredTokens, tokensByMs } = sums
  const spread = squaredTokens - tokens ** 2 / answers
  const together = tokensByMs - (tokens * firstTokenMs) / answers
  const slope = together / (spread + leastSpread)
  return Math.min(greatestMsPerPromptToken, Math.max(0, slope))
}
