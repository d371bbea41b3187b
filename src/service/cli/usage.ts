import { Option, type Command } from 'commander'
import type { RefusalCount } from '../../shared/requests/refusal.ts'
import type { UnexpectedCall } from '../../shared/requests/unexpected-call.ts'
import type { Storage, UsageRow } from '../storage/storage.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { sinceOption } from './option-values.ts'
import type { Columns } from './output.ts'

const groups = ['router', 'model', 'key', 'day'] as const

interface UsageOptions {
  router?: string
  since: number
  group: (typeof groups)[number]
  refused?: true
  unexpected?: true
  dismiss?: string
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
    .option('--unexpected', 'first uses and spikes of keys and routers that nobody expected')
    .option('--dismiss <id>', 'with --unexpected: those of this key or router were expected')
    .action(({ router, since, group, refused, unexpected, dismiss }: UsageOptions) =>
      cli.inWorkspace(async ({ storage, now }) => {
        if (dismiss !== undefined) {
          if (!unexpected) throw new UsageError('--dismiss needs --unexpected')
          return await dismissCalls(cli, storage, { ownerId: dismiss, nowMs: now() })
        }
        if (unexpected) return cli.output.table(await storage.unexpectedCalls.list(), callColumns)
        if (refused) {
          const counts = await storage.refusals.counts({ routerId: router, sinceMs: since })
          return cli.output.table(counts, refusalColumns)
        }
        const rows = await storage.ledger.usage({ routerId: router, sinceMs: since, group })
        return cli.output.table(rows, usageColumns(group))
      }),
    )
}

async function dismissCalls(
  { output }: Cli,
  { unexpectedCalls }: Storage,
  { ownerId, nowMs }: { ownerId: string; nowMs: number },
): Promise<void> {
  if (!(await unexpectedCalls.dismiss({ ownerId }, nowMs))) {
    throw new CommandFailed(`There is no unexpected call of "${ownerId}".`)
  }
  output.done({ id: ownerId }, `The unexpected calls of ${ownerId} were dismissed.`)
}

const callColumns: Columns<UnexpectedCall> = {
  OWNER: ({ ownerId }) => ownerId,
  UNEXPECTED: ({ kind }) => kind,
  NEW: ({ value }) => value,
  'ALSO NEW': ({ others, amount }) => (amount === null ? others : null),
  'ON THAT DAY': ({ amount }) => amount,
  USUAL: ({ usual }) => usual,
  FIRST: ({ firstAtMs }) => new Date(firstAtMs).toISOString(),
  LAST: ({ lastAtMs }) => new Date(lastAtMs).toISOString(),
}

const refusalColumns: Columns<RefusalCount> = {
  ERROR: ({ code }) => code,
  DOOR: ({ door }) => door,
  KEY: ({ apiKeyId }) => apiKeyId,
  ROUTER: ({ routerId }) => routerId,
  REFUSED: ({ count }) => count,
  LAST: ({ lastAtMs }) => new Date(lastAtMs).toISOString(),
}

export function usageColumns(group: UsageOptions['group']): Columns<UsageRow> {
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
