export type Bound = { atLeast: number } | { atMost: number }

/** One figure with its bound and its goal. */
export interface Measurement {
  what: string
  unit: string
  measured: number
  /** The value to compare it with. */
  baseline?: { what: string; value: number }
  /** A figure beyond its bound fails the run. */
  target: Bound | null
  /** The target for a later version; the table only shows whether it is reached. */
  goal?: Bound
}

export function boundText(bound: Bound, unit: string): string {
  const text = 'atLeast' in bound ? `>= ${bound.atLeast}` : `<= ${bound.atMost}`
  return `${text} ${unit}`.trimEnd()
}

export function isMissed({ target, measured }: Measurement): boolean {
  return target !== null && !isWithin(target, measured)
}

/** NaN, a figure that could not be measured, is within no bound. */
export function isWithin(bound: Bound, measured: number): boolean {
  return 'atLeast' in bound ? measured >= bound.atLeast : measured <= bound.atMost
}

/** The value with three digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
