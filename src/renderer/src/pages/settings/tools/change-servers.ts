import type {
  EnteredServer,
  ListedServer,
  ListedTool,
  ToolGrant,
  ToolMarks,
  ToolPermission,
} from '../../../../../shared/chat/tools.ts'
import { call } from '../../../stores/client.ts'
import { useMcpServers } from '../../../stores/mcp-servers.ts'

/** Reads servers in pasted JSON. Adds none. @throws CallError when it cannot be read */
export function readServers(text: string): Promise<EnteredServer[]> {
  return call('mcp:read', { text })
}

/**
 * Adds servers in their order, and starts none. One that is refused ends it.
 * @param onRefused  gets how many were added before, which a second attempt must leave out
 * @returns the first one. @throws CallError
 */
export async function addServers(
  servers: readonly EnteredServer[],
  onRefused: (added: number) => void,
): Promise<ListedServer | null> {
  const added: ListedServer[] = []
  try {
    for (const server of servers) added.push(await call('mcp:add', server))
  } catch (error) {
    onRefused(added.length)
    throw error
  } finally {
    await useMcpServers.getState().load()
  }
  return added[0] ?? null
}

/** Consents to what the window shows of a server, and starts it. @throws CallError when it has changed since */
export async function startServer({ id, identity }: ListedServer): Promise<ListedServer> {
  const started = await call('mcp:consent', { id, identity })
  await useMcpServers.getState().load()
  return started
}

/** @throws CallError */
export async function refreshServer(id: string): Promise<void> {
  await call('mcp:refresh', { id })
  await useMcpServers.getState().load()
}

/** Signs in with the browser. @throws CallError */
export async function signInToServer(id: string): Promise<void> {
  await call('mcp:sign-in', { id })
  await useMcpServers.getState().load()
}

/** @throws CallError */
export async function setServerOn(id: string, isOn: boolean): Promise<void> {
  await call('mcp:set-on', { id, isOn })
  await useMcpServers.getState().load()
}

/** @throws CallError */
export async function removeServer(id: string): Promise<void> {
  await call('mcp:remove', { id })
  await useMcpServers.getState().load()
}

/** Approves tools as the window shows them, with the same marks. @throws CallError when one has changed since */
export async function approveTools(
  id: string,
  tools: readonly ListedTool[],
  marks: ToolMarks,
): Promise<void> {
  await call('mcp:approve', {
    id,
    seals: Object.fromEntries(tools.map(({ name, seal }) => [name, seal])),
  })
  for (const { name } of tools) await call('mcp:set-tool', { id, name, marks })
  await useMcpServers.getState().load()
}

/** @throws CallError */
export async function changeTool(
  id: string,
  name: string,
  changes: { permission?: ToolPermission; marks?: ToolMarks; grants?: ToolGrant[] },
): Promise<void> {
  await call('mcp:set-tool', { id, name, ...changes })
  await useMcpServers.getState().load()
}
