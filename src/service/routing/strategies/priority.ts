import type { Strategy } from './strategy.ts'

/** The router's own order; the next model is only a fallback. */
export const priority: Strategy = (candidates) =>
  candidates
    .toSorted((a, b) => a.position - b.position)
    .map((candidate) => ({ candidate, reason: `number ${candidate.position + 1} of the router` }))
