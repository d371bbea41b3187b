/** The Agents page's interface: definitions and their errors, executions, and test runs. */
import { graphsOf, type Execution, type Step } from '../../shared/agents/agent.ts'
import type {
  AgentDetail,
  AgentFigures,
  AgentRunEvent,
  AgentSummary,
  DefinitionIssue,
  ExecutionDetail,
} from '../../shared/agents/agent-window.ts'
import type { AnswerChat } from '../agents/agent-call.ts'
import { AgentLibrary } from '../agents/library.ts'
import type { ReadDefinition } from '../agents/read-definition.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { ServiceError } from '../errors.ts'
import type { StoredAgent } from '../storage/storage.ts'
import { startTestRun, type TestRun } from './test-run.ts'
import type { Workspace } from '../wiring/workspace.ts'

export interface AgentWindow {
  list(): Promise<AgentSummary[]>
  /** @throws DashboardError not_found */
  get(name: string): Promise<AgentDetail>
  check(source: string): readonly DefinitionIssue[]
  /**
   * Saves the text as the next version of the agent it names.
   * @param edited  the only existing agent that it may change; any when absent
   * @throws DashboardError invalid, conflict
   */
  save(source: string, edited?: string): Promise<AgentDetail>
  /** @throws DashboardError not_found, in_use */
  remove(name: string): Promise<void>
  /** Executions, newest first. */
  executions(query: { agent: string; limit: number }): Promise<Execution[]>
  execution(id: string): Promise<ExecutionDetail | null>
  /**
   * Runs a definition, saved or not, without an API key.
   * @throws DashboardError invalid. @throws ServiceError router_not_found
   */
  run(
    input: { source: string; routerId: string; input: string },
    tell: (event: AgentRunEvent) => void,
  ): TestRun
  /** Stops all test runs and resolves when they have ended. */
  close(): Promise<void>
}

export interface AgentWindowOptions {
  workspace: Workspace
  /** Creates a request path that finds these agents. */
  answerWith: (library: AgentLibrary) => AnswerChat
  newId: () => string
}

const noRuns: AgentFigures = {
  runs: 0,
  done: 0,
  failed: 0,
  costUsdMean: null,
  latencyMsMean: null,
  carbonGramsMean: null,
  lastRunAtMs: null,
}

export function createAgentWindow({
  workspace,
  answerWith,
  newId,
}: AgentWindowOptions): AgentWindow {
  const { dashboard, configuration, storage } = workspace
  const library = new AgentLibrary(() => configuration.current())
  const read = (source: string) => library.read(source)

  async function detailOf({ slug, version, source }: StoredAgent): Promise<AgentDetail> {
    const versions = await dashboard.agentVersions(slug)
    return { name: slug, version, source, versions: versions.toReversed() }
  }

  return {
    async list() {
      const figures = await storage.executions.figures()
      return [...library.stored()].map((stored) => {
        const own = figures.find(({ agent }) => agent === stored.slug)
        return summaryOf(stored, library, own)
      })
    },
    async get(name) {
      const stored = configuration.current().agents.get(name)
      if (!stored) throw new DashboardError('not_found', `There is no agent "${name}".`)
      return detailOf(stored)
    },
    check(source) {
      const definition = read(source)
      return definition.ok ? [] : definition.issues
    },
    save: async (source, edited) => detailOf(await dashboard.applyAgent(source, edited)),
    remove: (name) => dashboard.removeAgent(name),
    executions: (query) => storage.executions.list(query),
    async execution(id) {
      const execution = await storage.executions.get(id)
      return execution && { execution, requests: await storage.ledger.ofExecution(id) }
    },
    ...createTestRuns({ workspace, answerWith, newId }, read),
  }
}

function createTestRuns(
  { workspace, answerWith, newId }: AgentWindowOptions,
  read: (source: string) => ReadDefinition,
): Pick<AgentWindow, 'run' | 'close'> {
  const { configuration, storage, log, clock } = workspace
  const running = new Set<TestRun>()
  return {
    run({ source, routerId, input }, tell) {
      const router = configuration.current().routers.get(routerId)
      if (!router) throw new ServiceError('router_not_found', 'There is no router with this id.')
      const definition = read(source)
      if (!definition.ok) throw new DashboardError('invalid', 'The definition has errors.')
      const { name } = definition.agent.definition
      const unsaved = new AgentLibrary(() => {
        const { agents } = configuration.current()
        return { agents: new Map([...agents, [name, asStored(name, source, agents.get(name))]]) }
      })
      const onBug = (error: unknown) => log.failed('agents', error)
      const id = newId()
      const execution = () => storage.executions.get(id)
      const test = { id, agent: name, router, input, tell, execution }
      const run = startTestRun(test, { answerChat: answerWith(unsaved), onBug, clock })
      running.add(run)
      void run.finished.finally(() => running.delete(run))
      return run
    },
    async close() {
      for (const run of running) run.stop()
      await Promise.all([...running].map(({ finished }) => finished))
    },
  }
}

/** An agent in its stored form, with the stored version; 0 for a new agent. */
function asStored(slug: string, source: string, stored: StoredAgent | undefined): StoredAgent {
  return { slug, version: stored?.version ?? 0, source, createdAtMs: 0, updatedAtMs: 0 }
}

function summaryOf(
  { slug, version, updatedAtMs }: StoredAgent,
  library: AgentLibrary,
  figures: ({ agent: string } & AgentFigures) | undefined,
): AgentSummary {
  const definition = library.find(slug)?.agent.definition
  const { agent: _agent, ...own } = figures ?? { agent: slug, ...noRuns }
  return {
    name: slug,
    description: definition?.description ?? '',
    version,
    updatedAtMs,
    steps: countSteps(definition?.steps ?? []),
    figures: own,
  }
}

function countSteps(steps: readonly Step[]): number {
  return steps.reduce(
    (sum, step) => sum + 1 + graphsOf(step).reduce((inner, graph) => inner + countSteps(graph), 0),
    0,
  )
}
