import { AgentLibrary } from '../agents/library.ts'
import { wordsForIssues } from '../agents/read-definition.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'

export type Agents = Pick<Dashboard, 'agents' | 'agentVersions' | 'applyAgent' | 'removeAgent'>

export function createAgents({ configuration, store, now }: DashboardOptions): Agents {
  const library = new AgentLibrary(() => configuration.current())

  function existing(slug: string) {
    const agent = configuration.current().agents.get(slug)
    if (agent) return agent
    throw new DashboardError('not_found', `There is no agent "${slug}".`, 'slug')
  }

  return {
    agents: async () => [...configuration.current().agents.values()],
    agentVersions: (slug) => store.agentVersions(slug),
    async applyAgent(source, edited) {
      const read = library.read(source)
      if (!read.ok) throw new DashboardError('invalid', wordsForIssues(read.issues))
      const slug = read.agent.definition.name
      const current = configuration.current().agents.get(slug)
      if (current && edited !== undefined && edited !== slug) {
        const message = `An agent "${slug}" already exists. Change "name" in the text.`
        throw new DashboardError('conflict', message, 'name')
      }
      if (current?.source === source) return current
      await store.saveAgent({ slug, source, createdAtMs: now() })
      await configuration.refresh()
      return existing(slug)
    },
    async removeAgent(slug) {
      existing(slug)
      const caller = library
        .othersThan(new Set([slug]))
        .find(({ calls }) => calls.some(({ agent }) => agent === slug))
      if (caller) {
        const { name } = caller.definition
        const message = `agent:${name} calls this agent. Change agent:${name} first.`
        throw new DashboardError('in_use', message)
      }
      await store.removeAgent(slug)
      await configuration.refresh()
    },
  }
}
