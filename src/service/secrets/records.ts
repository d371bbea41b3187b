/**
 * One small file per provider key records which store holds it, so that a key is read only from there. A missing
 * keychain is then an error, not "no key". There is one file per key, because the app and the command line may write
 * at the same time: in a common file, the later writer would undo the earlier one. No file contains a key in plain
 * text.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, removeDrafts, replaceFile } from '../files/durable-file.ts'
import { SecretStoreError } from './secret-store.ts'
import { sealedSchema } from './vault.ts'

const recordSchema = z.discriminatedUnion('backend', [
  /** `account` is partly random, so that two data folders never share a keychain entry. */
  z.strictObject({ backend: z.literal('keychain'), account: z.string().min(1) }),
  z.strictObject({ backend: z.literal('vault'), sealed: sealedSchema }),
])
export type SecretRecord = z.infer<typeof recordSchema>

export interface SecretRecords {
  /** @throws SecretStoreError when the record is damaged */
  read(providerId: string): Promise<SecretRecord | null>
  write(providerId: string, record: SecretRecord): Promise<void>
  remove(providerId: string): Promise<void>
}

/** The records of a data folder, in its folder `secrets`. */
export async function openRecords(dataDir: string): Promise<SecretRecords> {
  const folder = join(dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeDrafts(folder)
  const fileOf = (providerId: string) => {
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(providerId)) throw new TypeError('not a provider id')
    // The prefix keeps a provider called `nul` from naming a device on Windows.
    return join(folder, `key-${providerId}.json`)
  }
  return {
    async read(providerId) {
      const text = await readIfThere(fileOf(providerId))
      return text === null ? null : parseRecord(providerId, text)
    },
    write: (providerId, record) => replaceFile(fileOf(providerId), JSON.stringify(record)),
    remove: (providerId) => rm(fileOf(providerId), { force: true }),
  }
}

function parseRecord(providerId: string, text: string): SecretRecord {
  try {
    return recordSchema.parse(JSON.parse(text))
  } catch (cause) {
    const message = `The record of the key for "${providerId}" is damaged. Enter the key again.`
    throw new SecretStoreError(message, { cause })
  }
}
