import { appendFileSync } from 'node:fs'

/**
 * Reports how many things a script checked, when `npm run torture` or `npm run cluster` runs it. Tests use
 * test/torture/share.ts, which older versions of Node could not load here.
 * @param {string} what
 * @param {number} count
 */
export function reportCount(what, count) {
  const reportFile = process.env['MODELPORT_TORTURE_REPORT']
  if (reportFile === undefined) return
  /** @type {import('../../bench/measurement.ts').Measurement} */
  const measurement = { what, unit: '', measured: count, target: { atLeast: 1 } }
  appendFileSync(reportFile, `${JSON.stringify(measurement)}\n`)
}
