/** The main process' handlers of MCP servers. */
import type { Service } from '../service/service.ts'
import type { Handlers } from './handlers.ts'

type McpCallName = Extract<keyof Handlers, `mcp:${string}`>

export function mcpHandlers({ mcp, conversations }: Service): Pick<Handlers, McpCallName> {
  return {
    'mcp:list': () => mcp.list(),
    'mcp:read': ({ text }) => mcp.read(text),
    'mcp:add': (server) => mcp.add(server),
    'mcp:consent': ({ id, identity }) => mcp.consent(id, identity),
    'mcp:refresh': ({ id }) => mcp.refresh(id),
    'mcp:set-on': ({ id, isOn }) => mcp.setOn(id, isOn),
    'mcp:remove': ({ id }) => mcp.remove(id),
    'mcp:approve': ({ id, seals }) => mcp.approve(id, seals),
    'mcp:set-tool': ({ id, name, ...changes }) => mcp.setTool(id, name, changes),
    'mcp:offer': (of) => conversations.describeTools(of),
    'mcp:approvals': () => conversations.approvals.list(),
    'mcp:decide': ({ id, decision }) => conversations.approvals.decide(id, decision),
  }
}
