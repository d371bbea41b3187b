import { Option, type Command } from 'commander'
import { environments, type ApiKey } from '../../shared/entities.ts'
import { formatBudget } from '../../shared/format.ts'
import type { Cli } from './cli.ts'
import { addBudgetOptions, type BudgetOptions } from './budget-options.ts'
import { readList, readTime, withNulls } from './option-values.ts'
import type { Columns } from './output.ts'

interface CreateOptions extends BudgetOptions {
  name: string
  routers: string[]
  env?: (typeof environments)[number]
  expires?: number
  acceptAnyModel?: true
  metrics?: true
  explain?: true
  /** False when `--no-keep-alive` is given. */
  keepAlive: boolean
}

/** How long a rotated key lives on, in milliseconds. */
const graces = { '0': 0, '1h': 3_600_000, '24h': 86_400_000 } as const

export function registerKey(program: Command, cli: Cli): void {
  const key = program.command('key').description('API keys programs call the endpoint with')
  registerCreate(key, cli)
  key
    .command('list')
    .description('all keys; a key itself is shown only when it is made')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.table(await dashboard.apiKeys(), columns(Date.now()))
      }),
    )
  key
    .command('revoke <id>')
    .description('refuse a key from the next request on')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const revoked = await dashboard.revokeApiKey(id)
        cli.output.done(revoked, `Revoked ${revoked.name} (${revoked.hint}).`)
      }),
    )
  key
    .command('rotate <id>')
    .description('make a new key with the same rights; prints it once')
    .addOption(
      new Option('--grace <time>', 'how long the old key lives on')
        .choices(Object.keys(graces))
        .default('0'),
    )
    .action((id: string, { grace }: { grace: keyof typeof graces }) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const { key: secret, apiKey } = await dashboard.rotateApiKey(id, graces[grace])
        printOnce({ id: apiKey.id, key: secret }, cli)
      }),
    )
}

function registerCreate(key: Command, cli: Cli): void {
  const create = key
    .command('create')
    .description('make a key; prints it once')
    .requiredOption('--name <name>', 'what will use it')
    .requiredOption('--routers <all|a,b>', 'the routers it may use', readList)
    .addOption(new Option('--env <environment>', 'a label').choices(environments))
    .option('--expires <time>', 'refuse it from this time on, such as 2027-01-31', readTime)
    .option('--accept-any-model', 'read any model name as: the router decides')
    .option('--metrics', 'may read /metrics')
    .option('--explain', 'each answer says in _meta.decision why the model was chosen')
    .option('--no-keep-alive', 'no comment lines in its streams, for clients that break on them')
  addBudgetOptions(create).action(({ routers, env, expires, ...options }: CreateOptions) =>
    cli.inWorkspace(async ({ dashboard }) => {
      const isAll = routers.length === 1 && routers[0] === 'all'
      const { key: secret, apiKey } = await dashboard.createApiKey({
        ...withNulls(options),
        routers: isAll ? 'all' : routers,
        environment: env,
        expiresAtMs: expires,
      })
      printOnce({ id: apiKey.id, key: secret }, cli)
    }),
  )
}

function printOnce(created: { id: string; key: string }, cli: Cli): void {
  cli.output.json(created)
  cli.output.note('The key is shown this once; keep it, for example in $MODELPORT_API_KEY.')
}

function columns(nowMs: number): Columns<ApiKey> {
  return {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    KEY: ({ hint }) => hint,
    FOR: ({ environment }) => environment,
    ROUTERS: ({ routers }) => (routers === 'all' ? 'all' : routers.join(' ')),
    BUDGET: formatBudget,
    STATE: (apiKey) => stateOf(apiKey, nowMs),
    'LAST USED': ({ lastUsedAtMs }) =>
      lastUsedAtMs === null ? 'never' : new Date(lastUsedAtMs).toISOString(),
  }
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): string {
  if (revokedAtMs !== null) return 'revoked'
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return 'expired'
  return 'active'
}
