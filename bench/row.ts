import type { Bound, Measurement } from './measurement.ts'

/** A row of a bench's table. @param bound  the required value and the goal, if any */
export function row(
  what: string,
  [measured, unit]: readonly [number, string],
  bound: { target?: Bound; goal?: Bound } = {},
): Measurement {
  return {
    what,
    unit,
    measured,
    target: bound.target ?? null,
    ...(bound.goal && { goal: bound.goal }),
  }
}
