/**
 * Sends a share of requests to another good enough model than the first, because only a used model can be
 * judged. Off by default. The random choice depends on the request id alone, so a replay repeats it, and its
 * probability is recorded, so that learning can weight it.
 */
import type { RankParameters } from '../../shared/requests/detail.ts'
import { isAmongGood, toleranceAmong } from './good-enough.ts'
import { pacedContenders } from './order.ts'
import type { Contender } from './strategies/strategy.ts'

export interface ExplorationResult<One> {
  ranked: One[]
  /** Probability with which the first model was chosen; null when the choice was not random. */
  drawnWith: number | null
}

interface ExploreOptions {
  share: number
  parameters: RankParameters
  requestId: string
}

/** @param share  0 to 1 */
export function explore<One extends Contender>(
  ranked: readonly One[],
  { share, parameters, requestId }: ExploreOptions,
): ExplorationResult<One> {
  const paced = pacedContenders(ranked, parameters)
  const tolerance = toleranceAmong(paced, parameters)
  const others = ranked.slice(1).filter((_, index) => {
    const contender = paced[index + 1]
    return contender !== undefined && isAmongGood(contender, paced, tolerance)
  })
  if (share === 0 || others.length === 0) return { ranked: [...ranked], drawnWith: null }
  const chance = chanceOf(requestId)
  const drawn = chance < share ? others[Math.floor((chance / share) * others.length)] : undefined
  if (!drawn) return { ranked: [...ranked], drawnWith: 1 - share }
  const left = ranked.filter((one) => one !== drawn)
  return { ranked: [drawn, ...left], drawnWith: share / others.length }
}

/** A number from 0 to below 1, always the same for the same text (FNV-1a with MurmurHash3's final mix). */
function chanceOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
