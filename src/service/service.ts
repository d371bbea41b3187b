/**
 * Creates and connects all parts. The desktop app and `modelport serve` both run a `Service`; nothing else starts
 * any part.
 */
import type { Reconcile } from './reconcile/reconcile.ts'
import { openSessionWindow, type SessionWindow } from './window/session-window.ts'
import type { RequestRecord } from '../shared/entities.ts'
import type { ListedRequest, RequestFilter, RequestSearch } from '../shared/requests/search.ts'
import type { DailyUse, UsageReport, UsageReportQuery } from '../shared/requests/usage.ts'
import type { ConnectionState } from '../shared/app/connections.ts'
import type { ConnectionUse } from '../shared/app/open-connection.ts'
import { connectionStates } from './wiring/connections.ts'
import type { EndpointState, SecretsState } from '../shared/app/app-state.ts'
import type { RefusalStore } from './storage/refusal-store.ts'
import type { DraftReplayQuery, ReplayReport } from '../shared/routers/replay.ts'
import type { StorageState } from '../shared/app/storage-state.ts'
import type { RequestContent } from '../shared/requests/content.ts'
import type { ExplainedRequest } from '../shared/requests/detail.ts'
import type { Settings } from '../shared/app/settings.ts'
import type { TimeLimits } from '../shared/routers/time-limits.ts'
import { createDiagnostics, type Diagnostics } from './doctor/diagnostics.ts'
import { createAgentWindow, type AgentWindow } from './window/agent-window.ts'
import { openAnswerMemory } from './wiring/answer-memory.ts'
import { importChats } from './chat-imports/import-chats.ts'
import type { ImportReport } from '../shared/chat/imports.ts'
import type { Conversations } from './window/conversations.ts'
import type { McpServers } from './mcp/servers.ts'
import { openMcpServers } from './wiring/mcp-servers.ts'
import { startConversations } from './window/start-conversations.ts'
import { openPastRequests, type PastRequests } from './window/past-requests.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import type { ServiceEvents } from './wiring/events.ts'
import { lockDataFolder, type FolderHolder } from './data-folder/data-folder.ts'
import type { ActiveRequests } from './http/answers/active-requests.ts'
import type { CertificateEnds } from '../shared/app/certificate-ends.ts'
import type { Endpoint, StopTimes } from './http/sockets/endpoint.ts'
import { createEndpoint, stateOf, type EndpointLimits } from './wiring/create-endpoint.ts'
import { watchClock } from './wiring/clock.ts'
import { connectExecutionLeases } from './wiring/execution-leases.ts'
import { createIds } from './ids.ts'
import type { LocalModel } from './local/local-model.ts'
import type { LocalModels } from './wiring/local-models.ts'
import { trackKeyUse } from './wiring/key-use.ts'
import type { Log } from './data-folder/log.ts'
import { startLearning, type Learning } from './wiring/learning.ts'
import { limitYoungGeneration } from './wiring/limit-young-generation.ts'
import { explainRequest, replayDraft } from './wiring/replay.ts'
import { createRefusals } from './wiring/refusals.ts'
import {
  startUnexpectedCalls,
  openUnexpectedCalls,
  type OpenUnexpectedCalls,
} from './wiring/unexpected-calls.ts'
import { createRefusedOrigins } from './wiring/refused-origins.ts'
import { createActiveRequests } from './wiring/active-requests.ts'
import { createMetrics } from './wiring/metrics.ts'
import { createRequestPath } from './wiring/request-path.ts'
import { startBudgetAlerts } from './wiring/budget-alerts.ts'
import {
  openFindings,
  startAnswerChecks,
  type OpenFindings,
  type RunningAnswerChecks,
} from './wiring/findings.ts'
import type { Quota } from './chat/admission/quota.ts'
import { createQuota } from './wiring/quota.ts'
import type { Tuning } from './tuning/tuning.ts'
import type { SharedState } from './shared-state/shared-state.ts'
import { openNode, type SharedStateOptions } from './wiring/shared-state.ts'
import type { TelemetryOptions } from './telemetry/telemetry.ts'
import { startTelemetry, type RequestTelemetry } from './wiring/telemetry.ts'
import { connectTuning } from './wiring/tuning.ts'
import { createTrust, type Trust } from './trust/trust.ts'
import { startUpkeep } from './upkeep/upkeep.ts'
import { discardRestore } from './storage/sqlite/restore.ts'
import { prepareVersion } from './upkeep/version-change.ts'
import type { Workspace, WorkspaceOptions } from './wiring/workspace.ts'

