import { InvalidArgumentError, Option, type Command } from 'commander'
import { strategyNames, type StrategyName } from '../../shared/chat.ts'
import { dailyLimitOf, tiers, type Router, type Tier } from '../../shared/entities.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import { CommandFailed, type Cli } from './cli.ts'
import {
  addHedgeOptions,
  changedHedge,
  hedgeInWords,
  withoutHedge,
  type HedgeOptions,
} from './hedge-options.ts'
import { readList, readWholeNumber } from './option-values.ts'
import type { Columns } from './output.ts'
import {
  addTimeLimitOptions,
  changedTimeLimits,
  withoutTimeLimits,
  type TimeLimitOptions,
} from './time-limit-options.ts'

interface RouterOptions extends TimeLimitOptions, HedgeOptions {
  name?: string
  strategy?: StrategyName
  models?: string[]
  tier?: Tier
  // Words stand for null, which commander takes for an option without a value.
  dailyLimit?: number | 'none'
  cacheTtl?: number | 'off'
}
type CreateOptions = RouterOptions & Required<Pick<RouterOptions, 'name' | 'strategy' | 'models'>>

const columns: Columns<Router> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  STRATEGY: ({ strategy }) => strategy,
  TIER: ({ tier }) => tier,
  'PER DAY': (router) => dailyLimitOf(router) ?? 'unlimited',
  CACHE: ({ cacheTtlSeconds }) => (cacheTtlSeconds === null ? 'off' : `${cacheTtlSeconds} s`),
  'TIME LIMITS': ({ timeLimits }) =>
    Object.entries(timeLimits)
      .map(([name, ms]) => `${name} ${ms}`)
      .join(' ') || 'default',
  HEDGE: ({ hedge }) => hedgeInWords(hedge),
  MODELS: ({ models }) => models.join(' '),
}

export function registerRouter(program: Command, cli: Cli): void {
  const router = program.command('router').description('which models a request may go to')
  registerCreate(router, cli)
  registerUpdate(router, cli)
  router
    .command('list')
    .description('all routers')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.table(await dashboard.routers(), columns)
      }),
    )
  router
    .command('show <id>')
    .description('one router')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.record(await findRouter(dashboard, id), columns)
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
  addHedgeOptions(addTimeLimitOptions(router.command('create')))
    .description('make a router; prints its id')
    .requiredOption('--name <name>', 'what you call it')
    .addOption(strategyOption().makeOptionMandatory())
    .requiredOption('--models <a,b>', 'provider:model names, in order of preference', readList)
    .addOption(tierOption())
    .option('--daily-limit <number|none>', 'requests per UTC day, enterprise only', readDailyLimit)
    .addOption(cacheTtlOption())
    .action(({ dailyLimit, cacheTtl, ...options }: CreateOptions) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const { id } = await dashboard.createRouter({
          ...withoutHedge(withoutTimeLimits(options)),
          timeLimits: changedTimeLimits({}, options),
          hedge: changedHedge(null, options),
          dailyLimit: numberOrNull(dailyLimit),
          cacheTtlSeconds: numberOrNull(cacheTtl),
        })
        cli.output.json({ id })
      }),
    )
}

function registerUpdate(router: Command, cli: Cli): void {
  addHedgeOptions(addTimeLimitOptions(router.command('update <id>')))
    .description('change what is given, keep the rest')
    .option('--name <name>', 'what you call it')
    .addOption(strategyOption())
    .option('--models <a,b>', 'provider:model names, in order of preference', readList)
    .addOption(tierOption())
    .option('--daily-limit <number|none>', 'requests per UTC day, enterprise only', readDailyLimit)
    .addOption(cacheTtlOption())
    .action((id: string, { dailyLimit, cacheTtl, ...options }: RouterOptions) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const before = await findRouter(dashboard, id)
        const { name, strategy, models, tier } = before
        const kept = { name, strategy, models, tier }
        // The other tiers have limits of their own.
        const keptLimit = (options.tier ?? tier) === 'enterprise' ? before.dailyLimit : null
        const updated = await dashboard.updateRouter(id, {
          ...kept,
          ...withoutHedge(withoutTimeLimits(options)),
          timeLimits: changedTimeLimits(before.timeLimits, options),
          hedge: changedHedge(before.hedge, options),
          dailyLimit: dailyLimit === undefined ? keptLimit : numberOrNull(dailyLimit),
          cacheTtlSeconds: cacheTtl === undefined ? before.cacheTtlSeconds : numberOrNull(cacheTtl),
        })
        cli.output.record(updated, columns)
      }),
    )
}

function strategyOption(): Option {
  return new Option('--strategy <strategy>', 'how it chooses').choices(strategyNames)
}

function tierOption(): Option {
  return new Option('--tier <tier>', 'free is 100 requests a day, pro 10,000').choices(tiers)
}

function cacheTtlOption(): Option {
  const words = 'give an answer again to the same request of the same key, for so long'
  return new Option('--cache-ttl <seconds|off>', words).argParser(readCacheTtl)
}

function readCacheTtl(text: string): number | 'off' {
  if (text === 'off') return text
  try {
    return readWholeNumber(text)
  } catch {
    throw new InvalidArgumentError('Expected a whole number of seconds, or off.')
  }
}

function readDailyLimit(text: string): number | 'none' {
  if (text === 'none') return text
  try {
    return readWholeNumber(text)
  } catch {
    throw new InvalidArgumentError('Expected a whole number, or none for unlimited.')
  }
}

function numberOrNull(value: number | string | undefined): number | null | undefined {
  return typeof value === 'string' ? null : value
}

async function findRouter(dashboard: Dashboard, id: string): Promise<Router> {
  const found = (await dashboard.routers()).find((router) => router.id === id)
  if (found === undefined) throw new CommandFailed(`There is no router ${id}.`)
  return found
}
