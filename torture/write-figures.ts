/** Puts the figures of a full run into the table of a page of docs/; checks that did not run keep theirs. */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMissed, type Measurement } from '../bench/measurement.ts'
import type { Check } from './check.ts'
import { figureText } from './figure-text.ts'
import { machineText } from './machine.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const oxfmt = fileURLToPath(new URL('../node_modules/.bin/oxfmt', import.meta.url))

export interface CheckResult {
  check: Check
  rows: readonly Measurement[]
  seconds: number
}

/** @param page  such as `docs/reliability.md` @throws Error when a check has no row in it */
export async function writeFigures(page: string, results: readonly CheckResult[]): Promise<void> {
  const file = join(root, page)
  let text = await readFile(file, 'utf8')
  for (const result of results) {
    const line = new RegExp(`^\\| *${result.check.number} +\\|.*$`, 'm')
    if (!line.test(text)) throw new Error(`${page} has no row ${result.check.number}`)
    text = text.replace(line, () => rowOf(result))
  }
  await writeFile(file, text)
  execFileSync(oxfmt, [file])
}

/** One line of the table. */
function rowOf({ check, rows, seconds }: CheckResult): string {
  const figures = rows.map((measurement) => cellText(measurement)).join('; ')
  const verdict = rows.some(isMissed) ? 'MISSED' : 'ok'
  const day = new Date().toISOString().slice(0, 10)
  const taken = `${day}, ${seconds} s, ${machineText()}`
  const cells = [check.number, `\`${check.name}\``, check.target, figures, verdict, taken]
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function cellText(measurement: Measurement): string {
  const figure = `${measurement.what} ${figureText(measurement)}`.trimEnd()
  return isMissed(measurement) ? `MISSED ${figure}` : figure
}
