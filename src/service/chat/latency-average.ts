/**
 * How quick one deployment is in one form of answer: time to the first token and time for each token, by
 * their logarithms, so that twice as slow weighs as much as twice as quick. Each answer counts by 0.15;
 * what was measured fades to the prior with a half-life of ten minutes, because a load measured this
 * morning says little of now.
 */
import type { LatencyKnowledge } from '../routing/candidate.ts'
import type { Pace, PromptSums } from '../storage/model-statistics.ts'

const weight = 0.15
const halfLifeMs = 600_000
/** Of a normal distribution: from the mean deviation to the standard one, and from that to 1 in 20. */
const deviationsToP95 = 1.25 * 1.645
/** Two answers, or twenty minutes after many. */
const learnedFrom = 0.25
/** No clock tells less, and no logarithm is to be of 0. */
const leastFirstTokenMs = 1
const leastMsPerToken = 0.1
/** Fewer tokens tell nothing of the time for each. */
const leastWritten = 5
/** Who reads a stream begins before its end; `estimate.ts` counts as many. */
const readableTokens = 60

/** One answer's times, from being asked. */
export interface TimedAnswer {
  isStreamed: boolean
  /** Of a whole answer as `totalMs`. */
  firstTokenMs: number
  totalMs: number
  /** Of the prompt, as far as no cache had it. */
  uncachedTokens: number
  /** After which `totalMs` was over: for a stream those that were seen, else those billed. */
  writtenTokens: number
}

/** @param prior  what is known without any answer. @param msPerPromptToken  see `slopeOf` */
export function latencyOf(
  pace: Pace | undefined,
  prior: LatencyKnowledge,
  { msPerPromptToken, nowMs }: { msPerPromptToken: number; nowMs: number },
): LatencyKnowledge {
  if (pace === undefined) return { ...prior, msPerPromptToken }
  const { lnFirstTokenMs, lnMsPerToken, deviation, share } = paceAt(pace, prior, nowMs)
  return {
    firstTokenMs: Math.exp(lnFirstTokenMs),
    msPerPromptToken,
    msPerToken: Math.exp(lnMsPerToken),
    p95Ratio: Math.exp(deviationsToP95 * deviation),
    source: share < learnedFrom ? prior.source : 'learned',
  }
}

/**
 * The pace after one more answer.
 * @param known  as of the answer's end, see `paceAt`
 * @param msPerPromptToken  see `slopeOf`
 */
export function withAnswer(known: Pace, answer: TimedAnswer, msPerPromptToken: number): Pace {
  const promptMs = answer.uncachedTokens * msPerPromptToken
  const measured = answer.isStreamed
    ? streamed(known, answer, promptMs)
    : whole(known, answer, promptMs)
  return mix(known, measured, weight)
}

/**
 * After a timeout: who shows nothing for so long is taken to need twice that.
 * @param known  as of the timeout, see `paceAt`
 */
export function withTimeout(
  known: Pace,
  timeout: { isStreamed: boolean; tookMs: number; expectedTokens: number },
): Pace {
  const { isStreamed, tookMs, expectedTokens } = timeout
  const takenMs = 2 * tookMs
  const answer = {
    isStreamed,
    firstTokenMs: takenMs,
    totalMs: takenMs,
    uncachedTokens: 0,
    writtenTokens: isStreamed ? 0 : expectedTokens,
  }
  return withAnswer(known, answer, 0)
}

type Measured = Omit<Pace, 'atMs'>

function streamed(known: Pace, answer: TimedAnswer, promptMs: number): Measured {
  const { firstTokenMs, totalMs, writtenTokens } = answer
  // The slope is an estimate as well: it explains nine tenths of a time at the most.
  const shortMs = Math.max(firstTokenMs - promptMs, firstTokenMs / 10, leastFirstTokenMs)
  const knownPerToken = Math.exp(known.lnMsPerToken)
  const perToken =
    writtenTokens < leastWritten
      ? knownPerToken
      : Math.max((totalMs - firstTokenMs) / (writtenTokens - 1), leastMsPerToken)
  const read = Math.min(writtenTokens, readableTokens)
  const expectedMs = Math.exp(known.lnFirstTokenMs) + promptMs + read * knownPerToken
  return {
    lnFirstTokenMs: Math.log(shortMs),
    lnMsPerToken: Math.log(perToken),
    deviation: Math.abs(Math.log((firstTokenMs + read * perToken) / expectedMs)),
    share: 1,
  }
}

/** An answer in one piece tells its total only: both figures are off by the same factor. */
function whole(known: Pace, answer: TimedAnswer, promptMs: number): Measured {
  const writingMs = answer.writtenTokens * Math.exp(known.lnMsPerToken)
  const expectedMs = Math.exp(known.lnFirstTokenMs) + promptMs + writingMs
  const lnRatio = Math.log(Math.max(answer.totalMs, leastFirstTokenMs) / expectedMs)
  return {
    lnFirstTokenMs: known.lnFirstTokenMs + lnRatio,
    lnMsPerToken: known.lnMsPerToken + lnRatio,
    deviation: Math.abs(lnRatio),
    share: 1,
  }
}

/** As far as it is believed at a time; a clock that was set back makes nothing younger. */
export function paceAt(pace: Pace | undefined, prior: LatencyKnowledge, nowMs: number): Pace {
  const priorPace = {
    atMs: nowMs,
    lnFirstTokenMs: Math.log(Math.max(prior.firstTokenMs, leastFirstTokenMs)),
    lnMsPerToken: Math.log(Math.max(prior.msPerToken, leastMsPerToken)),
    deviation: Math.log(prior.p95Ratio) / deviationsToP95,
    share: 0,
  }
  if (pace === undefined) return priorPace
  return mix(priorPace, pace, 2 ** (-Math.max(0, nowMs - pace.atMs) / halfLifeMs))
}

/** @param part  of the second, 0 to 1 */
function mix(one: Pace, other: Measured, part: number): Pace {
  const between = (a: number, b: number) => a + (b - a) * part
  return {
    atMs: one.atMs,
    lnFirstTokenMs: between(one.lnFirstTokenMs, other.lnFirstTokenMs),
    lnMsPerToken: between(one.lnMsPerToken, other.lnMsPerToken),
    deviation: between(one.deviation, other.deviation),
    share: between(one.share, other.share),
  }
}

/** An answer's part in the slope after fifty more: a third. */
const promptForgetting = 0.98
const greatestMsPerPromptToken = 2
/**
 * What keeps chance from being taken for a slope, in tokens squared: five prompts 500 tokens from the mean.
 * Prompts that are all about as long say nothing of it, and many that differ say it all.
 */
const leastSpread = 5 * 500 ** 2

/** Least squares with forgetting, as the sums it needs. */
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

/** How much longer the first token takes for each token of the prompt, in milliseconds, 0 to 2. */
export function slopeOf(sums: PromptSums | null): number {
  if (sums === null) return 0
  const { weight: answers, tokens, firstTokenMs, squaredTokens, tokensByMs } = sums
  const spread = squaredTokens - tokens ** 2 / answers
  const together = tokensByMs - (tokens * firstTokenMs) / answers
  const slope = together / (spread + leastSpread)
  return Math.min(greatestMsPerPromptToken, Math.max(0, slope))
}