export { DashboardError } from './dashboard/dashboard.ts'
export { ServiceError } from './errors.ts'
export { fileErrorWords } from './data-folder/file-errors.ts'
export { WebhookFailed } from './alerts/webhook.ts'
export { openBackups, type Backups, type StagedBackup } from './upkeep/backups.ts'
export { startProblemOf } from './wiring/start-problem.ts'
export { readVersionHistory, restoreAtNextStart } from './upkeep/version-change.ts'
export { TrustFailed } from './trust/trust.ts'
export { NotRunning } from './doctor/diagnostics.ts'
export { SecretStoreError } from './secrets/secret-store.ts'
export { defaultCacheDir } from './data-folder/data-folder.ts'
export type { TestRun } from './window/test-run.ts'
export type { ChatAnswer } from './window/conversations.ts'
export { modelProcessEnvironment, modelProcessOptions } from './local/model-process-environment.ts'
export type { ModelProcess } from './local/local-model.ts'

export interface ServiceOptions extends WorkspaceOptions, EndpointLimits {
  holder: FolderHolder
  /** Overrides the setting; 0 takes any free port. */
  port?: number | undefined
  /** Overrides the setting: plain HTTP on the loopback interface; null is off. */
  httpPort?: number | null | undefined
  /** How the service stops; at once for new requests, and 10 s for those in progress by default. */
  stop?: Partial<StopTimes> | undefined
  /** Time limits of each attempt; missing ones have their defaults. */
  timeLimits?: Partial<TimeLimits> | undefined
  /** State that several nodes share, such as breakers and conversations; without it, this node is on its own. */
  shared?: SharedStateOptions | undefined
  /** Collector of finished requests as traces and metrics; without it, nothing is sent. */
  telemetry?: TelemetryOptions | undefined
  /** The app's version: the first start of another one copies the database. Without it, no copy is made. */
  version?: string | undefined
}

export interface Service {
  dashboard: Dashboard
  localModel: LocalModel
  localModels: LocalModels
  endpoint(): EndpointState
  /** Binds the endpoint again; resolves when it listens or has failed. */
  listen(port?: number): Promise<EndpointState>
  /** While paused, the endpoint refuses new requests with 503 `overloaded`; requests in progress continue. */
  isPaused(): boolean
  setPaused(isPaused: boolean): void
  settings(): Settings
  certificateEnds(): CertificateEnds
  storageState(): StorageState
  /** Sends an example to the webhook for budget alerts. @throws WebhookFailed */
  testWebhook(): Promise<void>
  /** Ids of the providers whose last request or test showed a problem that only the user can solve. */
  providersInNeed(): string[]
  secrets: { state(): SecretsState; retry(): Promise<SecretsState> }
  conversations: Omit<Conversations, 'close' | 'indexAll'>
  mcp: Omit<McpServers, 'close'>
  /** Imports another program's conversations from a file or folder; a dry run only says what it would add. */
  importChats(path: string, isDryRun: boolean): Promise<ImportReport>
  agents: Omit<AgentWindow, 'close'>
  tuning: Omit<Tuning, 'close'>
  usage: {
    /** Requests refused before a model was tried, by kind. */
    refusals: Pick<RefusalStore, 'counts' | 'newest'>
    unexpectedCalls: OpenUnexpectedCalls
    findings: OpenFindings
    sessions: SessionWindow
    /** @throws DashboardError when no row of the files can be read */
    reconcile: Reconcile
    report(query: UsageReportQuery): Promise<UsageReport>
    /** The requests of today (UTC) that count against each router's daily limit. */
    daily(): Promise<DailyUse[]>
    requests(query: { routerId?: string | undefined; limit: number }): Promise<RequestRecord[]>
    /** Searches the requests of all routers, newest first. */
    search(search: RequestSearch): Promise<ListedRequest[]>
    countMatches(filter: RequestFilter): Promise<number>
    /** @throws DashboardError when there is no such router */
    replay(query: DraftReplayQuery): Promise<ReplayReport>
    /** Resolves to null if the ledger has no such request. */
    explain(id: string): Promise<ExplainedRequest | null>
    /** The full content; resolves to null if none is stored. */
    content(id: string): Promise<RequestContent | null>
  }
  pastRequests: PastRequests
  /** Takes the unexpected errors of the shell around the service. */
  diagnostics: Diagnostics
  trust: Pick<Trust, 'state' | 'change' | 'mustTrustAgain'>
  /** Every connection that Modelport can open. */
  connections: {
    list(): Promise<ConnectionState[]>
    /** For connections that the app around the service opens. */
    use: ConnectionUse
  }
  log: Pick<Log, 'failed'>
  /** Web origins refused since the start whose requests had a key, newest first. */
  refusedOrigins(): readonly string[]
  /** @returns removes the listener */
  on<Name extends keyof ServiceEvents>(
    name: Name,
    listener: (payload: ServiceEvents[Name]) => void,
  ): () => void
  /** Stops the service: running streams have up to 10 s (`stop`), then everything closes; no stored data is lost. */
  close(): Promise<void>
}

