import packageFile from '../../../package.json' with { type: 'json' }
import { createOutboundFetch } from '../local/outbound-fetch.ts'
import { McpServers } from '../mcp/servers.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'

/** The user's MCP servers. None runs before a conversation or the window needs it, and the SDK is loaded then. */
export function openMcpServers(
  { storage, secrets, outbound, events, now }: Workspace,
  { dataDir, env }: Pick<WorkspaceOptions, 'dataDir' | 'env'>,
): Promise<McpServers> {
  return McpServers.open({
    dataDir,
    env,
    secrets,
    now,
    store: storage.mcp,
    version: packageFile.version,
    createFetch: (where) => createOutboundFetch(outbound, 'mcpServers', where),
    async connect(...given) {
      const { connect } = await import('../mcp/connection.ts')
      return await connect(...given)
    },
    onChanged: () => events.emit('changed', { what: 'mcp' }),
  })
}
