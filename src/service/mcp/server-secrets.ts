/** Values of variables and headers, and sign-ins of servers, in the store of the provider keys. */
import { z } from 'zod'
import type { SecretStore } from '../secrets/secret-store.ts'

type Store = Pick<SecretStore, 'names' | 'get' | 'set' | 'delete' | 'deleteAll' | 'boundTo'>

/** The keychain of Windows takes 2,560 bytes. */
const partCharacters = 2_000

/** Texts of one server by name, each in as many entries as it needs. */
export interface ServerSecrets {
  /** Null when there is none, or when it belongs to another address. @throws SecretStoreError */
  read(name: 'values' | 'sign-in'): Promise<unknown>
  /** @throws SecretStoreError */
  write(name: 'values' | 'sign-in', value: unknown): Promise<void>
  removeAll(): Promise<void>
}

/** @param place  what they are bound to: the server's origin, or `stdio` */
export function openServerSecrets(store: Store, serverId: string, place: string): ServerSecrets {
  const partsOf = async (name: string) => {
    const parts = (await store.names(serverId)).filter((part) =>
      part.startsWith(`${serverId}.${name}-`),
    )
    return parts.toSorted((one, other) => numberOf(one) - numberOf(other))
  }
  return {
    async read(name) {
      const texts: string[] = []
      for (const part of await partsOf(name)) {
        if ((await store.boundTo(part)) !== place) return null
        texts.push((await store.get(part)) ?? '')
      }
      const value: unknown = JSON.parse(texts.length === 0 ? 'null' : texts.join(''))
      return value
    },
    async write(name, value) {
      const text = JSON.stringify(value)
      const parts = Math.ceil(text.length / partCharacters)
      for (let part = 0; part < parts; part += 1) {
        const from = part * partCharacters
        await store.set(
          `${serverId}.${name}-${part}`,
          text.slice(from, from + partCharacters),
          place,
        )
      }
      for (const old of await partsOf(name)) if (numberOf(old) >= parts) await store.delete(old)
    },
    removeAll: () => store.deleteAll(serverId),
  }
}

function numberOf(part: string): number {
  return Number(part.slice(part.lastIndexOf('-') + 1))
}

export const secretValuesSchema = z.record(z.string(), z.string())
