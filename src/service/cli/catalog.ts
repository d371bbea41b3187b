import type { Command } from 'commander'
import type { BasePrice, CatalogChange, CatalogState } from '../../shared/models/catalog.ts'
import { formatPrice } from '../../shared/strings/format.ts'
import type { Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import type { Columns } from './output.ts'

const stateColumns: Columns<CatalogState> = {
  FROM: ({ origin }) => (origin === 'bundled' ? 'included with Modelport' : 'downloaded'),
  PRICES: ({ asOf }) => `as of ${asOf}`,
  MODELS: ({ models }) => models,
}
const changeColumns: Columns<CatalogChange> = {
  CHANGE: ({ kind }) => kind,
  MODEL: ({ modelId }) => modelId,
  BEFORE: ({ before }) => before && priceText(before),
  AFTER: ({ after }) => priceText(after),
}

export function registerCatalog(program: Command, cli: Cli): void {
  const group = program
    .command('catalog')
    .description('manage the catalog of model facts and prices')
  group
    .command('show')
    .description('show the catalog’s source and date')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) =>
        cli.output.record(await dashboard.catalog.state(), stateColumns),
      ),
    )
  group
    .command('refresh')
    .description(
      'download current prices and facts, show what changes, and apply them after you confirm',
    )
    .option('--yes', 'skip the confirmation')
    .action(({ yes }: { yes?: true }) => refresh(cli, yes === true))
  group
    .command('reset')
    .description('restore the catalog that came with Modelport')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) =>
        cli.output.record(await dashboard.catalog.reset(), stateColumns),
      ),
    )
}

async function refresh(cli: Cli, isConfirmed: boolean): Promise<void> {
  await cli.inWorkspace(async ({ dashboard }) => {
    const { token, asOf, changes } = await dashboard.catalog.check()
    if (changes.length === 0) {
      cli.output.note(`Nothing changes: the prices as of ${asOf} are already in use.`)
      return
    }
    cli.output.table(changes, changeColumns)
    cli.output.note('Your own figures for a model still take precedence.')
    if (!isConfirmed) await confirm('Use these prices and facts?', cli)
    await dashboard.catalog.apply(token)
    cli.output.note('Applied. To restore the included catalog: modelport catalog reset')
  })
}

function priceText({ inputUsdPerMtok, outputUsdPerMtok }: BasePrice): string {
  return formatPrice(inputUsdPerMtok, outputUsdPerMtok)
}
