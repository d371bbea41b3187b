/** The main process' handlers of MCP servers. */
import { DashboardError, type Service } from '../service/service.ts'
import { t } from '../shared/strings/strings.ts'
import { askToOpen } from './external-links.ts'
import type { Handlers } from './handlers.ts'

/** The address is the server's word, so the user sees it first. */
async function openBrowser(address: URL): Promise<void> {
  const isOpened = await askToOpen(address.href)
  if (!isOpened) throw new DashboardError('conflict', t('The sign-in was not opened.'))
}

type McpCallName = Extract<keyof Handlers, `mcp:${string}`>

export function mcpHandlers({ mcp, conversations }: Service): Pick<Handlers, McpCallName> {
  return {
    'mcp:list': () => mcp.list(),
    'mcp:read': ({ text }) => mcp.read(text),
    'mcp:add': (server) => mcp.add(server),
    'mcp:consent': ({ id, identity }) => mcp.consent(id, identity),
    'mcp:refresh': ({ id }) => mcp.refresh(id),
    'mcp:sign-in': ({ id }) =>
      mcp.signIn(id, {
        openBrowser,
        pages: {
          done: t('You are signed in. You can close this page.'),
          refused: t('You are not signed in. You can close this page.'),
        },
      }),
    'mcp:set-on': ({ id, isOn }) => mcp.setOn(id, isOn),
    'mcp:remove': ({ id }) => mcp.remove(id),
    'mcp:approve': ({ id, seals }) => mcp.approve(id, seals),
    'mcp:set-tool': ({ id, name, ...changes }) => mcp.setTool(id, name, changes),
    'mcp:prompts': ({ id }) => mcp.prompts(id),
    'mcp:prompt': ({ id, name, arguments: given }) => mcp.fillPrompt(id, name, given),
    'mcp:offer': (of) => conversations.describeTools(of),
    'mcp:approvals': () => conversations.approvals.list(),
    'mcp:decide': ({ id, ...decided }) => conversations.approvals.decide(id, decided),
  }
}
