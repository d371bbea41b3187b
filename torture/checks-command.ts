/** Runs checks with their full amounts and prints each figure beside its target: `npm run torture`, `npm run cluster`. */
import { parseArgs } from 'node:util'
import { boundText, isMissed, isWithin, type Measurement } from '../bench/measurement.ts'
import type { Check } from './check.ts'
import { figureText } from './figure-text.ts'
import { machineText } from './machine.ts'
import { runCheck, type RunAmounts } from './run-check.ts'
import { writeFigures } from './write-figures.ts'

interface ChecksCommand {
  /** The script of package.json. */
  name: string
  checks: readonly Check[]
  /** The page in docs/ with a row for each check. */
  page: string
}

/**
 * `npm run COMMAND [NAME…]`: all checks, or those named. `--list` names them, `--share 0.1` runs a tenth of the amounts,
 * `--write` puts the figures of a full run into the page, `--seed 7` draws other random values. Exit code 1 when a target
 * is missed.
 */
export async function runChecksCommand({ name, checks, page }: ChecksCommand): Promise<void> {
  const { values: options, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      share: { type: 'string', default: '1' },
      write: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
    },
  })
  const unknown = names.filter((one) => !checks.some((check) => check.name === one))
  const share = Number(options.share)
  const seed = Number(options.seed)
  if (options.list) {
    for (const { number, name: own, target } of checks) print(`${number}\t${own}\t${target}`)
    return
  }
  if (unknown.length > 0 || !(share > 0 && share <= 1) || !Number.isSafeInteger(seed)) {
    const usage = `npm run ${name} [NAME…] [-- --list | --share 0.1 | --seed 7 | --write]`
    process.stderr.write(`usage: ${usage}\n`)
    process.exitCode = 2
    return
  }
  const chosen = checks.filter((check) => names.length === 0 || names.includes(check.name))
  const results = []
  for (const check of chosen) results.push(await runAndPrint(check, { share, seed }))
  print(machineText())
  if (options.write && share === 1) await writeFigures(page, results)
  process.exitCode = results.every(({ rows }) => !rows.some(isMissed)) ? 0 : 1
}

async function runAndPrint(check: Check, amounts: RunAmounts) {
  print(`\n${check.number}. ${check.name}: ${check.target}`)
  const startedAt = performance.now()
  const rows = await runCheck(check, amounts)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  for (const measurement of rows) print(`   ${lineOf(measurement)}`)
  print(`   ${rows.some(isMissed) ? 'MISSED' : 'ok'} after ${seconds} s`)
  return { check, rows, seconds }
}

function lineOf(measurement: Measurement): string {
  const { what, unit, measured, target } = measurement
  const figure = `${what}: ${figureText(measurement)}`
  if (target === null) return figure
  return `${figure} (${boundText(target, unit)}) ${isWithin(target, measured) ? 'ok' : 'MISSED'}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
