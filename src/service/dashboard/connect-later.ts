import type { ConnectActions } from './connect-actions.ts'
import type { Dashboard, DashboardOptions } from './dashboard.ts'

/** Loads the tools and the parsers of their files when the first action needs them: most commands never do. */
export function connectLater(
  options: DashboardOptions,
  keys: Pick<Dashboard, 'createApiKey' | 'revokeApiKey' | 'models'>,
): ConnectActions {
  let loaded: Promise<ConnectActions> | null = null
  const load = () =>
    (loaded ??= import('./connect.ts').then(({ createConnect }) => createConnect(options, keys)))
  return {
    tools: async () => (await load()).tools(),
    connect: async (input) => (await load()).connect(input),
    samples: async (routerId) => (await load()).samples(routerId),
    write: async (id) => (await load()).write(id),
    undo: async (toolId) => (await load()).undo(toolId),
    status: async (id) => (await load()).status(id),
    problems: () => options.connect.problems.list(),
    prepareRun: async (input) => (await load()).prepareRun(input),
  }
}
