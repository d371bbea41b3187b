import { Option, type Command } from 'commander'
import { environments, type ApiKey } from '../../shared/entities.ts'
import { formatBudget } from '../../shared/strings/format.ts'
import {
  endOfKey,
  graceMs,
  rotationGraces,
  type RotationGrace,
} from '../../shared/app/key-rotation.ts'
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
  tag?: string
  /** False when `--no-keep-alive` is given. */
  keepAlive: boolean
}

export function registerKey(program: Command, cli: Cli): void {
  const key = program.command('key').description('manage API keys')
  registerCreate(key, cli)
  key
    .command('list')
    .description('list keys; the key itself is shown only once, when it is created')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.table(await dashboard.apiKeys(), columns(Date.now()))
      }),
    )
  key
    .command('revoke <id>')
    .description('revoke a key; it stops working at the next request')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const revoked = await dashboard.revokeApiKey(id)
        cli.output.done(revoked, `Revoked ${revoked.name} (${revoked.hint}).`)
      }),
    )
  key
    .command('rotate <id>')
    .description(
      'replace a key: the new one has the same rights, expiry date and budget; prints it once',
    )
    .addOption(
      new Option('--grace <time>', 'how long the old key keeps working')
        .choices(rotationGraces)
        .default('0'),
    )
    .action((id: string, { grace }: { grace: RotationGrace }) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const { key: secret, apiKey } = await dashboard.rotateApiKey(id, graceMs[grace])
        printOnce({ id: apiKey.id, key: secret }, cli)
      }),
    )
}

function registerCreate(key: Command, cli: Cli): void {
  const create = key
    .command('create')
    .description('create a key; prints it once')
    .requiredOption('--name <name>', 'the program or person that uses it')
    .requiredOption('--routers <all|a,b>', 'the routers it may use, or all', readList)
    .addOption(
      new Option('--env <environment>', 'a label for the environment').choices(environments),
    )
    .option(
      '--expires <time>',
      'the key stops working at this time, for example 2027-01-31',
      readTime,
    )
    .option('--accept-any-model', 'accept any model name and let the router decide')
    .option('--metrics', 'allow reading /metrics')
    .option('--tag <tag>', 'group the usage of its requests under this tag, such as a project')
    .option('--explain', 'explain each choice of model in _meta.decision')
    .option(
      '--no-keep-alive',
      'send no comment lines in streams, for clients that cannot read them',
    )
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
  cli.output.note(
    'This key is shown only once. Store it now, for example in $MODELPORT_API_KEY, and keep it out of version control.',
  )
}

function columns(nowMs: number): Columns<ApiKey> {
  return {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    KEY: ({ hint }) => hint,
    FOR: ({ environment }) => environment,
    ROUTERS: ({ routers }) => (routers === 'all' ? 'all' : routers.join(' ')),
    BUDGET: formatBudget,
    STATE: (apiKey) => endOfKey(apiKey, nowMs) ?? 'active',
    'LAST USED': ({ lastUsedAtMs }) =>
      lastUsedAtMs === null ? 'never' : new Date(lastUsedAtMs).toISOString(),
  }
}
