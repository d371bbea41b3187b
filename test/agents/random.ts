/** Reproducible random values, so that a failing case can be repeated. */
export interface Chance {
  /** @returns 0 to 1, 1 excluded */
  next(): number
  /** A whole number from 0 to below the bound. */
  below(bound: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  isTrue(probability: number): boolean
}

/** Mulberry32, a public-domain generator with 32 bits of state. */
export function seeded(seed: number): Chance {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    pick: ([first, ...rest]) => [first, ...rest][below(rest.length + 1)] ?? first,
    isTrue: (probability) => next() < probability,
  }
}
