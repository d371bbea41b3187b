/**
 * Requests wait in Modelport for a model server that answers one at a time. A candidate whose wait alone takes
 * longer than another candidate's whole answer is tried after it.
 */
import type { Candidate, EstimatedCandidate } from '../../routing/candidate.ts'

export interface SlotWaitOptions {
  /** Candidates with their expected latency, which includes the wait. */
  ranked: readonly EstimatedCandidate[]
  /** Requests in progress and waiting, for each that the server answers at once; null: none has to wait. */
  loadOf(candidate: Candidate): number | null
  /** How many of the first candidates keep their place. */
  fixed: number
}

/** The same array when no candidate has to wait for long. */
export function longWaitsLast(
  candidates: readonly Candidate[],
  { ranked, loadOf, fixed }: SlotWaitOptions,
): readonly Candidate[] {
  if (candidates.length < 2) return candidates
  const isFull = (candidate: Candidate) => (loadOf(candidate) ?? 0) >= 1
  const movable = candidates.slice(fixed)
  if (!movable.some(isFull)) return candidates
  const latencies = new Map(ranked.map(({ model, estimate }) => [model, estimate.latencyMs]))
  const free = movable.filter((candidate) => !isFull(candidate))
  const soonestMs = Math.min(...free.map(({ modelId }) => latencies.get(modelId) ?? Infinity))
  const waitsLong = (candidate: Candidate) => {
    const load = loadOf(candidate) ?? 0
    const latencyMs = latencies.get(candidate.modelId) ?? 0
    // The estimate is the time of a free server times one plus the load.
    return load >= 1 && (latencyMs * load) / (1 + load) > soonestMs
  }
  return [
    ...candidates.slice(0, fixed),
    ...movable.filter((candidate) => !waitsLong(candidate)),
    ...movable.filter(waitsLong),
  ]
}
