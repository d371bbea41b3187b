/** Parts of the dashboard that are loaded when their first action needs them: most commands never do. */
import type { Agents } from './agents.ts'
import type { ApiKeys } from './api-keys.ts'
import type { ConnectActions } from './connect-actions.ts'
import type { Dashboard, DashboardOptions } from './dashboard.ts'
import type { Transfer } from './transfer.ts'

type ForConnect = Pick<ApiKeys, 'prepareApiKey' | 'revokeApiKey'> & Pick<Dashboard, 'models'>

/** The parser of definitions comes with them. */
export function agentsLater(options: DashboardOptions): Agents {
  const load = once(async () => (await import('./agents.ts')).createAgents(options))
  return {
    agents: async () => (await load()).agents(),
    agentVersions: async (slug) => (await load()).agentVersions(slug),
    applyAgent: async (...text) => (await load()).applyAgent(...text),
    removeAgent: async (slug) => (await load()).removeAgent(slug),
  }
}

export function transferLater(options: DashboardOptions): Transfer {
  const load = once(async () => (await import('./transfer.ts')).createTransfer(options))
  return {
    exportConfiguration: async () => (await load()).exportConfiguration(),
    planImport: async (text, how) => (await load()).planImport(text, how),
  }
}

/** The tools and the parsers of their files come with it. */
export function connectLater(options: DashboardOptions, keys: ForConnect): ConnectActions {
  const load = once(async () => (await import('./connect.ts')).createConnect(options, keys))
  return {
    tools: async () => (await load()).tools(),
    connect: async (input) => (await load()).connect(input),
    prepare: async (input) => (await load()).prepare(input),
    activate: async (id) => (await load()).activate(id),
    samples: async (routerId) => (await load()).samples(routerId),
    write: async (id) => (await load()).write(id),
    undo: async (toolId) => (await load()).undo(toolId),
    status: async (id) => (await load()).status(id),
    problems: () => options.connect.problems.list(),
    prepareRun: async (input) => (await load()).prepareRun(input),
  }
}

function once<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loaded: Promise<Part> | null = null
  return () => (loaded ??= load())
}
