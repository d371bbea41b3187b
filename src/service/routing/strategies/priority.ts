/** The order of the router's list; every other model is only a fallback. */
import type { Strategy } from './strategy.ts'

/** The models before it in the list cannot take this request. */
const firstAvailable = 'First in your list that can take the request'

export const priority: Strategy = {
  rank: (contenders) => contenders.toSorted((a, b) => a.position - b.position),
  why: ([first]) => (first?.position === 0 ? 'First in your list' : firstAvailable),
  flip: ([, second]) =>
    second === undefined ? null : `moving ${second.model} up in your list would choose it`,
}
