import type { Command } from 'commander'
import type { Provider, ProviderHealth } from '../../shared/entities.ts'
import type { FoundServer } from '../../shared/models/model-servers.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { readPair } from './option-values.ts'
import type { Columns } from './output.ts'
import { registerCheck, registerProbe } from './provider-check.ts'
import { registerKeys, wordsForSource } from './provider-key.ts'
import { keyEnvOption, readApiKey, type KeyOptions } from './provider-key-options.ts'

interface AddOptions extends KeyOptions {
  type: string
  baseUrl?: string
  privateNetwork?: true
  option?: Record<string, string>
}

const columns: Columns<Provider> = {
  ID: ({ id }) => id,
  TYPE: ({ typeName }) => typeName,
  ADDRESS: ({ baseUrl }) => baseUrl,
  KEY: wordsForKey,
  OPTIONS: ({ options }) =>
    Object.entries(options)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  STATE: ({ health }) => wordsFor(health),
}

export function registerProvider(program: Command, cli: Cli): void {
  const provider = program.command('provider').description('manage providers of models')
  registerAdd(provider, cli)
  registerUpdate(provider, cli)
  registerSetKey(provider, cli)
  registerKeys(provider, cli)
  provider
    .command('list')
    .description('list providers')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) => {
        cli.output.table(await dashboard.providers(), columns)
      }),
    )
  registerDiscover(provider, cli)
  registerCheck(provider, cli)
  registerProbe(provider, cli)
  provider
    .command('test <id>')
    .description('test a provider and refresh its list of models')
    .action((id: string) => test(id, cli))
  provider
    .command('remove <id>')
    .description('remove a provider and its key')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        await dashboard.removeProvider(id)
        cli.output.done({ id }, `Removed ${id}.`)
      }),
    )
}

const foundColumns: Columns<FoundServer> = {
  ID: ({ providerId, suggestedId }) => providerId ?? suggestedId,
  TYPE: ({ typeName }) => typeName,
  ADDRESS: ({ baseUrl }) => baseUrl,
  VERSION: ({ version }) => version,
  MODELS: ({ models }) => models.map(({ name }) => name).join(' '),
  'IN MEMORY': ({ models }) =>
    models
      .filter(({ isLoaded }) => isLoaded)
      .map(({ name }) => name)
      .join(' '),
  STATE: ({ providerId }) => (providerId === null ? 'not added' : 'added'),
}

function registerDiscover(provider: Command, cli: Cli): void {
  provider
    .command('discover')
    .description('find model servers on this computer (Ollama, LM Studio, llama.cpp, vLLM)')
    .option('--add <id>', 'add the server that is listed with this id, with its models')
    .action(({ add }: { add?: string }) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const found = await dashboard.findServers()
        if (add === undefined) return cli.output.table(found, foundColumns)
        const server = found.find((one) => one.providerId === null && one.suggestedId === add)
        if (!server) throw new CommandFailed(`No server with the id ${add} was found.`)
        const added = await dashboard.addServer(server.baseUrl, add)
        cli.output.done(added, `Added ${added.id} with ${server.models.length} models.`)
      }),
    )
}

function registerAdd(provider: Command, cli: Cli): void {
  provider
    .command('add <id>')
    .description('add a provider; pass its key in a variable or on stdin, never as an argument')
    .requiredOption('--type <type>', 'openai, openai-compatible, local, …')
    .option('--base-url <url>', 'base URL, for a gateway, a region or your own server')
    .addOption(keyEnvOption())
    .option('--key-stdin', 'read the key from stdin')
    .option('--private-network', 'allow an address in a private network')
    .option('--option <name=value>', 'an option of this provider type; can be repeated', readPair)
    .action(async (id: string, options: AddOptions) => {
      const { type, baseUrl, privateNetwork = false, option = {} } = options
      const apiKey = await readApiKey(options, cli)
      await cli.inWorkspace(async ({ dashboard }) => {
        const given = { id, type, baseUrl, privateNetwork, options: option, apiKey }
        const added = await dashboard.addProvider(given)
        cli.output.done(added, `Added ${added.id}.`)
      })
    })
}

