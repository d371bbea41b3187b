/** `provider key`: several keys of one provider. */
import type { Command } from 'commander'
import type { Provider, ProviderKey } from '../../shared/entities.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import type { Columns } from './output.ts'
import { keyEnvOption, readApiKey, type KeyOptions } from './provider-key-options.ts'

function columns(keySource: Provider['keySource']): Columns<ProviderKey> {
  return { KEY: ({ name }) => name, STATE: (key) => wordsFor(key, keySource) }
}

export function registerKeys(provider: Command, cli: Cli): void {
  const key = provider
    .command('key')
    .description('manage several keys of a provider; requests use the one with the most limit left')
  key
    .command('add <id>')
    .description('add a key for the provider’s address')
    .option('--name <name>', 'its name, in place of key-2, key-3, …')
    .addOption(keyEnvOption())
    .option('--key-stdin', 'read the key from stdin')
    .action(async (id: string, options: KeyOptions & { name?: string }) => {
      const apiKey = await readApiKey(options, cli)
      if (apiKey === undefined) throw new UsageError('Pass the key with --key-env or --key-stdin.')
      await cli.inWorkspace(async ({ dashboard }) => {
        const changed = await dashboard.addProviderKey(id, { name: options.name, apiKey })
        cli.output.done(changed, `${id} has ${changed.keys.length} keys.`)
      })
    })
  key
    .command('list <id>')
    .description('list the names of a provider’s keys')
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const found = (await dashboard.providers()).find((each) => each.id === id)
        if (!found) throw new CommandFailed(`There is no provider "${id}".`)
        cli.output.table(found.keys, columns(found.keySource))
      }),
    )
  key
    .command('remove <id> <name>')
    .description('remove one key of a provider')
    .action((id: string, name: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const changed = await dashboard.removeProviderKey(id, name)
        cli.output.done(changed, `Removed the key ${name} of ${id}.`)
      }),
    )
}

function wordsFor({ belongsTo, problem }: ProviderKey, keySource: Provider['keySource']): string {
  if (belongsTo !== null) return `belongs to ${belongsTo}`
  return problem === null ? wordsForSource(keySource) : problem.replaceAll('_', ' ')
}

/** Says where the key comes from. */
export function wordsForSource(keySource: Provider['keySource']): string {
  return keySource === null ? 'stored' : `from ${keySource}`
}
