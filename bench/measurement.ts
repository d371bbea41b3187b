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
