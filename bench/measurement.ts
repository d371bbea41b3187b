export type Bound = { atLeast: number } | { atMost: number }

/** One figure and what it has to be. */
export interface Measurement {
  what: string
  unit: string
  measured: number
  /** What there is to compare it with. */
  baseline?: { what: string; value: number }
  /** Missing it fails the run. */
  target: Bound | null
  /** Where it shall be one day: the table only says whether it is. */
  goal?: Bound
}
