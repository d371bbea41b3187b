import { Option, type Command } from 'commander'
import type { RefusalCount } from '../../shared/refusal.ts'
import type { UsageRow } from '../storage/storage.ts'
import type { Cli } from './cli.ts'
import { sinceOption } from './option-values.ts'
import type { Columns } from './output.ts'

const groups = ['router', 'model', 'key', 'day'] as const

interface UsageOptions {
  router?: string
  since: number
  group: (typeof groups)[number]
  refused?: true
}

export function registerUsage(program: Command, cli: Cli): void {
  program
    .command('usage')
    .description('total requests, tokens, cost and carbon')
    .option('--router <id>', 'only requests of this router')
    .addOption(sinceOption())
    .addOption(
      new Option('--group <what>', 'one line per router, model, key or day')
        .choices(groups)
        .default('router'),
    )
    .option(
      '--refused',
      'requests refused before a model was tried, by key, router, error and door',
    )
    .action(({ router, since, group, refused }: UsageOptions) =>
      cli.inWorkspace(async ({ storage }) => {
        if (refused) {
          const counts = await storage.refusals.counts({ routerId: router, sinceMs: since })
          return cli.output.table(counts, refusalColumns)
        }
        const rows = await storage.ledger.usage({ routerId: router, sinceMs: since, group })
        return cli.output.table(rows, columns(group))
      }),
    )
}

const refusalColumns: Columns<RefusalCount> = {
  ERROR: ({ code }) => code,
  DOOR: ({ door }) => door,
  KEY: ({ apiKeyId }) => apiKeyId,
  ROUTER: ({ routerId }) => routerId,
  REFUSED: ({ count }) => count,
  LAST: ({ lastAtMs }) => new Date(lastAtMs).toISOString(),
}

function columns(group: UsageOptions['group']): Columns<UsageRow> {
  return {
    [group.toUpperCase()]: (row) => row.group,
    REQUESTS: ({ requests }) => requests,
    ERRORS: ({ errors }) => errors,
    INPUT: ({ tokens }) => tokens.input,
    'CACHE READ': ({ tokens }) => tokens.cacheRead,
    'CACHE WRITE': ({ tokens }) => tokens.cacheWrite,
    OUTPUT: ({ tokens }) => tokens.output,
    REASONING: ({ tokens }) => tokens.reasoning,
    USD: ({ costUsd }) => costUsd.toFixed(6),
    'CO2 G': ({ carbonGrams }) => carbonGrams.toFixed(3),
    'P50 MS': ({ latencyMs }) => latencyMs && Math.round(latencyMs.p50),
    'P99 MS': ({ latencyMs }) => latencyMs && Math.round(latencyMs.p99),
  }
}
