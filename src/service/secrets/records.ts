/**
 * One small file per provider key records which store holds it and which address it belongs to, so that a key is
 * read only from there and sent nowhere else. A missing
 * keychain is then an error, not "no key". There is one file per key, because the app and the command line may write
 * at the same time: in a common file, the later writer would undo the earlier one. No file contains a key in plain
 * text.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, removeDrafts, replaceFile } from '../files/durable-file.ts'
import { SecretStoreError } from './secret-store.ts'
import { sealedSchema } from './vault.ts'

/** Absent in records of earlier versions, until the key's first use. */
const origin = z.string().min(1).optional()
const recordSchema = z.discriminatedUnion('backend', [
  /** `account` is partly random, so that two data folders never share a keychain entry. */
  z.strictObject({ backend: z.literal('keychain'), account: z.string().min(1), origin }),
  z.strictObject({ backend: z.literal('vault'), sealed: sealedSchema, origin }),
])
export type SecretRecord = z.infer<typeof recordSchema>

export interface SecretRecords {
  /** The names of the provider's keys, sorted, so that its first key comes first. */
  names(providerId: string): Promise<string[]>
  /** @throws SecretStoreError when the record is damaged */
  read(keyName: string): Promise<SecretRecord | null>
  write(keyName: string, record: SecretRecord): Promise<void>
  remove(keyName: string): Promise<void>
  /** The address that keys of the provider's variable may be sent to. @throws SecretStoreError */
  readVariable(providerId: string): Promise<string | null>
  writeVariable(providerId: string, origin: string): Promise<void>
  removeVariable(providerId: string): Promise<void>
}

const variableSchema = z.strictObject({ origin: z.string().min(1) })
const slug = '[a-z0-9][a-z0-9-]{0,63}'
const keyNamePattern = new RegExp(`^${slug}(\\.${slug})?$`)

/** The records of a data folder, in its folder `secrets`. */
export async function openRecords(dataDir: string): Promise<SecretRecords> {
  const folder = join(dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeDrafts(folder)
  const fileOf = (keyName: string, kind: 'key' | 'variable' = 'key') => {
    if (!keyNamePattern.test(keyName)) throw new TypeError('not the name of a key')
    // The prefix keeps a provider called `nul` from naming a device on Windows.
    return join(folder, `${kind}-${keyName}.json`)
  }
  return {
    async names(providerId) {
      const names = (await readdir(folder)).map((file) => /^key-(.+)\.json$/.exec(file)?.[1] ?? '')
      return names
        .filter((name) => name === providerId || name.startsWith(`${providerId}.`))
        .filter((name) => keyNamePattern.test(name))
        .toSorted()
    },
    async read(keyName) {
      const text = await readIfThere(fileOf(keyName))
      return text === null ? null : parseRecord(recordSchema, keyName, text)
    },
    write: (keyName, record) => replaceFile(fileOf(keyName), JSON.stringify(record)),
    remove: (keyName) => rm(fileOf(keyName), { force: true }),
    async readVariable(providerId) {
      const text = await readIfThere(fileOf(providerId, 'variable'))
      return text === null ? null : parseRecord(variableSchema, providerId, text).origin
    },
    writeVariable: (providerId, to) =>
      replaceFile(fileOf(providerId, 'variable'), JSON.stringify({ origin: to })),
    removeVariable: (providerId) => rm(fileOf(providerId, 'variable'), { force: true }),
  }
}

function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  keyName: string,
  text: string,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    const message = `The record of the key for "${keyName}" is damaged. Enter the key again.`
    throw new SecretStoreError(message, { cause })
  }
}
