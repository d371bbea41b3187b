import { brokenCaller, type AgentOf } from '../agents/check-calls.ts'
import { AgentLibrary, compiledAgent } from '../agents/library.ts'
import { readDefinition, wordsForIssues } from '../agents/read-definition.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import { DashboardError } from './dashboard.ts'
import type { ExportedAgent, TransferDocument } from './transfer-document.ts'

/**
 * Checks the agents of a file, which may call each other and existing agents. Existing agents are checked again,
 * because the file may change an agent that they call.
 * @throws DashboardError
 */
export function checkAgents(
  wanted: Pick<TransferDocument, 'agents'>,
  { before, replaces }: { before: Pick<ConfigurationIndex, 'agents'>; replaces: boolean },
): void {
  if (wanted.agents.length === 0) return
  const library = new AgentLibrary(() => before)
  const stays = replaces ? [] : library.othersThan(new Set(wanted.agents.map(({ id }) => id)))
  const agents = new Map([
    ...stays.map((agent) => [agent.definition.name, agent] as const),
    ...wanted.agents.map(({ id, source }) => [id, compiledAgent(source)] as const),
  ])
  const after: AgentOf = (slug) => agents.get(slug) ?? null
  for (const [index, agent] of wanted.agents.entries()) {
    checkAgent(agent, { field: `agents.${index}`, agentOf: after })
  }
  const broken = brokenCaller(stays, { before: library.agentOf, after })
  if (broken !== null) throw new DashboardError('invalid', broken, 'agents')
}

function checkAgent(
  { id, source }: ExportedAgent,
  { field, agentOf }: { field: string; agentOf: AgentOf },
): void {
  const read = readDefinition(source, agentOf)
  if (!read.ok) {
    throw new DashboardError('invalid', `${id}: ${wordsForIssues(read.issues)}`, `${field}.source`)
  }
  const { name } = read.agent.definition
  if (name === id) return
  throw new DashboardError(
    'invalid',
    `The source names the agent "${name}" instead.`,
    `${field}.id`,
  )
}
