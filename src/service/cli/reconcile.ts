import { basename } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import {
  greatestBillBytes,
  reconcileOptionsSchema,
  type BillProblem,
  type Cause,
  type PriceFinding,
  type ReconciledLine,
  type Reconciliation,
} from '../../shared/requests/reconciliation.ts'
import { causeWords, hasNoPrice, noPriceNote } from '../../shared/requests/reconcile-words.ts'
import type { Cli } from './cli.ts'
import { tableLines, type Columns } from './output.ts'
import { readBytes } from './read-file.ts'

interface ReconcileCommandOptions {
  provider?: string
  from?: string
  to?: string
  timeZone?: string
  all?: true
}

export function registerReconcile(program: Command, cli: Cli): void {
  const { from, timeZone } = reconcileOptionsSchema.shape
  const day = readAs(from)
  program
    .command('reconcile <file...>')
    .description('compare a vendor’s bill with the ledger and name the causes of differences')
    .option('--provider <id>', 'only requests of this provider')
    .option('--from <day>', 'first day, for example 2026-11-01; otherwise the bill’s', day)
    .option('--to <day>', 'last day', day)
    .option(
      '--time-zone <name>',
      'zone in which the bill’s days begin (default: UTC)',
      readAs(timeZone),
    )
    .option('--all', 'also print the days and models without a difference')
    .action((files: string[], options: ReconcileCommandOptions) =>
      cli.inWorkspace(async ({ reconcile }) => {
        const { provider: providerId, all, ...range } = options
        const bill = await Promise.all(
          files.map(async (file) => ({
            name: basename(file),
            bytes: await readBytes(file, cli, greatestBillBytes),
          })),
        )
        const result = await reconcile(bill, { providerId, ...range })
        cli.output.text(result, textOf(result, all === true))
      }),
    )
}

function readAs(schema: { safeParse: (text: string) => { success: boolean; error?: Error } }) {
  return (text: string) => {
    const { error } = schema.safeParse(text)
    if (error === undefined) return text
    // Checked boundary: the error of a schema of one text.
    const [issue] = (error as Error & { issues: { message: string }[] }).issues
    throw new InvalidArgumentError(`${issue?.message ?? 'Not understood'}.`)
  }
}

const usd = (value: number) => value.toFixed(4)

const lineColumns: Columns<ReconciledLine> = {
  DAY: ({ day }) => day,
  MODEL: ({ model }) => model,
  'BILL USD': billedWords,
  'MODELPORT USD': ({ ours }) => usd(ours.usd),
  DIFFERENCE: (line) => (hasNoPrice(line) ? null : usd(line.differenceUsd)),
  UNEXPLAINED: ({ unexplainedUsd }) => (unexplainedUsd === 0 ? null : usd(unexplainedUsd)),
  CAUSES: ({ causes }) => causes.map(causeAndAmount).join('; '),
}

function billedWords(line: ReconciledLine): string | null {
  if (hasNoPrice(line)) return null
  const billed = usd(line.theirs.usd)
  return line.isPriced ? `(${billed})` : billed
}

function causeAndAmount(cause: Cause): string {
  const words = causeWords(cause)
  return cause.kind === 'noPrice' ? words : `${words} ${usd(cause.usd)}`
}

const problemColumns: Columns<BillProblem> = {
  FILE: ({ file }) => file,
  LINE: ({ line }) => line,
  'NOT READ': ({ reason }) => reason,
}

/** Differences below this are not printed unless asked for. */
const leastUsd = 0.00005

function textOf(result: Reconciliation, isAll: boolean): string {
  const { lines, total, prices, problems, problemCount, duplicates, offsetMinutes } = result
  const shown = lines.filter(
    (line) => isAll || hasNoPrice(line) || Math.abs(line.differenceUsd) >= leastUsd,
  )
  const note = noPriceNote(lines)
  const parts = [
    `${result.from} to ${result.to} in ${result.timeZone}: the bill has $${usd(total.theirsUsd)}, Modelport $${usd(total.oursUsd)}.`,
    `Difference $${usd(total.differenceUsd)}, unexplained $${usd(total.unexplainedUsd)}.`,
    ...(note === null ? [] : [note]),
    ...(shown.length === 0 ? ['No difference.'] : ['', ...tableLines(shown, lineColumns)]),
  ]
  if (offsetMinutes !== null) {
    parts.push(
      '',
      `The bill’s days begin ${offsetWords(offsetMinutes)}. Choose its zone with --time-zone.`,
    )
  }
  if (duplicates > 0) parts.push('', `${duplicates} rows are in two files and were counted once.`)
  if (problemCount > 0) {
    parts.push('', `${problemCount} rows were not read:`, ...tableLines(problems, problemColumns))
  }
  for (const price of prices) parts.push('', ...correctionOf(price))
  return parts.join('\n')
}

function offsetWords(minutes: number): string {
  const hours = Math.abs(minutes) / 60
  return `${hours} ${hours === 1 ? 'hour' : 'hours'} ${minutes > 0 ? 'earlier' : 'later'}`
}

function correctionOf(price: PriceFinding): string[] {
  const { modelId, fromMs, before } = price
  const options = [
    ['from', new Date(fromMs).toISOString()],
    ['input-usd-per-mtok', price.inputUsdPerMtok],
    ['output-usd-per-mtok', price.outputUsdPerMtok],
    ['cache-read-usd-per-mtok', price.cacheReadUsdPerMtok],
    ['cache-write-usd-per-mtok', price.cacheWriteUsdPerMtok],
    ['cache-write-1h-usd-per-mtok', price.cacheWrite1hUsdPerMtok],
  ] as const
  const given = options.filter(([, value]) => value !== null)
  const words = given.map(([name, value]) => `--${name} ${value}`).join(' ')
  return [
    `Since ${price.from}, ${modelId} costs $${price.inputUsdPerMtok} and $${price.outputUsdPerMtok} per million tokens, not $${before.inputUsdPerMtok} and $${before.outputUsdPerMtok}. To correct it:`,
    `  modelport model price ${modelId} ${words}`,
  ]
}
