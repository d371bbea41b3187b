import { expectedCostUsd } from '../expected-cost.ts'
import type { Strategy } from './strategy.ts'

/** Cheapest expected answer first; models that cost the same keep the router's order. */
export const costOptimized: Strategy = (candidates, context) =>
  candidates
    .map((candidate) => ({ candidate, costUsd: expectedCostUsd(candidate, context) }))
    .toSorted((a, b) => a.costUsd - b.costUsd || a.candidate.position - b.candidate.position)
    .map(({ candidate, costUsd }) => ({
      candidate,
      reason: `expected to cost $${costUsd.toPrecision(3)}`,
    }))
