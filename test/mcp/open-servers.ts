/** MCP servers over real storage, files and processes, for tests. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connect } from '../../src/service/mcp/connection.ts'
import { McpServers, type McpServersOptions } from '../../src/service/mcp/servers.ts'
import { openSecrets } from '../../src/service/secrets/index.ts'
import type { McpStore } from '../../src/service/storage/mcp-store.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import type { ListedServer } from '../../src/shared/chat/tools.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { scripted } from './scripted-server.ts'

export interface OpenedServers {
  servers: McpServers
  dataDir: string
  store: McpStore
  /** Lines that the scripted server wrote: its starts, and its writes. */
  log: string
}

export async function openServers(over: Partial<McpServersOptions> = {}): Promise<OpenedServers> {
  const dataDir = over.dataDir ?? temporaryFolder()
  const storage = await openStorage({ dataDir })
  const store = over.store ?? storage.mcp
  const loadKeytar = () => Promise.reject(new Error('no keychain here'))
  const secrets = await openSecrets({ dataDir, allowSession: true, env: {}, loadKeytar })
  const { SHELL: _shell, ...env } = process.env
  const servers = await McpServers.open({
    dataDir,
    store,
    secrets,
    env,
    version: '1',
    createFetch: () => (url, init) => fetch(url, init),
    connect,
    now: Date.now,
    onChanged: () => {},
    ...over,
  })
  onTestFinished(async () => {
    await servers.close()
    secrets.close()
    await storage.close()
  })
  return { servers, dataDir, store, log: join(dataDir, 'log') }
}

/** Adds a server, and consents to it and to all its tools as they are. */
export async function addApproved(
  opened: OpenedServers,
  fault = 'none',
  name = 'Test',
): Promise<ListedServer> {
  const { servers } = opened
  const added = await servers.add(scripted(opened, fault, name))
  const listed = await servers.consent(added.id, added.identity)
  await servers.approve(
    added.id,
    Object.fromEntries(listed.tools.map((tool) => [tool.name, tool.seal])),
  )
  return (await servers.list()).find(({ id }) => id === added.id) ?? listed
}
