import { Option, type Command } from 'commander'
import { UsageError, type Cli } from './cli.ts'

interface RewrapOptions {
  newKeyEnv?: string
  newKeyFile?: string
  newKeyCommand?: string
}

export function registerVault(program: Command, cli: Cli): void {
  const others = ['newKeyEnv', 'newKeyFile', 'newKeyCommand']
  const source = (name: string, flags: string, description: string) =>
    new Option(flags, description).conflicts(others.filter((other) => other !== name))
  program
    .command('vault')
    .description('the encrypted store of provider keys on a server')
    .command('rewrap')
    .description('encrypt the vault with another key; provider keys do not change')
    .addOption(source('newKeyEnv', '--new-key-env <variable>', 'read the new key from a variable'))
    .addOption(source('newKeyFile', '--new-key-file <file>', 'read the new key from a file'))
    .addOption(source('newKeyCommand', '--new-key-command <program>', 'use another key service'))
    .action((options: RewrapOptions) => rewrap(options, cli))
}

/** @throws UsageError without a new key; SecretStoreError when the current key does not open the vault */
async function rewrap(options: RewrapOptions, cli: Cli): Promise<void> {
  const { newKeyEnv, newKeyFile: file, newKeyCommand: command } = options
  const value = newKeyEnv === undefined ? undefined : cli.env[newKeyEnv]?.trim()
  if (newKeyEnv !== undefined && !value) {
    throw new UsageError(`The variable ${newKeyEnv} is empty or not set.`)
  }
  if (value === undefined && file === undefined && command === undefined) {
    throw new UsageError('Give the new key: --new-key-env, --new-key-file or --new-key-command.')
  }
  const variable = newKeyEnv === undefined || !value ? undefined : { name: newKeyEnv, value }
  await cli.inWorkspace(({ secrets }) => secrets.rewrapVault({ variable, file, command }))
  cli.output.done({ rewrapped: true }, 'The vault is encrypted with the new key.')
  cli.output.note('Start every node with the new key from now on. Running nodes continue.')
}