interface UpdateOptions extends KeyOptions {
  baseUrl?: string
  privateNetwork?: boolean
  option?: Record<string, string>
}

/** `--base-url default` returns to the address of the type. */
const typeAddress = 'default'

function registerUpdate(provider: Command, cli: Cli): void {
  provider
    .command('update <id>')
    .description('change the address or options of a provider; a key is used for its address only')
    .option('--base-url <url>', `new base URL, or "${typeAddress}" for that of the type`)
    .addOption(keyEnvOption())
    .option('--key-stdin', 'read the key for the new address from stdin')
    .option('--private-network', 'allow an address in a private network')
    .option('--no-private-network', 'allow no address in a private network')
    .option(
      '--option <name=value>',
      'set an option; an empty value removes it; can be repeated',
      readPair,
    )
    .action(async (id: string, options: UpdateOptions) => {
      const { baseUrl, privateNetwork, option } = options
      const apiKey = await readApiKey(options, cli)
      await cli.inWorkspace(async ({ dashboard }) => {
        const known = (await dashboard.providers()).find((each) => each.id === id)
        const changed = await dashboard.updateProvider(id, {
          baseUrl: baseUrl === typeAddress ? null : baseUrl,
          privateNetwork,
          options: option && changedOptions(known?.options ?? {}, option),
          apiKey,
        })
        cli.output.done(changed, wordsForUpdate(changed))
      })
    })
}

/** An empty value removes the option. */
function changedOptions(
  before: Record<string, string>,
  given: Record<string, string>,
): Record<string, string> {
  const options = Object.entries({ ...before, ...given })
  return Object.fromEntries(options.filter(([, value]) => value !== ''))
}

function wordsForUpdate({ id, keyBelongsTo, baseUrl }: Provider): string {
  if (keyBelongsTo === null) return `Changed ${id}.`
  return `Changed ${id}. Its key belongs to ${keyBelongsTo} and is not sent to ${baseUrl}. Store a key for the new address: modelport provider set-key ${id} --key-stdin`
}

/** Sets the key of a provider that has none, for example an imported one. */
function registerSetKey(provider: Command, cli: Cli): void {
  provider
    .command('set-key <id>')
    .description('store or replace the key of a provider')
    .addOption(keyEnvOption())
    .option('--key-stdin', 'read the key from stdin')
    .action(async (id: string, options: KeyOptions) => {
      const apiKey = await readApiKey(options, cli)
      if (apiKey === undefined) throw new UsageError('Pass the key with --key-env or --key-stdin.')
      await cli.inWorkspace(async ({ dashboard }) => {
        const changed = await dashboard.setProviderKey(id, apiKey)
        cli.output.done(changed, `Stored the key of ${id}.`)
      })
    })
}

/** @throws CommandFailed when the provider fails */
async function test(id: string, cli: Cli): Promise<void> {
  await cli.inWorkspace(async ({ dashboard }) => {
    const result = await dashboard.testProvider(id)
    if (!result.ok) throw new CommandFailed(`${id}: ${result.message}`)
    const summary = `${id} answered in ${Math.round(result.latencyMs)} ms with these models:`
    cli.output.done({ id, ...result }, [summary, ...result.models].join('\n  '))
  })
}

function wordsForKey({ hasKey, keySource, needsKey, keyBelongsTo }: Provider): string | null {
  if (hasKey) return wordsForSource(keySource)
  if (keyBelongsTo !== null) return `for ${keyBelongsTo}`
  return needsKey ? 'missing' : null
}

function wordsFor(health: ProviderHealth): string | null {
  switch (health.status) {
    case 'unknown':
      return null
    case 'ok':
      return 'ok'
    default:
      return health.message
  }
}
