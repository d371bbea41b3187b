/**
 * Spreads requests over deployments of one model: the same name at several providers, at the same price, next
 * to each other in the ranking. Of two picked at random, the less loaded goes first (power of two choices).
 * That is nearly as even as comparing all of them, and requests do not all rush to the idlest one.
 * @see https://www.eecs.harvard.edu/~michaelm/postscripts/handbook2001.pdf
 */
import { isSamePrice } from '../catalog/cost.ts'
import type { Candidate } from './candidate.ts'

export interface BalanceOptions {
  loadOf(modelId: string): number
  /** Random number from 0 to below 1. */
  random(): number
}

/** The candidates in the order in which to try them; only deployments of one model change places. */
export function balance(candidates: readonly Candidate[], options: BalanceOptions): Candidate[] {
  if (candidates.length < 2) return [...candidates]
  const ordered: Candidate[] = []
  for (let start = 0; start < candidates.length;) {
    const run = deploymentsFrom(candidates, start)
    ordered.push(...lessLoadedFirst(run, options))
    start += run.length
  }
  return ordered
}

function deploymentsFrom(candidates: readonly Candidate[], start: number): Candidate[] {
  const [first, ...rest] = candidates.slice(start)
  if (!first) return []
  const end = rest.findIndex((candidate) => !isSameOffer(candidate, first))
  return [first, ...(end === -1 ? rest : rest.slice(0, end))]
}

function isSameOffer(a: Candidate, b: Candidate): boolean {
  return modelName(a) === modelName(b) && isSamePrice(a.price, b.price)
}

function modelName({ modelId }: Candidate): string {
  return modelId.slice(modelId.indexOf(':') + 1)
}

/** Puts the less loaded of two first. The others keep their order, as fallbacks. */
function lessLoadedFirst(run: readonly Candidate[], options: BalanceOptions): readonly Candidate[] {
  if (run.length < 2) return run
  const one = pick(run, options)
  const other =
    one &&
    pick(
      run.filter((candidate) => candidate !== one),
      options,
    )
  if (!one || !other) return run
  const isOther = options.loadOf(other.modelId) < options.loadOf(one.modelId)
  const first = isOther ? other : one
  return [first, ...run.filter((candidate) => candidate !== first)]
}

function pick(from: readonly Candidate[], { random }: BalanceOptions): Candidate | undefined {
  return from[Math.floor(random() * from.length)]
}