const defaultStopTimes: StopTimes = { delay: async () => undefined, limitMs: 10_000 }

/**
 * Opens the data folder and the endpoint. A port in use is a state of the endpoint, not an error.
 * @throws DataFolderInUse, DatabaseFromNewerVersion, StorageUnavailable, FileProblem
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  limitYoungGeneration()
  const unlock = lockDataFolder(options)
  try {
    return await startLocked(options, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

async function startLocked(options: ServiceOptions, unlock: () => void): Promise<Service> {
  if (options.database === undefined) {
    // A restore that a crash interrupted before it changed the database; the lock keeps a running one out.
    discardRestore(options.dataDir)
    await prepareVersion(options)
  }
  const { workspace, shared } = await openNode(options)
  try {
    const telemetry = await startTelemetry(workspace, options.telemetry)
    return await startIn(workspace, { shared, telemetry, options, unlock })
  } catch (error) {
    workspace.log.failed('start', error)
    await workspace.close()
    throw error
  }
}

function mayHaveOthers({ shared, database }: ServiceOptions): boolean {
  return shared !== undefined || database !== undefined
}

interface StartParts {
  shared: SharedState
  telemetry: RequestTelemetry
  options: ServiceOptions
  unlock: () => void
}

async function startIn(
  workspace: Workspace,
  { shared, telemetry, options, unlock }: StartParts,
): Promise<Service> {
  const { configuration, events } = workspace
  const quota = createQuota(workspace)
  const memory = openAnswerMemory(workspace, shared)
  const learning = await startLearning(workspace, { hasOtherNodes: mayHaveOthers(options) })
  const executionLeases = connectExecutionLeases(workspace)
  const activeRequests = createActiveRequests(workspace)
  const refusals = createRefusals(workspace)
  const ofOptions = { timeLimits: options.timeLimits ?? {}, shared, telemetry }
  const certificateEndMs = () => endpoint.certificateEnds().leafMs
  const watched = { quota, activeRequests, refusals, certificateEndMs, ...ofOptions }
  const metrics = createMetrics(workspace, watched)
  const answers = await startAnswerChecks(workspace)
  const requestParts = { quota, memory, metrics, learning, executionLeases, answers, ...ofOptions }
  const requestPath = createRequestPath(workspace, requestParts)
  const { completeChat, previewChat, answerWith, shadowSampling } = requestPath
  answers.startProbes(completeChat)
  const tuning = connectTuning(workspace, { completeChat, learning })
  const mcp = await openMcpServers(workspace, options)
  const conversations = await startConversations(workspace, { ...requestPath, refusals, mcp })
  const agents = createAgentWindow({ workspace, answerWith, newId: createIds(workspace.now) })
  const refusedOrigins = createRefusedOrigins(workspace, options.dataDir)
  const noted = { refusedOrigins, refusals, unexpectedCalls: startUnexpectedCalls(workspace) }
  const parts = { workspace, requestPath, activeRequests, memory, metrics, quota, ...noted }
  const endpoint = await createEndpoint(options, parts)
  const keyUse = trackKeyUse(workspace, activeRequests)
  const listen = (port?: number) =>
    listenAt(endpoint, configuration, { ...options, port: port ?? options.port })
  await listen()
  const upkeep = startUpkeep(workspace, options, answers.rows)
  const budgetAlerts = startBudgetAlerts(workspace)
  const clock = watchClock(workspace)
  const first = [clock, ...Object.values(noted), metrics, conversations, agents, tuning, answers]
  const last = [mcp, budgetAlerts, shadowSampling, executionLeases, keyUse, learning, quota, memory]
  const all = { endpoint, options, parts: [...first, ...last, upkeep, telemetry], workspace }
  let stopped: Promise<void> | null = null
  return {
    ...ofWorkspace(workspace),
    ...stateOf(endpoint, configuration),
    listen,
    storageState: () => upkeep.storageState(),
    testWebhook: () => budgetAlerts.testWebhook(),
    ...pausing(activeRequests, events),
    conversations,
    mcp,
    importChats: (path, isDryRun) => importInto(path, isDryRun, { workspace, events }),
    agents,
    tuning,
    usage: usageOf(workspace, { learning, answers, quota }),
    pastRequests: openPastRequests(workspace, previewChat),
    ...ofThisComputer(workspace, options),
    refusedOrigins: () => refusedOrigins.list(),
    close: () => (stopped ??= closeAll(all).finally(unlock)),
  }
}

async function importInto(
  path: string,
  isDryRun: boolean,
  { workspace, events }: { workspace: Workspace; events: Workspace['events'] },
): Promise<ImportReport> {
  const { conversations: store } = workspace.storage
  const report = await importChats(path, { store, now: workspace.now, isDryRun })
  if (!isDryRun) events.emit('changed', { what: 'conversations' })
  return report
}

function ofWorkspace({
  dashboard,
  localModel,
  localModels,
  log,
  events,
  secrets,
  upstreams,
}: Workspace): Pick<
  Service,
  'dashboard' | 'localModel' | 'localModels' | 'log' | 'on' | 'secrets' | 'providersInNeed'
> {
  const on: Service['on'] = (name, listener) => events.on(name, listener)
  return {
    dashboard,
    localModel,
    localModels,
    log,
    on,
    secrets: { state: () => secrets.state(), retry: () => secrets.retry() },
    providersInNeed: () => upstreams.inNeed(),
  }
}

/** @param parts  closed one after another, between the endpoint and the workspace */
async function closeAll(all: {
  endpoint: Endpoint
  options: Pick<ServiceOptions, 'stop'>
  parts: readonly { close(): void | Promise<void> }[]
  workspace: Workspace
}): Promise<void> {
  try {
    await all.endpoint.close({ ...defaultStopTimes, ...all.options.stop })
    for (const part of all.parts) await part.close()
  } finally {
    await all.workspace.close()
  }
}

