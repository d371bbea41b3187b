/**
 * `npm run bench NAME`: runs one benchmark, prints a table, and fails when a target is missed.
 * Each is a file beside this one that exports `run`; results of releases are kept in docs/.
 */
import { loadavg } from 'node:os'
import { usableCores } from '../src/service/local/usable-cores.ts'

/** One figure and what it has to be. */
export interface Measurement {
  what: string
  unit: string
  measured: number
  target: { atLeast: number } | { atMost: number } | null
}

const benchmarks: Record<string, () => Promise<{ run: () => Promise<Measurement[]> }>> = {
  local: () => import('./local.ts'),
  overhead: () => import('./overhead.ts'),
  start: () => import('./start.ts'),
}

const name = process.argv[2] ?? ''
const load = benchmarks[name]
if (load) {
  process.exitCode = report(await (await load()).run())
} else {
  process.stderr.write(
    `usage: npm run bench NAME, where NAME is ${Object.keys(benchmarks).join(', ')}\n`,
  )
  process.exitCode = 2
}

/** Prints the table; 0 when every target is met. */
function report(measurements: readonly Measurement[]): number {
  const lines = measurements.map((measurement) => [
    measurement.what,
    `${round(measurement.measured)} ${measurement.unit}`,
    targetText(measurement),
    isMissed(measurement) ? 'MISSED' : 'ok',
  ])
  const widths = [0, 1, 2].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    process.stdout.write(`${cells.join('  ')}\n`)
  }
  const load1 = loadavg()[0] ?? 0
  process.stdout.write(`${usableCores()} usable cores, load ${round(load1)} at the end\n`)
  return measurements.some(isMissed) ? 1 : 0
}

function targetText({ target, unit }: Measurement): string {
  if (target === null) return ''
  return 'atLeast' in target ? `>= ${target.atLeast} ${unit}` : `<= ${target.atMost} ${unit}`
}

function isMissed({ target, measured }: Measurement): boolean {
  if (target === null) return false
  return 'atLeast' in target ? measured < target.atLeast : measured > target.atMost
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
