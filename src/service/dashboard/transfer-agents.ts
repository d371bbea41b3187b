import type { CompiledAgent } from '../agents/compiled.ts'
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
  const stays = [...(replaces ? [] : before.agents.values())]
    .map(({ slug, source }) => ({ id: slug, source }))
    .filter(({ id }) => wanted.agents.every((agent) => agent.id !== id))
  const compiled = new Map<string, CompiledAgent>()
  for (const { id, source } of [...stays, ...wanted.agents]) {
    const read = readDefinition(source)
    if (read.ok) compiled.set(id, read.agent)
  }
  for (const [index, agent] of wanted.agents.entries()) {
    checkAgent(agent, { field: `agents.${index}`, compiled })
  }
  for (const agent of stays) checkAgent(agent, { field: 'agents', compiled })
}

function checkAgent(
  { id, source }: ExportedAgent,
  { field, compiled }: { field: string; compiled: ReadonlyMap<string, CompiledAgent> },
): void {
  const read = readDefinition(source, (slug) => compiled.get(slug) ?? null)
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
