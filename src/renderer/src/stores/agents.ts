import { create } from 'zustand'
import type { Execution } from '../../../shared/agent.ts'
import type { AgentDetail, DefinitionFault } from '../../../shared/agent-window.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import { call, toCallError, type CallError } from './client.ts'
import { createListStore } from './list.ts'

export const useAgents = createListStore(() => call('agents:list'))

/** What an agent's page shows of it; null until it was read. */
export interface OpenAgent {
  detail: AgentDetail | null
  error: CallError | null
}

/** Agents whose page was opened, by name. */
export const useOpenAgents = create<Record<string, OpenAgent>>(() => ({}))

/** Texts that were changed and not saved, by the agent's name: they survive leaving the page. */
export const useAgentTexts = create<Record<string, string>>(() => ({}))

/** The key of the text of an agent that does not exist yet. No agent has this name. */
export const newAgent = ''

/** Reads an agent and all its versions. Never rejects. */
export async function openAgent(name: string): Promise<void> {
  try {
    const detail = await call('agents:get', { name })
    useOpenAgents.setState({ [name]: { detail, error: null } })
  } catch (error) {
    const known = useOpenAgents.getState()[name]
    useOpenAgents.setState({ [name]: { detail: known?.detail ?? null, error: toCallError(error) } })
  }
}

/** Reads the list again, and the agents whose page was opened, after something else changed them. */
export async function refreshAgents(): Promise<void> {
  const opened = Object.keys(useOpenAgents.getState())
  await Promise.all([useAgents.getState().load(), ...opened.map(openAgent)])
}

/** Steps end in bursts: so long after one the figures are read again. */
const rereadMs = 1_000
let reread: ReturnType<typeof setTimeout> | null = null

/** Reads the figures again, once an agent's request ended and its execution may have, too. */
export function noteFinishedStep({ executionId }: RequestRecord): void {
  if (executionId === null) return
  reread ??= setTimeout(() => {
    reread = null
    void useAgents.getState().load()
  }, rereadMs)
}

/** Keeps what was typed; null lets it go. @param name  `newAgent` for one that does not exist yet */
export function keepText(name: string, source: string | null): void {
  if (source !== null) return useAgentTexts.setState({ [name]: source })
  useAgentTexts.setState(({ [name]: _gone, ...others }) => others, true)
}

/**
 * Makes the text the next version of the agent it names.
 * @param name  whose text it was
 * @throws CallError when it has faults
 */
export async function saveAgent(name: string, source: string): Promise<AgentDetail> {
  const detail = await call('agents:save', { source })
  useOpenAgents.setState({ [detail.name]: { detail, error: null } })
  keepText(name, null)
  await useAgents.getState().load()
  return detail
}

/** @throws CallError when another agent calls it, or it is gone */
export async function removeAgent(name: string): Promise<void> {
  await call('agents:remove', { name })
  keepText(name, null)
  useOpenAgents.setState(({ [name]: _gone, ...others }) => others, true)
  await useAgents.getState().load()
}

/** What is wrong with a definition's text; nothing where it could be saved. */
export async function checkAgent(source: string): Promise<readonly DefinitionFault[]> {
  return await call('agents:check', { source })
}

/** Up to so many executions are drawn. */
const executionsShown = 300

/** An agent's newest executions, newest first. @throws CallError */
export async function readExecutions(agent: string): Promise<readonly Execution[]> {
  return await call('agents:executions', { agent, limit: executionsShown })
}
