/**
 * Which servers the user allowed to start. Consents are a file of this computer and not rows of the database: a restored
 * backup or a copied database brings servers, and starts none of them.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { ServerConfig } from '../../shared/chat/tools.ts'
import { readIfThere, replaceFile } from '../data-folder/durable-file.ts'

const consentsSchema = z.record(z.string(), z.hash('sha256'))

export interface Consents {
  has(serverId: string, identity: string): boolean
  give(serverId: string, identity: string): Promise<void>
  withdraw(serverId: string): Promise<void>
}

/** @throws FileProblem. A damaged file gives no consent. */
export async function openConsents(dataDir: string): Promise<Consents> {
  const file = join(dataDir, 'mcp-consents.json')
  const consents = new Map(Object.entries(parse(await readIfThere(file))))
  const save = () => replaceFile(file, JSON.stringify(Object.fromEntries(consents)))
  return {
    has: (serverId, identity) => consents.get(serverId) === identity,
    async give(serverId, identity) {
      consents.set(serverId, identity)
      await save()
    },
    async withdraw(serverId) {
      if (consents.delete(serverId)) await save()
    },
  }
}

function parse(text: string | null): Record<string, string> {
  try {
    return consentsSchema.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/**
 * What a consent is bound to: the server, its program by its absolute path, arguments, folder and names of variables; or
 * its address and names of headers. Only the window sets the values of variables and headers.
 */
export function identityOf(
  serverId: string,
  config: ServerConfig,
  resolved: string | null,
): string {
  const parts =
    config.kind === 'stdio'
      ? ['stdio', resolved, config.args, config.cwd, config.secretNames]
      : ['http', config.url, config.secretNames]
  return createHash('sha256')
    .update(JSON.stringify([serverId, ...parts]))
    .digest('hex')
}
