/** The router's own order; the next model is only a fallback. */
import type { Strategy } from './strategy.ts'

export const priority: Strategy = {
  rank: (contenders) => contenders.toSorted((a, b) => a.position - b.position),
  why: ([first]) => `number ${(first?.position ?? 0) + 1} of the router’s list`,
  flip: ([, second]) =>
    second === undefined ? null : `moving ${second.model} up in the router’s list would choose it`,
}
