/** A provider's key on the command line: in a variable or on stdin, never as an argument. */
import { text } from 'node:stream/consumers'
import { Option } from 'commander'
import { UsageError, type Cli } from './cli.ts'

export interface KeyOptions {
  keyEnv?: string
  keyStdin?: true
}

export function keyEnvOption(): Option {
  return new Option('--key-env <variable>', 'read the key from this variable').conflicts('keyStdin')
}

/** @throws UsageError for an empty variable or stdin */
export async function readApiKey(
  { keyEnv, keyStdin }: KeyOptions,
  cli: Cli,
): Promise<string | undefined> {
  if (keyEnv !== undefined) {
    const apiKey = cli.env[keyEnv]?.trim()
    if (!apiKey) throw new UsageError(`The variable ${keyEnv} is empty or not set.`)
    return apiKey
  }
  if (!keyStdin) return undefined
  const apiKey = (await text(cli.stdin)).trim()
  if (apiKey === '') throw new UsageError('stdin contained no key.')
  return apiKey
}
