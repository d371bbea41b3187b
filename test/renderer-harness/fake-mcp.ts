import type { ListedServer, ListedTool } from '../../src/shared/chat/tools.ts'
import { found, Refusal, type HandlersOf } from './handlers.ts'

function tool(over: Partial<ListedTool> & { name: string; description: string }): ListedTool {
  return {
    title: null,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    claims: { isReadOnly: true, isDestructive: false },
    seal: 'a'.repeat(64),
    state: 'approved',
    permission: 'ask',
    marks: { readsPrivate: true, readsForeign: true, sendsOut: true },
    grants: [],
    ...over,
  }
}

/** One server with tools in each state. */
export function sampleServer(over: Partial<ListedServer> = {}): ListedServer {
  return {
    id: 'mcp-1',
    name: 'Files',
    config: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', '@example/files-server', '/home/user/notes'],
      cwd: null,
      secretNames: ['TOKEN'],
    },
    isOn: true,
    resolved: '/usr/bin/npx',
    identity: 'b'.repeat(64),
    hasConsent: true,
    state: 'stopped',
    problem: null,
    tools: [
      tool({ name: 'read_file', description: 'Reads a file.', permission: 'allow' }),
      tool({
        name: 'write_file',
        description: 'Writes a file, and replaces the one that is there.',
        claims: { isReadOnly: false, isDestructive: true },
        state: 'changed',
      }),
      tool({ name: 'list_folder', description: 'Lists a folder.', state: 'new' }),
    ],
    ...over,
  }
}

export function mcpHandlers(): HandlersOf<`mcp:${string}`> {
  let servers: ListedServer[] = []
  const change = (id: string, changes: Partial<ListedServer>): ListedServer => {
    const changed = { ...found(servers, id), ...changes }
    servers = servers.map((server) => (server.id === id ? changed : server))
    return changed
  }
  return {
    'mcp:list': () => servers,
    'mcp:read': ({ text }) => {
      if (!text.includes('{')) throw new Refusal('invalid', 'This is not the JSON of MCP servers.')
      const { name, config } = sampleServer()
      return [{ name, config, secrets: { TOKEN: 'secret' } }]
    },
    'mcp:add': ({ name, config }) => {
      if (servers.some((server) => server.name === name)) {
        throw new Refusal('conflict', `There is a server with the name “${name}”.`, 'name')
      }
      const added = sampleServer({ name, config, hasConsent: false, tools: [] })
      servers = [...servers, added]
      return added
    },
    'mcp:consent': ({ id }) => {
      const tools = sampleServer().tools.map((each) => ({ ...each, state: 'new' as const }))
      return change(id, { hasConsent: true, state: 'running', tools })
    },
    'mcp:refresh': ({ id }) => change(id, { state: 'running' }),
    'mcp:sign-in': ({ id }) => change(id, { state: 'running' }),
    'mcp:set-on': ({ id, isOn }) => void change(id, { isOn }),
    'mcp:remove': ({ id }) => {
      servers = servers.filter((server) => server.id !== id)
    },
    'mcp:approve': ({ id, seals }) => {
      const tools = found(servers, id).tools.map((each) =>
        each.name in seals ? { ...each, state: 'approved' as const } : each,
      )
      change(id, { tools })
    },
    'mcp:set-tool': ({ id, name, permission, marks, grants }) => {
      const tools = found(servers, id).tools.map((each) =>
        each.name === name
          ? {
              ...each,
              permission: permission ?? each.permission,
              marks: marks ?? each.marks,
              grants: grants ?? each.grants,
            }
          : each,
      )
      change(id, { tools })
    },
    'mcp:prompts': () => [],
    'mcp:prompt': () => '',
    'mcp:offer': () => ({ tools: 3, tokens: 412, costUsd: 0.0006, isOnDemand: false }),
    'mcp:approvals': () => [],
    'mcp:decide': () => {},
  }
}
