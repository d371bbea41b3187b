/** The options of `serve` for several nodes. */
import { readFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { createKeyCommand, keyBytes, readEncryptionKey } from '../secrets/encryption-key.ts'
import { readValkeyUrl, type ValkeyAddress } from '../shared-state/valkey/url.ts'
import type { SharedStateOptions } from '../wiring/shared-state.ts'
import { CommandFailed, UsageError } from './cli.ts'
import type { ServerOption } from './server-options.ts'

export const sharedOptions: readonly ServerOption[] = [
  {
    flags: '--shared <url>',
    variable: 'MODELPORT_SHARED_URL',
    description: 'Valkey or Redis that all nodes use',
    read: readShared,
    isSecret: true,
  },
  {
    flags: '--shared-key-file <file>',
    variable: 'MODELPORT_SHARED_KEY_FILE',
    description: 'file with the key that encrypts shared answers; the same on every node',
  },
]

export interface SharedOptionValues {
  shared?: ValkeyAddress
  sharedKeyFile?: string
}

/** @returns undefined for a node on its own. @throws UsageError, CommandFailed */
export async function toSharedState({
  shared: address,
  sharedKeyFile,
}: SharedOptionValues): Promise<SharedStateOptions | undefined> {
  if (address === undefined) return undefined
  const sealingKey = sharedKeyFile === undefined ? null : await readKey(sharedKeyFile)
  return { address, sealingKey }
}

async function readKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CommandFailed(`The file of --shared-key-file, ${file}, cannot be read.`, { cause })
  })
  const key = readEncryptionKey(text)
  if (key !== null) return key
  throw new UsageError(
    `--shared-key-file: Expected ${keyBytes} bytes in base64. Create a key with: ${createKeyCommand}`,
  )
}

function readShared(text: string): ValkeyAddress {
  const address = readValkeyUrl(text)
  if (address !== null) return address
  throw new InvalidArgumentError(
    'Expected valkey://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]. redis:// is the same; valkeys:// and rediss:// use TLS.',
  )
}
