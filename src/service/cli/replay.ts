import { formatQuality } from '../../shared/models/quality-words.ts'
import { Option, type Command } from 'commander'
import { strategyNames, type StrategyName } from '../../shared/routers/strategy-names.ts'
import type { Band, ReplayReport } from '../../shared/routers/replay.ts'
import type { Cli } from './cli.ts'
import { sinceOption } from './option-values.ts'
import type { Columns } from './output.ts'

interface ReplayOptions {
  router: string
  strategy: StrategyName
  since: number
}

const columns: Columns<ReplayReport> = {
  STRATEGY: ({ strategy }) => strategy,
  REQUESTS: ({ requests }) => requests,
  REPLAYED: ({ replayed }) => replayed,
  'OTHER MODEL': ({ changed }) => changed,
  'USD THEN': ({ actual }) => actual.costUsd.toFixed(6),
  'USD EXPECTED': ({ expected }) => bandText(expected.costUsd, 6),
  'MS THEN': ({ actual }) => Math.round(actual.latencyMs),
  'MS EXPECTED': ({ expected }) => bandText(expected.latencyMs, 0),
  'CO2 G THEN': ({ actual }) => actual.carbonGrams.toFixed(3),
  'CO2 G EXPECTED': ({ expected }) => bandText(expected.carbonGrams, 3),
  'QUALITY THEN': ({ actual }) => formatQuality(actual.quality),
  'QUALITY EXPECTED': ({ expected }) => qualityText(expected.quality),
}

export function registerReplay(program: Command, cli: Cli): void {
  program
    .command('replay')
    .description('estimate past requests’ cost, latency and carbon under another strategy')
    .requiredOption('--router <id>', 'the router whose requests are replayed')
    .addOption(
      new Option('--strategy <name>', 'the strategy to compare')
        .choices(strategyNames)
        .makeOptionMandatory(),
    )
    .addOption(sinceOption())
    .action(({ router, strategy, since }: ReplayOptions) =>
      cli.inWorkspace(async ({ configuration, storage }) => {
        const query = { routerId: router, strategy, sinceMs: since }
        const { replayRouter } = await import('../wiring/replay.ts')
        const report = await replayRouter({ configuration, ledger: storage.ledger }, query)
        cli.output.record(report, columns)
        cli.output.note(skippedText(report))
        cli.output.note('This is an estimate: no request was sent.')
      }),
    )
}

/** 82 (79 to 84) */
function qualityText({ low, mid, high }: Band): string {
  return `${formatQuality(mid)} (${formatQuality(low)} to ${formatQuality(high)})`
}

/** 0.0123 (0.0101 to 0.0140) */
function bandText({ low, mid, high }: Band, digits: number): string {
  return `${mid.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`
}

function skippedText({ skipped, isCut }: ReplayReport): string {
  const { failed, pinned, cascade, embeddings } = skipped
  const { from_cache: fromCache, not_recorded: notRecorded } = skipped
  const parts = [
    `Left out: ${failed} failed, ${pinned} named their model, ${fromCache} came from the cache,`,
    `${cascade} went through the cascade, ${embeddings} were for embeddings,`,
    `${notRecorded} were not recorded with estimates.`,
  ]
  if (isCut) parts.push('Only the newest requests were replayed.')
  return parts.join(' ')
}
