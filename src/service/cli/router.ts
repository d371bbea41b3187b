import type { Command } from 'commander'
import { dailyLimitOf, type Router } from '../../shared/entities.ts'
import { formatBudget, formatUsd } from '../../shared/strings/format.ts'
import { routerFieldEntries, type FieldPath } from '../../shared/routers/router-fields.ts'
import { routerOf, valuesOf } from '../../shared/routers/router-values.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import { CommandFailed, type Cli } from './cli.ts'
import type { Columns } from './output.ts'
import {
  absentWord,
  addRouterOptions,
  changedSettings,
  type RouterOptions,
} from './router-options.ts'

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
  HEDGE: ({ hedge }) =>
    hedge === null
      ? 'off'
      : `${hedge.afterMs === 'auto' ? 'auto' : `${hedge.afterMs} ms`}, ${hedge.maxExtraPercent} %`,
  MODELS: ({ models }) => models.join(' '),
}

/** Settings whose value needs more than its number or word; null while they are unset. */
const worded: Partial<Record<FieldPath, (routing: Router['routing']) => string | null>> = {
  'routing.weights.cost': ({ weights }) =>
    weights && `cost=${weights.cost},latency=${weights.latency},carbon=${weights.carbon}`,
  'routing.maxCostUsdPerRequest': ({ maxCostUsdPerRequest: usd }) =>
    usd === null ? null : `$${usd} a request`,
  'routing.cascade': ({ cascade }) =>
    cascade &&
    cascade.tiers.map(({ models, accept }) => `${models.join(' + ')} (${accept})`).join(', '),
  'routing.subagents': ({ subagents }) =>
    subagents &&
    Object.entries(subagents)
      .map(([type, target]) => `${type}=${target}`)
      .join(','),
  'routing.checkCommand': ({ checkCommand }) => checkCommand,
  'routing.shadowSteps.share': ({ shadowSteps }) =>
    shadowSteps &&
    `${Number((shadowSteps.share * 100).toFixed(2))} % on ${shadowSteps.model}, ${formatUsd(shadowSteps.maxUsd)} in all`,
  'routing.contentDays': ({ contentDays }) => (contentDays === null ? null : `${contentDays} days`),
  'routing.shadow.share': ({ shadow }) =>
    shadow &&
    `${Number((shadow.share * 100).toFixed(2))} %, ${formatUsd(shadow.maxUsdPerDay)} a day, judge ${shadow.judge}`,
}

/** All settings, for one router: a list of routers would be wider than any screen. */
const allColumns: Columns<Router> = { ...columns, ...settingColumns() }

function settingColumns(): Columns<Router> {
  return Object.fromEntries(
    routerFieldEntries.flatMap(([path, field]) =>
      field.heading === undefined
        ? []
        : [
            [
              field.heading,
              (router: Router) => shown(path, router) || (absentWord(field) ?? 'none'),
            ],
          ],
    ),
  )
}

function shown(path: FieldPath, router: Router): string | null {
  const inWords = worded[path]
  if (inWords) return inWords(router.routing)
  const value = valuesOf(router)[path]
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'object' ? null : String(value)
}

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
  const create = router.command('create').description('create a router; prints its id')
  addRouterOptions(create, ['name', 'strategy', 'models']).action((options: RouterOptions) =>
    cli.inWorkspace(async ({ dashboard }) => {
      const { id } = await dashboard.createRouter(routerOf(changedSettings({}, options)))
      cli.output.json({ id })
    }),
  )
}

function registerUpdate(router: Command, cli: Cli): void {
  const update = router.command('update <id>').description('change the given settings of a router')
  addRouterOptions(update).action((id: string, options: RouterOptions) =>
    cli.inWorkspace(async ({ dashboard }) => {
      const before = valuesOf(await findRouter(dashboard, id))
      const changed = changedSettings(before, options)
      // The other tiers have limits of their own.
      const isOver = changed.tier !== 'enterprise' && options['dailyLimit'] === undefined
      const input = routerOf(isOver ? { ...changed, dailyLimit: null } : changed)
      cli.output.record(await dashboard.updateRouter(id, input), allColumns)
    }),
  )
}

async function findRouter(dashboard: Dashboard, id: string): Promise<Router> {
  const found = (await dashboard.routers()).find((router) => router.id === id)
  if (found === undefined) throw new CommandFailed(`There is no router ${id}.`)
  return found
}
