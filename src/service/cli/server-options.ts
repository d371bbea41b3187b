/** Options that servers set: each also has a variable of the environment, which the option overrides. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { UsageError, type Cli } from './cli.ts'

export interface ServerOption {
  flags: string
  variable: string
  description: string
  /**
   * Reads the text of the option or variable; the default is the text itself.
   * @param before  the value so far of an option that is given several times
   */
  read?: (text: string, before?: unknown) => unknown
  /** The help does not show the variable's value, which may contain a password. */
  isSecret?: true
}

/** Options that say where provider keys come from. Every command has them, because all open the same store. */
export const keyOptions: readonly ServerOption[] = [
  {
    flags: '--secrets-dir <folder>',
    variable: 'MODELPORT_SECRETS_DIR',
    description: 'read provider keys from files named after the provider',
  },
  {
    flags: '--vault-key-file <file>',
    variable: 'MODELPORT_VAULT_KEY_FILE',
    description: 'encrypt stored keys with the key in this file',
  },
  {
    flags: '--vault-key-command <program>',
    variable: 'MODELPORT_VAULT_KEY_COMMAND',
    description: 'encrypt stored keys with a key service (KMS), which this program calls',
  },
  {
    flags: '--vendor-keys <on|off>',
    variable: 'MODELPORT_VENDOR_KEYS',
    description: 'also read variables such as OPENAI_API_KEY',
    read: readOnOff,
  },
]

export interface KeyOptionValues {
  secretsDir?: string
  vaultKeyFile?: string
  vaultKeyCommand?: string
  vendorKeys?: boolean
}

/** Adds the options with the variables' values as defaults. @throws UsageError for an invalid variable */
export function addServerOptions(
  command: Command,
  options: readonly ServerOption[],
  env: Cli['env'],
): Command {
  for (const { flags, variable, description, read = (text: string) => text, isSecret } of options) {
    const value = env[variable]?.trim()
    const fallback = value ? readVariable(variable, () => read(value)) : undefined
    // Commander hands over the default as an earlier value, but the option replaces its variable.
    const parse = (text: string, before: unknown) =>
      read(text, before === fallback ? undefined : before)
    const option = new Option(flags, `${description} (${variable})`).argParser(parse)
    const shown = isSecret && fallback !== undefined ? 'the variable' : undefined
    command.addOption(option.default(fallback, shown))
  }
  return command
}

function readVariable(variable: string, read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UsageError(`${variable}: ${error.message}`)
    throw error
  }
}

function readOnOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('Expected on or off.')
}
