import type { Candidate, RankedCandidate, RoutingContext } from '../candidate.ts'

/** Orders the candidates, best first: pure, deterministic, and every candidate comes back once. */
export type Strategy = (
  candidates: readonly Candidate[],
  context: RoutingContext,
) => readonly RankedCandidate[]
