/**
 * A share of requests that try another model than the first, among those good enough: what no one asks,
 * no one can judge. Off unless a person switched it on. Drawn by the request's id, so that a replay
 * draws alike, and told with its chance, so that what was learnt can be weighted.
 */
import { goodEnoughFirst } from './good-enough.ts'
import type { Contender } from './strategies/strategy.ts'

export interface Explored<One> {
  ranked: One[]
  /** Chance with which the first was to be first; null where nothing is drawn. */
  drawnWith: number | null
}

/** @param share  0 to 1. @param tolerance  of quality below the best */
export function explore<One extends Contender>(
  ranked: readonly One[],
  { share, tolerance, requestId }: { share: number; tolerance: number; requestId: string },
): Explored<One> {
  const good: One[] = []
  goodEnoughFirst(ranked, tolerance, (some) => {
    good.push(...some)
    return []
  })
  const others = good.filter((one) => one !== ranked[0])
  if (share === 0 || others.length === 0) return { ranked: [...ranked], drawnWith: null }
  const chance = chanceOf(requestId)
  const drawn = chance < share ? others[Math.floor((chance / share) * others.length)] : undefined
  if (!drawn) return { ranked: [...ranked], drawnWith: 1 - share }
  const left = ranked.filter((one) => one !== drawn)
  return { ranked: [drawn, ...left], drawnWith: share / others.length }
}

/** 0 to 1, 1 excluded, the same for the same text everywhere (FNV-1a, stirred as MurmurHash3 ends). */
function chanceOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