function ofThisComputer(
  workspace: Workspace,
  options: ServiceOptions,
): Pick<Service, 'diagnostics' | 'trust' | 'connections'> {
  const list = () => connectionStates(workspace, options)
  return {
    diagnostics: createDiagnostics(workspace, options),
    trust: createTrust(options),
    connections: { list, use: workspace.connectionLog },
  }
}

function pausing(
  activeRequests: ActiveRequests,
  events: Workspace['events'],
): Pick<Service, 'isPaused' | 'setPaused'> {
  return {
    isPaused: () => activeRequests.isPaused,
    setPaused(isPaused) {
      activeRequests.setPaused(isPaused)
      events.emit('paused', isPaused)
    },
  }
}

/** The given port, else the option's, else the setting's. */
function listenAt(
  endpoint: Endpoint,
  configuration: Workspace['configuration'],
  options: Pick<ServiceOptions, 'port' | 'httpPort'>,
): Promise<EndpointState> {
  const { settings } = configuration.current()
  const httpPort = options.httpPort === undefined ? settings.httpPort : options.httpPort
  return endpoint.listen(options.port ?? settings.port, httpPort)
}

function usageOf(
  workspace: Workspace,
  {
    learning: { statistics },
    answers,
    quota,
  }: { learning: Learning; answers: Pick<RunningAnswerChecks, 'save'>; quota: Quota },
): Service['usage'] {
  const { ledger, contents, refusals } = workspace.storage
  const { configuration, candidatesOf } = workspace
  const knowledgeOf = statistics.knowledgeOf.bind(statistics)
  return {
    refusals,
    unexpectedCalls: openUnexpectedCalls(workspace),
    findings: openFindings(workspace, () => answers.save()),
    sessions: openSessionWindow(workspace),
    reconcile: workspace.reconcile,
    report: (query) => ledger.report(query),
    daily: () => quota.dailyUse(configuration.current().routers.values()),
    requests: (query) => ledger.list(query),
    search: (search) => ledger.search(search),
    countMatches: (filter) => ledger.countMatches(filter),
    replay: (query) => replayDraft({ configuration, ledger, candidatesOf, knowledgeOf }, query),
    explain: (id) => explainRequest(workspace.storage, id),
    content: (id) => contents.get(id),
  }
}
