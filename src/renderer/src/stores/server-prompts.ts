/** Prompts of the user's MCP servers. */
import { create } from 'zustand'
import type { ServerPrompt } from '../../../shared/chat/tools.ts'
import { call } from './client.ts'
import { useMcpServers } from './mcp-servers.ts'

export interface FoundPrompt {
  serverId: string
  server: string
  prompt: ServerPrompt
}

/** By the id of the server. */
export const useServerPrompts = create<Readonly<Record<string, readonly FoundPrompt[]>>>(() => ({}))

/**
 * Asks each server that may start for its prompts, which are shown as they arrive. Never rejects: Settings, Tools says why a
 * server gives none.
 */
export async function loadServerPrompts(): Promise<void> {
  await useMcpServers.getState().load()
  const all = useMcpServers.getState().items ?? []
  const usable = all.filter(({ isOn, hasConsent }) => isOn && hasConsent)
  const known = useServerPrompts.getState()
  const kept = Object.fromEntries(usable.map(({ id }) => [id, known[id] ?? []] as const))
  useServerPrompts.setState(kept, true)
  await Promise.all(
    usable.map(async ({ id: serverId, name: server }) => {
      const prompts = await call('mcp:prompts', { id: serverId }).catch(() => [])
      const found = prompts.map((prompt) => ({ serverId, server, prompt }))
      useServerPrompts.setState({ [serverId]: found })
    }),
  )
}

/** The text of a prompt with its arguments. @throws CallError */
export function readServerPrompt(
  { serverId, prompt: { name } }: FoundPrompt,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  // An argument that is left empty is not given.
  const given = Object.entries(values).filter(([, value]) => value !== '')
  return call('mcp:prompt', { id: serverId, name, arguments: Object.fromEntries(given) })
}
