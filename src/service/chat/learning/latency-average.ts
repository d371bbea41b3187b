/**
 * The latency of one deployment for one form of answer, from two means of the logarithms of measured by assumed times
 * (to the first token and for each token, so that twice as slow weighs as much as twice as fast): a fast one, because
 * the load of this morning says little about now, and a slow one, so that a model that is not used is not forgotten
 * within minutes. What is not measured follows the other models of the provider (`shared-latency.ts`).
 */
import { assumedP95Ratio } from '../../routing/knowledge.ts'
import type { LatencyKnowledge } from '../../routing/candidate.ts'
import { halfLivesMs } from '../../storage/merge-figures.ts'
import type { LatencyAverage, MeanTimes, PromptSums } from '../../storage/model-statistics.ts'

/** Weight of an answer in the fast mean, and its least weight in the slow one. */
const fastWeight = 0.15
const leastSlowWeight = 0.1
/**
 * Factor from the mean deviation of a normal distribution to its standard deviation, and from that to the 95th
 * percentile.
 */
const deviationsToP95 = 1.25 * 1.645
const assumedDeviation = Math.log(assumedP95Ratio) / deviationsToP95
/** Answers and share of the slow mean from which a latency counts as measured: for twelve hours after many answers. */
const learnedFrom = { answers: 2, share: 0.25 }
/** The resolution of the clock; a logarithm must not be of 0. */
const leastFirstTokenMs = 1
const leastMsPerToken = 0.1
/** Fewest tokens from which the time per token is measured. */
const leastWritten = 5
/** A reader of a stream starts before its end; `estimate.ts` counts as many tokens. */
const readableTokens = 60

/** The times of one answer, from the start of its request. */
export interface TimedAnswer {
  isStreamed: boolean
  /** Time to the first token; for a whole answer, the same as `totalMs`. */
  firstTokenMs: number
  totalMs: number
  /** Prompt tokens that were not read from a cache. */
  uncachedTokens: number
  /** Tokens generated in `totalMs`: for a stream those received, otherwise those billed. */
  writtenTokens: number
}

/** Logarithms of times by those that are assumed without any answer. */
export type LnTimes = Omit<MeanTimes, 'share'>

/** What is expected of a deployment before its own answers. */
export interface LatencyBasis {
  prior: LatencyKnowledge
  /** Logarithms of how much slower than assumed the other models are. */
  shared: LnTimes
}

/** @param msPerPromptToken  see `slopeOf` */
export function latencyOf(
  average: LatencyAverage | undefined,
  { prior, shared }: LatencyBasis,
  { msPerPromptToken, nowMs }: { msPerPromptToken: number; nowMs: number },
): LatencyKnowledge {
  const { fast, slow, deviation, answers } = averageAt(average, nowMs)
  const off = expectedOff({ fast, slow }, shared)
  const isFresh = slow.share >= learnedFrom.share
  const isLearned = isFresh && answers >= learnedFrom.answers
  return {
    firstTokenMs: Math.max(prior.firstTokenMs, leastFirstTokenMs) * Math.exp(off.lnFirstToken),
    msPerPromptToken,
    msPerToken: Math.max(prior.msPerToken, leastMsPerToken) * Math.exp(off.lnPerToken),
    p95Ratio: Math.exp(deviationsToP95 * deviation),
    source: isLearned ? 'learned' : prior.source,
    // Those of yesterday are worth a look again.
    answers: isFresh ? answers : 0,
    measuredShare: slow.share,
  }
}

/** The slow mean where it is measured, else the other models, corrected by how the last minutes differ. */
function expectedOff({ fast, slow }: Pick<LatencyAverage, 'fast' | 'slow'>, shared: LnTimes) {
  const mixed = (part: keyof LnTimes) =>
    (1 - slow.share) * shared[part] +
    slow.share * slow[part] +
    fast.share * (fast[part] - slow[part])
  return { lnFirstToken: mixed('lnFirstToken'), lnPerToken: mixed('lnPerToken') }
}

/**
 * The average after one more answer.
 * @param expected  at the answer's end, see `latencyOf`
 */
export function withAnswer(
  average: LatencyAverage | undefined,
  { answer, expected, prior, nowMs }: Measurement,
): LatencyAverage {
  const before = averageAt(average, nowMs)
  const promptMs = answer.uncachedTokens * expected.msPerPromptToken
  const { firstTokenMs, msPerToken, deviation } = answer.isStreamed
    ? streamed(expected, answer, promptMs)
    : whole(expected, answer, promptMs)
  const measured = {
    lnFirstToken: Math.log(firstTokenMs / Math.max(prior.firstTokenMs, leastFirstTokenMs)),
    lnPerToken: Math.log(msPerToken / Math.max(prior.msPerToken, leastMsPerToken)),
  }
  const fast = withMeasured(before.fast, measured, fastWeight)
  return {
    atMs: nowMs,
    fast,
    greatestShare: Math.max(before.greatestShare, fast.share),
    slow: withSlow(before.slow, measured),
    deviation: before.deviation + (deviation - before.deviation) * fastWeight,
    answers: before.answers + 1,
  }
}

