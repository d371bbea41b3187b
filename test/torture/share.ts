/**
 * One harness, two amounts: `npm test` runs the small one, `npm run torture` the one of docs/reliability.md. The
 * runner sets the variables. Without vitest, for the end-to-end tests too.
 */
import { appendFileSync } from 'node:fs'
import type { Measurement } from '../../bench/measurement.ts'

const reportFile = process.env['MODELPORT_TORTURE_REPORT'] ?? null

/** The part of the full amounts to run; null in `npm test`. */
export const share = readShare(process.env['MODELPORT_TORTURE_SHARE'])

/** Seed of the random values; `--seed` of the command sets it. */
export const seed = Number(process.env['MODELPORT_TORTURE_SEED'] ?? 1)

/** Reports the figures to the runner. */
export function reportMeasured(measurements: readonly Measurement[]): void {
  if (reportFile === null) return
  const lines = measurements.map((measurement) => `${JSON.stringify(measurement)}\n`)
  appendFileSync(reportFile, lines.join(''))
}

function readShare(text: string | undefined): number | null {
  const value = Number(text ?? NaN)
  return value > 0 ? value : null
}
