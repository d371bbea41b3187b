/** The token limit of each answer: long enough for nearly all, short enough that the highest cost means something. */
import type { Candidate } from '../routing/candidate.ts'
import { expectedOutput, lnP90Prior, ratioAtDifficulty } from '../routing/expected-output.ts'
import type { StoredReading } from './tuning-outcome.ts'

/** Multiple of the length that nine answers in ten keep. */
const timesUsual = 4
const least = 1_024
const most = 16_384
/** A model on this computer writes tens of tokens a second. */
const mostLocal = 1_024
/** Least tokens of an answer that justifies the cost of its prompt. */
const leastUseful = 64

export interface AnswerLimitOptions {
  candidate: Candidate
  /** Logarithm of the model's answer length in tokens, by topic. */
  lnOutputTokens: readonly number[]
  reading: Pick<StoredReading, 'topics' | 'difficulty' | 'promptTokens'>
  /** Set by the user; null without. */
  limit: number | null
}

/** @returns tokens; null when the prompt leaves no room in the model's context */
export function answerLimit(options: AnswerLimitOptions): number | null {
  const { candidate, limit, reading } = options
  const wanted = limit ?? usualLimit(options)
  const context =
    (candidate.contextTokens ?? Infinity) - Math.ceil(reading.promptTokens * 1.25) - 32
  const room = Math.min(candidate.maxOutputTokens ?? Infinity, context)
  return room < Math.min(leastUseful, wanted) ? null : Math.min(wanted, room)
}

function usualLimit({ candidate, lnOutputTokens, reading }: AnswerLimitOptions): number {
  const { outputRatio, isLocal } = candidate
  const lengthFactor = ratioAtDifficulty(outputRatio, reading.difficulty) / outputRatio
  const length = { limit: Infinity, lengthFactor, lnP90: lnP90Prior }
  const { p90Tokens } = expectedOutput(lnOutputTokens, reading.topics, length)
  return Math.min(Math.max(least, timesUsual * p90Tokens), isLocal ? mostLocal : most)
}
