/** The amounts and time limits of a check's test, and its figures against their targets. */
import { expect } from 'vitest'
import { isMissed, type Measurement } from '../../bench/measurement.ts'
import { reportMeasured, seed, share } from './share.ts'

/** Whether a check runs with its full amounts, or a share of them. */
export const isTorture = share !== null

/** A check's time limit within a test file. */
export const tortureTimeoutMs = isTorture ? 30 * 60_000 : 240_000

export function amount({ quick, full }: { quick: number; full: number }): number {
  return share === null ? quick : Math.max(quick, Math.round(full * share))
}

/** A seed for each of the random cases; a failed test names the seed of its case. */
export function randomSeeds(amounts: { quick: number; full: number }): number[] {
  return Array.from({ length: amount(amounts) }, (_, index) => (seed - 1) * 1_000_000 + index)
}

/**
 * Fails the test when a figure misses its target. Reported first, so that a missed figure is in the table.
 * @param findings  what a failure shows beside the figures
 */
export function expectMeasured(
  measurements: readonly Measurement[],
  findings: readonly unknown[] = [],
): void {
  reportMeasured(measurements)
  expect({ missed: measurements.filter(isMissed), findings }).toEqual({ missed: [], findings: [] })
}
