import { InvalidArgumentError, Option, type Command } from 'commander'
import { strategyNames, type StrategyName } from '../../shared/routers/strategies.ts'
import { dailyLimitOf, tiers, type Router, type Tier } from '../../shared/entities.ts'
import { formatBudget } from '../../shared/strings/format.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import { CommandFailed, type Cli } from './cli.ts'
import { addBudgetOptions, type BudgetOptions } from './budget-options.ts'
import {
  addHedgeOptions,
  changedHedge,
  hedgeInWords,
  withoutHedge,
  type HedgeOptions,
} from './hedge-options.ts'
import { none, readList, readOrNone, readWholeNumber, withNulls } from './option-values.ts'
import type { Columns } from './output.ts'
import {
  addRoutingOptions,
  changedRouting,
  routingColumns,
  withoutRouting,
  type RoutingOptions,
} from './routing-options.ts'
import {
  addTimeLimitOptions,
  changedTimeLimits,
  withoutTimeLimits,
  type TimeLimitOptions,
} from './time-limit-options.ts'

interface RouterOptions extends BudgetOptions, TimeLimitOptions, HedgeOptions, RoutingOptions {
  name?: string
  strategy?: StrategyName
  models?: string[]
  tier?: Tier
  dailyLimit?: number | typeof none
  cacheTtl?: number | typeof none
  requestsPerMinute?: number | typeof none
}
type CreateOptions = RouterOptions & Required<Pick<RouterOptions, 'name' | 'strategy' | 'models'>>

const columns: Columns<Router> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  STRATEGY: ({ strategy }) => strategy,
  TIER: ({ tier }) => tier,
  'PER DAY': (router) => dailyLimitOf(router) ?? 'unlimited',
  'PER MINUTE': ({ requestsPerMinute }) => requestsPerMinute ?? 'unlimited',
  BUDGET: formatBudget,
  CACHE: ({ cacheTtlSeconds }) => (cacheTtlSeconds === null ? 'off' : `${cacheTtlSeconds} s`),
  'TIME LIMITS': ({ timeLimits }) =>
    Object.entries(timeLimits)
      .map(([name, ms]) => `${name} ${ms}`)
      .join(' ') || 'default',
  HEDGE: ({ hedge }) => hedgeInWords(hedge),
  MODELS: ({ models }) => models.join(' '),
}

/** The columns for one router. */
const allColumns: Columns<Router> = { ...columns, ...routingColumns }

export function registerRouter(program: Command, cli: Cli): void {
  const router = program.command('router').description('manage routers')
  registerCreate(router, cli)
  registerUpdate(router, cli)
  router
    .command('list')
    .description('list routers')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.table(await dashboard.routers(), columns)
      }),
    )
  router
    .command('show <id>')
    .description('show a router')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.record(await findRouter(dashboard, id), allColumns)
      }),
    )
  router
    .command('delete <id>')
    .description('delete a router; its requests stay in the ledger')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        await dashboard.removeRouter(id)
        cli.output.done({ id }, `Deleted ${id}.`)
      }),
    )
}

function registerCreate(router: Command, cli: Cli): void {
  const create = router
    .command('create')
    .description('create a router; prints its id')
    .addOption(nameOption().makeOptionMandatory())
    .addOption(strategyOption().makeOptionMandatory())
    .addOption(modelsOption().makeOptionMandatory())
  addSharedOptions(create).action((options: CreateOptions) =>
    cli.inWorkspace(async ({ dashboard }) => {
      const { name, strategy, models } = options
      const { id } = await dashboard.createRouter({
        ...toInput(options),
        name,
        strategy,
        models,
        timeLimits: changedTimeLimits({}, options),
        hedge: changedHedge(null, options),
        routing: changedRouting({}, options),
      })
      cli.output.json({ id })
    }),
  )
}

function registerUpdate(router: Command, cli: Cli): void {
  const update = router
    .command('update <id>')
    .description('change the given settings of a router')
    .addOption(nameOption())
    .addOption(strategyOption())
    .addOption(modelsOption())
  addSharedOptions(update).action((id: string, options: RouterOptions) =>
    cli.inWorkspace(async ({ dashboard }) => {
      const before = withoutIdentity(await findRouter(dashboard, id))
      // The other tiers have limits of their own.
      if ((options.tier ?? before.tier) !== 'enterprise') before.dailyLimit = null
      const timeLimits = changedTimeLimits(before.timeLimits, options)
      const hedge = changedHedge(before.hedge, options)
      const routing = changedRouting(before.routing, options)
      const input = { ...before, ...toInput(options), timeLimits, hedge, routing }
      cli.output.record(await dashboard.updateRouter(id, input), allColumns)
    }),
  )
}

/** The options that `create` and `update` share; none is mandatory. */
function addSharedOptions(command: Command): Command {
  const perDay = 'requests per UTC day, for the enterprise tier'
  command
    .addOption(tierOption())
    .addOption(new Option('--daily-limit <number|none>', perDay).argParser(readDailyLimit))
    .addOption(burstOption())
    .addOption(cacheTtlOption())
  return addRoutingOptions(addHedgeOptions(addTimeLimitOptions(addBudgetOptions(command))))
}

/** The given options under the dashboard's names; grouped settings are changed separately. */
function toInput(options: RouterOptions) {
  const { cacheTtl, ...input } = withNulls(withoutRouting(withoutHedge(withoutTimeLimits(options))))
  return cacheTtl === undefined ? input : { ...input, cacheTtlSeconds: cacheTtl }
}

/** The fields that the user sets. */
function withoutIdentity({ id: _id, createdAtMs: _made, updatedAtMs: _changed, ...input }: Router) {
  return input
}

function nameOption(): Option {
  return new Option('--name <name>', 'display name')
}

function modelsOption(): Option {
  const words = 'provider:model names, in order of preference'
  return new Option('--models <a,b>', words).argParser(readList)
}

function strategyOption(): Option {
  return new Option('--strategy <strategy>', 'how the model is chosen').choices(strategyNames)
}

function tierOption(): Option {
  return new Option('--tier <tier>', 'free allows 100 requests per UTC day, pro 10,000').choices(
    tiers,
  )
}

function burstOption(): Option {
  return new Option(
    '--requests-per-minute <number|none>',
    'requests in any 60 seconds; further requests are refused',
  ).argParser(readOrNone(readWholeNumber))
}

function cacheTtlOption(): Option {
  const words = 'repeat an answer to the same request of the same key for this long'
  return new Option('--cache-ttl <seconds|off>', words).argParser(readCacheTtl)
}

function readCacheTtl(text: string): number | typeof none {
  if (text === 'off') return none
  try {
    return readWholeNumber(text)
  } catch {
    throw new InvalidArgumentError('Expected a whole number of seconds, or off.')
  }
}

function readDailyLimit(text: string): number | typeof none {
  if (text === 'none') return none
  try {
    return readWholeNumber(text)
  } catch {
    throw new InvalidArgumentError('Expected a whole number, or none for unlimited.')
  }
}

async function findRouter(dashboard: Dashboard, id: string): Promise<Router> {
  const found = (await dashboard.routers()).find((router) => router.id === id)
  if (found === undefined) throw new CommandFailed(`There is no router ${id}.`)
  return found
}
