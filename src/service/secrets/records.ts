/**
 * One small record per provider key says which store holds it and which address it belongs to, so that a key is
 * read only from there and sent nowhere else. A missing
 * keychain is then an error, not "no key". There is one record per key, because the app and the command line may write
 * at the same time: in a common record, the later writer would undo the earlier one.
 */
import { z } from 'zod'
import type { SealedKeys } from './sealed-keys.ts'
import { SecretStoreError } from './secret-store.ts'
import { sealedSchema } from './seal.ts'

const origin = z.string().min(1)
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
  /** The address that keys of the provider's variable or file may be sent to. @throws SecretStoreError */
  readVariable(providerId: string): Promise<string | null>
  writeVariable(providerId: string, origin: string): Promise<void>
  removeVariable(providerId: string): Promise<void>
}

const variableSchema = z.strictObject({ origin: z.string().min(1) })
const slug = '[a-z0-9][a-z0-9-]{0,63}'
const keyNamePattern = new RegExp(`^${slug}(\\.${slug})?$`)

export function openRecords(sealedKeys: SealedKeys): SecretRecords {
  const idOf = (keyName: string, kind: 'key' | 'variable' = 'key') => {
    if (!keyNamePattern.test(keyName)) throw new TypeError('not the name of a key')
    // The prefix keeps a provider called `nul` from naming a device on Windows.
    return `${kind}-${keyName}`
  }
  return {
    async names(providerId) {
      const names = (await sealedKeys.ids()).map((id) => /^key-(.+)$/.exec(id)?.[1] ?? '')
      return names
        .filter((name) => name === providerId || name.startsWith(`${providerId}.`))
        .filter((name) => keyNamePattern.test(name))
        .toSorted()
    },
    async read(keyName) {
      const text = await sealedKeys.read(idOf(keyName))
      return text === null ? null : parseRecord(recordSchema, keyName, text)
    },
    write: (keyName, record) => sealedKeys.save(idOf(keyName), JSON.stringify(record)),
    remove: (keyName) => sealedKeys.remove(idOf(keyName)),
    async readVariable(providerId) {
      const text = await sealedKeys.read(idOf(providerId, 'variable'))
      return text === null ? null : parseRecord(variableSchema, providerId, text).origin
    },
    writeVariable: (providerId, to) =>
      sealedKeys.save(idOf(providerId, 'variable'), JSON.stringify({ origin: to })),
    removeVariable: (providerId) => sealedKeys.remove(idOf(providerId, 'variable')),
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
