import { InvalidArgumentError, type Command } from 'commander'
import type { RequestRecord } from '../../shared/entities.ts'
import type { Cli } from './cli.ts'
import { readWholeNumber } from './option-values.ts'
import type { Columns } from './output.ts'

const greatestLimit = 10_000

const columns: Columns<RequestRecord> = {
  STARTED: ({ startedAtMs }) => new Date(startedAtMs).toISOString(),
  REQUEST: ({ id }) => id,
  STATUS: ({ status }) => status,
  MODEL: ({ modelUsed }) => modelUsed,
  DECISION: ({ routerDecision }) => routerDecision,
  MS: ({ latencyMs }) => Math.round(latencyMs),
  USD: ({ costNanoUsd }) => (costNanoUsd / 1e9).toFixed(6),
  'CO2 G': ({ carbonGrams }) => carbonGrams.toFixed(3),
  CACHE: ({ cachedFrom }) => (cachedFrom === null ? null : 'hit'),
  ERROR: ({ errorCode }) => errorCode,
}

export function registerRequests(program: Command, cli: Cli): void {
  program
    .command('requests')
    .description('the latest requests, newest first')
    .option('--router <id>', 'only of this router')
    .option('--limit <number>', `how many, ${greatestLimit} at the most`, readLimit, 20)
    .action(({ router, limit }: { router?: string; limit: number }) =>
      cli.inWorkspace(async ({ storage }) => {
        cli.output.table(await storage.ledger.list({ routerId: router, limit }), columns)
      }),
    )
}

function readLimit(text: string): number {
  const limit = readWholeNumber(text)
  if (limit < 1 || limit > greatestLimit)
    throw new InvalidArgumentError(`Expected 1 to ${greatestLimit}.`)
  return limit
}