interface Measurement {
  answer: TimedAnswer
  expected: LatencyKnowledge
  prior: LatencyKnowledge
  nowMs: number
}

/** A share of n/(n + 1) stands for n answers. */
function withSlow(before: MeanTimes, measured: LnTimes): MeanTimes {
  const answers = before.share / (1 - before.share) + 1
  const weight = Math.max(leastSlowWeight, 1 / answers)
  const between = (part: keyof LnTimes) => before[part] + (measured[part] - before[part]) * weight
  return {
    lnFirstToken: between('lnFirstToken'),
    lnPerToken: between('lnPerToken'),
    share: answers / (answers + 1),
  }
}

function withMeasured(before: MeanTimes, measured: LnTimes, weight: number): MeanTimes {
  const share = before.share + (1 - before.share) * weight
  const between = (part: keyof LnTimes) =>
    (before.share * (1 - weight) * before[part] + weight * measured[part]) / share
  return { lnFirstToken: between('lnFirstToken'), lnPerToken: between('lnPerToken'), share }
}

/** A timeout counts as an answer that took twice the limit. */
export function timedOutAnswer(timeout: {
  isStreamed: boolean
  tookMs: number
  expectedTokens: number
}): TimedAnswer {
  const { isStreamed, tookMs, expectedTokens } = timeout
  const takenMs = 2 * tookMs
  return {
    isStreamed,
    firstTokenMs: takenMs,
    totalMs: takenMs,
    uncachedTokens: 0,
    writtenTokens: isStreamed ? 0 : expectedTokens,
  }
}

interface Times {
  firstTokenMs: number
  msPerToken: number
  deviation: number
}

function streamed(expected: LatencyKnowledge, answer: TimedAnswer, promptMs: number): Times {
  const { firstTokenMs, totalMs, writtenTokens } = answer
  // The slope is an estimate, too: it may explain at most nine tenths of the time.
  const shortMs = Math.max(firstTokenMs - promptMs, firstTokenMs / 10, leastFirstTokenMs)
  const msPerToken =
    writtenTokens < leastWritten
      ? expected.msPerToken
      : Math.max((totalMs - firstTokenMs) / (writtenTokens - 1), leastMsPerToken)
  const read = Math.min(writtenTokens, readableTokens)
  const expectedMs = expected.firstTokenMs + promptMs + read * expected.msPerToken
  const deviation = Math.abs(Math.log((firstTokenMs + read * msPerToken) / expectedMs))
  return { firstTokenMs: shortMs, msPerToken, deviation }
}

/** The times of a whole answer, which gives only its total: both figures are corrected by the same factor. */
function whole(expected: LatencyKnowledge, answer: TimedAnswer, promptMs: number): Times {
  const writingMs = answer.writtenTokens * expected.msPerToken
  const expectedMs = expected.firstTokenMs + promptMs + writingMs
  const ratio = Math.max(answer.totalMs, leastFirstTokenMs) / expectedMs
  return {
    firstTokenMs: expected.firstTokenMs * ratio,
    msPerToken: expected.msPerToken * ratio,
    deviation: Math.abs(Math.log(ratio)),
  }
}

const noTimes: MeanTimes = { lnFirstToken: 0, lnPerToken: 0, share: 0 }

/** The average faded to a point in time; a clock that was set back makes nothing younger. */
function averageAt(average: LatencyAverage | undefined, nowMs: number): LatencyAverage {
  if (average === undefined) {
    const none = { atMs: nowMs, greatestShare: 0, answers: 0, deviation: assumedDeviation }
    return { ...none, fast: noTimes, slow: noTimes }
  }
  const ageMs = Math.max(0, nowMs - average.atMs)
  const left = 2 ** (-ageMs / halfLivesMs.fast)
  const { fast, slow, deviation } = average
  return {
    ...average,
    fast: { ...fast, share: fast.share * left },
    slow: { ...slow, share: slow.share * 2 ** (-ageMs / halfLivesMs.slow) },
    deviation: assumedDeviation + (deviation - assumedDeviation) * left,
  }
}

/** Factor on an answer's weight in the slope: after fifty more answers it is a third. */
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
