/**
 * `npm run bench NAME`: runs one benchmark, prints a table, and fails when a bound is missed. Each benchmark is a
 * file in this folder that exports `run`. Results of releases are in docs/.
 */
import { loadavg } from 'node:os'
import { boundText, isMissed, isWithin, rounded, type Measurement } from './measurement.ts'
import { reportMeasured } from '../test/torture/share.ts'
import { usableCores } from '../src/service/local/usable-cores.ts'

const benchmarks: Record<string, () => Promise<{ run: () => Promise<Measurement[]> }>> = {
  abort: () => import('./abort.ts'),
  forecast: () => import('./forecast.ts'),
  local: () => import('./local.ts'),
  lock: () => import('./lock.ts'),
  'long-soak': () => import('./long-soak.ts'),
  'many-streams': () => import('./many-streams.ts'),
  loop: () => import('./loop.ts'),
  overhead: () => import('./overhead.ts'),
  routing: () => import('./routing.ts'),
  sessions: () => import('./sessions.ts'),
  soak: () => import('./soak.ts'),
  start: () => import('./start.ts'),
  stream: () => import('./stream.ts'),
  ui: () => import('./ui.ts'),
}

const name = process.argv[2] ?? ''
const load = benchmarks[name]
if (load) {
  const measurements = await (await load()).run()
  // For `npm run torture`, which runs some benches too.
  reportMeasured(measurements)
  process.exitCode = report(measurements)
} else {
  process.stderr.write(
    `usage: npm run bench NAME, where NAME is ${Object.keys(benchmarks).join(', ')}\n`,
  )
  process.exitCode = 2
}

/** Prints the table; returns 0 when every bound is met. */
function report(measurements: readonly Measurement[]): number {
  const lines = measurements.map((measurement) => [
    measurement.what,
    `${rounded(measurement.measured)} ${measurement.unit}`,
    baselineText(measurement),
    targetText(measurement),
    goalText(measurement),
  ])
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
  const load1 = loadavg()[0] ?? 0
  process.stdout.write(
    `${usableCores()} usable cores, Node ${process.versions.node}, load ${rounded(load1)} at the end\n`,
  )
  return measurements.some(isMissed) ? 1 : 0
}

function baselineText({ baseline }: Measurement): string {
  return baseline ? `${baseline.what} ${rounded(baseline.value)}` : ''
}

function targetText({ target, unit, measured }: Measurement): string {
  if (target === null) return ''
  return `${isWithin(target, measured) ? 'ok' : 'MISSED'} (${boundText(target, unit)})`
}

function goalText({ goal, unit, measured }: Measurement): string {
  if (goal === undefined) return ''
  return `goal ${boundText(goal, unit)}: ${isWithin(goal, measured) ? 'reached' : 'not yet'}`
}
