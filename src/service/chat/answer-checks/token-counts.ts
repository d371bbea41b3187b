/**
 * Prompt tokens that a model reports, against Modelport's estimate from the characters. What is usual is learnt for each
 * kind of text from the first answers; a report far from it deviates. Of English prose, every tokenizer counts a known
 * share, so that a false report is seen from the first answer on.
 */
import { z } from 'zod'
import type { TextClass } from './text-class.ts'

/** Shorter prompts are mostly what a vendor adds. */
export const leastTokens = 200
/** Reports from which the usual count of a kind of text is learnt. */
const learntFrom = 24
const mostKinds = 24
/** Distance from the usual logarithm that no honest report has: at least 22 %, and at most 42 %. */
const leastDistance = 0.2
const mostDistance = 0.35
const deviations = 3.5
/**
 * Logarithms of reported by estimated tokens of English prose, with room on both sides: six tokenizers have 3.9 to 5.1
 * characters a token, and the estimate 3.6 (docs/decisions/2026-11-23-token-counts.md).
 */
const proseBounds = { least: Math.log(0.5), most: Math.log(1.7) }

const kindSchema = z.strictObject({
  /** The first logarithms, until enough are known. */
  first: z.array(z.number()),
  /** Null while it is learnt. */
  usual: z.strictObject({ mean: z.number(), distance: z.number() }).nullable(),
})
export const tokenCountsSchema = z.record(z.string(), kindSchema)
export type TokenCounts = z.output<typeof tokenCountsSchema>

export interface TokenReport {
  estimated: number
  reported: number
  kind: TextClass
}

/**
 * Compares a report with the usual ones, and learns from the first of a kind.
 * @returns the report as a multiple of the usual, and whether it deviates; null while nothing is known
 */
export function judgeTokens(
  counts: TokenCounts,
  { estimated, reported, kind }: TokenReport,
): { factor: number; deviates: boolean } | null {
  const log = Math.log(reported / estimated)
  const known = counts[kind.name]
  const isBeyond = kind.isProse && (log < proseBounds.least || log > proseBounds.most)
  if (known?.usual) {
    const { mean, distance } = known.usual
    return { factor: Math.exp(log - mean), deviates: isBeyond || Math.abs(log - mean) > distance }
  }
  // A false report must not become the usual one.
  if (isBeyond) return { factor: Math.exp(log), deviates: true }
  if (known === undefined && Object.keys(counts).length >= mostKinds) return null
  const first = [...(known?.first ?? []), log]
  counts[kind.name] = first.length < learntFrom ? { first, usual: null } : learnt(first)
  return kind.isProse ? { factor: 1, deviates: false } : null
}

/** The median and its usual distance, which single odd reports do not move. */
function learnt(logs: readonly number[]): z.output<typeof kindSchema> {
  const mean = median(logs)
  const spread = 1.4826 * median(logs.map((log) => Math.abs(log - mean)))
  const distance = Math.min(mostDistance, Math.max(leastDistance, deviations * spread))
  return { first: [], usual: { mean, distance } }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return ((sorted[middle] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2
}
