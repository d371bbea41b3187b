import { create } from 'zustand'
import type { Execution } from '../../../shared/agents/agent.ts'
import type { AgentDetail, DefinitionIssue } from '../../../shared/agents/agent-window.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import { t } from '../../../shared/strings/strings.ts'
import { call, toCallError, type CallError } from './client.ts'
import { createDrafts } from './drafts.ts'
import { createListStore } from './list.ts'
import { showUndo } from './toasts.ts'

export const useAgents = createListStore(() => call('agents:list'))

/** An agent as its page shows it; null until it is loaded. */
export interface OpenAgent {
  detail: AgentDetail | null
  error: CallError | null
}

/** The agents whose page was opened, by name. */
export const useOpenAgents = create<Record<string, OpenAgent>>(() => ({}))

/** Unsaved texts by agent name. */
export const agentDrafts = createDrafts<string>()

export const useAgentDrafts = agentDrafts.useDrafts

/** The key of a new agent. No agent can have this name. */
export const newAgent = ''

/** Loads an agent with all versions. Never rejects. */
export async function openAgent(name: string): Promise<void> {
  try {
    const detail = await call('agents:get', { name })
    useOpenAgents.setState({ [name]: { detail, error: null } })
  } catch (error) {
    const known = useOpenAgents.getState()[name]
    useOpenAgents.setState({ [name]: { detail: known?.detail ?? null, error: toCallError(error) } })
  }
}

/** Reloads the list and all opened agents after a change elsewhere. */
export async function refreshAgents(): Promise<void> {
  const opened = Object.keys(useOpenAgents.getState())
  await Promise.all([useAgents.getState().load(), ...opened.map(openAgent)])
}

/** Steps end in bursts, so figures are reloaded this long after the first. */
const rereadMs = 1_000
let reread: ReturnType<typeof setTimeout> | null = null

/** Reloads the figures after a request of an agent ended. */
export function noteFinishedStep({ executionId }: RequestRecord): void {
  if (executionId === null) return
  reread ??= setTimeout(() => {
    reread = null
    void useAgents.getState().load()
  }, rereadMs)
}

/**
 * Saves the text as the next version of the agent that it names.
 * @param name  the agent that was edited
 * @throws CallError when the text has errors, or names another agent that exists
 */
export async function saveAgent(name: string, source: string): Promise<AgentDetail> {
  const detail = await call('agents:save', { source, edited: name })
  useOpenAgents.setState({ [detail.name]: { detail, error: null } })
  const draft = useAgentDrafts.getState()[name]
  if (draft === source || detail.name !== name) agentDrafts.discard(name)
  // What was typed meanwhile is unsaved text of the agent whose page opens now.
  if (draft !== undefined && draft !== source) agentDrafts.keep(detail.name, draft)
  await useAgents.getState().load()
  return detail
}

/** Begins a new agent with a text, with an undo when that replaces an unsaved one. */
export function beginAgent(source: string): void {
  const unsaved = useAgentDrafts.getState()[newAgent]
  agentDrafts.keep(newAgent, source)
  if (unsaved === undefined || unsaved === source) return
  showUndo(t('The unsaved new agent was replaced.'), async () =>
    agentDrafts.keep(newAgent, unsaved),
  )
}

/**
 * Saves an older text as the next version, with an undo when that replaces unsaved text.
 * @throws CallError when the text has errors
 */
export async function revertAgent(name: string, source: string): Promise<void> {
  await saveAgent(name, source)
  const unsaved = useAgentDrafts.getState()[name]
  if (unsaved === undefined) return
  agentDrafts.discard(name)
  showUndo(t('The unsaved changes were replaced.'), async () => agentDrafts.keep(name, unsaved))
}

/** @throws CallError when another agent calls it or it does not exist */
export async function removeAgent(name: string): Promise<void> {
  await call('agents:remove', { name })
  agentDrafts.discard(name)
  useOpenAgents.setState(({ [name]: _gone, ...others }) => others, true)
  await useAgents.getState().load()
}

/** Validates a definition. @returns the errors; empty when it can be saved */
export async function checkAgent(source: string): Promise<readonly DefinitionIssue[]> {
  return await call('agents:check', { source })
}

/** How many executions the charts show. */
const executionsShown = 300

/** An agent's newest executions, newest first. @throws CallError */
export async function readExecutions(agent: string): Promise<readonly Execution[]> {
  return await call('agents:executions', { agent, limit: executionsShown })
}
