/** The interfaces of everything the service stores. All implementations pass the same suite, `describeStorage`. */
import type { SessionRow } from '../../shared/requests/session.ts'
import type { ApiKey, ModelInput, RequestRecord, Router } from '../../shared/entities.ts'
import type { ListedRequest, RequestFilter, RequestSearch } from '../../shared/requests/search.ts'
import type { UsageReport, UsageReportQuery } from '../../shared/requests/usage.ts'
import type { RouterChange } from '../../shared/routers/router-change.ts'
import type { RequestContent } from '../../shared/requests/content.ts'
import type { RequestDetail, TokenClasses } from '../../shared/requests/detail.ts'
import type { BudgetAlertStore } from './budget-alert-store.ts'
import type { ConversationStore } from './conversation-store.ts'
import type { BudgetStore } from './budget-store.ts'
import type { ExecutionStore } from './execution-store.ts'
import type { FeedbackStore } from './feedback-store.ts'
import type { FindingStore } from './finding-store.ts'
import type { McpStore } from './mcp-store.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { JudgedPromptStore } from './judged-prompt-store.ts'
import type { Maintenance, StorageFigures, StorageHealth } from './maintenance.ts'
import type { ModelFigures, RouterFigures } from './model-statistics.ts'
import type { RefusalStore } from './refusal-store.ts'
import type { ShadowSampleStore } from './shadow-sample-store.ts'
import type { SessionProofStore } from './session-proof-store.ts'
import type { TuningRunStore } from './tuning-run-store.ts'
import type { UnexpectedCallStore } from './unexpected-call-store.ts'

export {
  DatabaseFromNewerVersion,
  DatabaseFromOlderVersion,
  StorageConflict,
  StorageRejected,
  StorageUnavailable,
} from './storage-errors.ts'

export interface StoredProvider {
  id: string
  type: string
  baseUrl: string | null
  privateNetwork: boolean
  options: Record<string, string>
  createdAtMs: number
  /** Grows each time the provider's key is replaced; the key itself is in the secret store. */
  keyRevision: number
}

/** A user's figures for a model; `Required` because defaults are filled in before storing. */
export type StoredModel = ModelInput

/** A key with its SHA-256 (hex), by which it is looked up. */
export interface StoredApiKey extends ApiKey {
  sha256: string
}

/** An agent's current version, with its definition as the user wrote it. */
export interface StoredAgent {
  slug: string
  /** 1 at first; each change increases it by one. */
  version: number
  source: string
  /** When the first version of this name and this version were saved. */
  createdAtMs: number
  updatedAtMs: number
}

export type AgentVersion = Pick<StoredAgent, 'version' | 'source'> & { createdAtMs: number }

/** The version of a configuration that was never changed. */
export const initialConfigurationVersion = 0

/** Everything the request path reads, in one consistent snapshot. */
export interface Configuration {
  /** 0 at first; every change of the lists below or of a setting, by any process, increases it. */
  version: number
  providers: StoredProvider[]
  models: StoredModel[]
  /** The models each provider listed at its last test, by provider id. */
  listedModels: Record<string, string[]>
  routers: Router[]
  apiKeys: StoredApiKey[]
  agents: StoredAgent[]
  /** Only settings that were changed; defaults are in `shared/app/settings.ts`. */
  settings: Record<string, unknown>
}

export interface ConfigurationStore {
  read(): Promise<Configuration>
  /** Reads the version: cheap enough to do so every few hundred milliseconds. */
  version(): Promise<number>
  /** @throws StorageConflict when the id is taken */
  insertProvider(provider: StoredProvider): Promise<void>
  /**
   * Saves the provider's address and options, and tells every process to read its keys again. Resolves false
   * when there is no such provider.
   */
  updateProvider(provider: StoredProvider): Promise<boolean>
  /**
   * Tells every process to read the provider's key again; called after the secret store has the new key.
   * Resolves false when there is no such provider.
   */
  raiseKeyRevision(id: string): Promise<boolean>
  /** Removes the provider and the models it listed. Resolves false when there was no such provider. */
  removeProvider(id: string): Promise<boolean>
  setListedModels(providerId: string, names: readonly string[]): Promise<void>
  saveModel(model: StoredModel): Promise<void>
  insertRouter(router: Router): Promise<void>
  /** Records what changed in the same transaction. Resolves false when there is no such router. */
  updateRouter(router: Router): Promise<boolean>
  removeRouter(id: string): Promise<boolean>
  /**
   * Changes to a router's settings, the newest first, 500 at most. The ledger's `prune` deletes changes with the hourly
   * roll-ups of their time.
   */
  routerChanges(id: string): Promise<RouterChange[]>
  insertApiKey(key: StoredApiKey): Promise<void>
  /** Resolves false when there is no such key. A key that is already revoked keeps its first time. */
  revokeApiKey(id: string, revokedAtMs: number): Promise<boolean>
  /** Sets when a key expires, for rotation with a grace period; an earlier expiry stays. */
  expireApiKey(id: string, expiresAtMs: number): Promise<boolean>
  /** Key id to the time of its last use; does not change the configuration's version. */
  touchApiKeys(lastUsedAtMs: Readonly<Record<string, number>>): Promise<void>
  setSetting(name: string, value: unknown): Promise<void>
  /** Saves the agent's first or next version; resolves to the version. */
  saveAgent(agent: NewAgentVersion): Promise<number>
  /**
   * Removes the agent. Its versions stay, and a new agent with this name continues their numbers. Resolves false when
   * there was none.
   */
  removeAgent(slug: string): Promise<boolean>
  /** Versions of an agent, oldest first. */
  agentVersions(slug: string): Promise<AgentVersion[]>
  /**
   * Makes all the changes or none of them.
   * @throws StorageConflict when the configuration is no longer the version they were made for
   */
  apply(changes: ConfigurationChanges): Promise<void>
}

export interface NewAgentVersion {
  slug: string
  source: string
  createdAtMs: number
}

/** `save` inserts an entity or replaces the one with its id; an entity to `remove` may be missing. */
export interface ConfigurationChanges {
  /** The version of the configuration that these changes are based on. */
  version: number
  providers: { save: StoredProvider[]; remove: string[] }
  models: { save: StoredModel[]; remove: string[] }
  routers: { save: Router[]; remove: string[] }
  agents: { save: NewAgentVersion[]; remove: string[] }
  settings: { save: Record<string, unknown>; remove: string[] }
}

export interface QuotaStore {
  /**
   * Takes up to `wanted` requests of a router's UTC day, durably, before any of them is dispatched.
   * Setting the clock back does not refill a day: an earlier day continues with the highest count of the days up to
   * the latest one. A later day has its own count.
   * @param day  `2026-11-21`
   * @param needed  of `wanted`, the requests that wait (all by default); near the limit only these are granted
   * @param limit  requests per day; null is unlimited
   * @returns the number granted (0 when the limit is reached), and the day's count including them
   */
  take(request: {
    routerId: string
    day: string
    wanted: number
    needed?: number
    limit: number | null
  }): Promise<{ granted: number; used: number }>
  /** Returns requests that were taken and not dispatched, so that an orderly stop loses none. */
  giveBack(request: { routerId: string; day: string; count: number }): Promise<void>
}

/** Durations of answered requests in ms, at most 4.4 % off (`histogram.ts`). */
export interface DurationQuantiles {
  p50: number
  p90: number
  p99: number
}

/** A request with a status of 400 or more is an error, also in the buckets; all others were answered. */
export interface UsageRow {
  /**
   * The router's id, the model, the key's id or the UTC day, by the query's `group`. Empty for requests that no
   * model answered and, by key, for those of the chat window.
   */
  group: string
  requests: number
  errors: number
  /** Requests whose tokens are estimates, because the provider reported none. */
  estimated: number
  /** Classes that do not overlap; tokens without a reported class count as input or output. */
  tokens: { [Class in keyof TokenClasses]: number }
  costUsd: number
  carbonGrams: number
  /** Null when no request was answered. */
  latencyMs: DurationQuantiles | null
  firstTokenMs: DurationQuantiles | null
}

/** How much of the ledger stays. Whole UTC days are deleted, so every cutoff is the start of a day. */
export interface LedgerLimits {
  /** Requests that began before this are deleted. */
  rowsBeforeMs: number
  /** Roll-ups per minute and per hour before these are deleted, with the changes of routers; those per day stay. */
  minutesBeforeMs: number
  hoursBeforeMs: number
  /** The size of the storage without its free pages. */
  maxBytes: number
  /** Requests since then stay, whatever the size. */
  keptSinceMs: number
}

/** The cost of the requests that began on a UTC day. */
export interface DayCost {
  dayStartMs: number
  costNanoUsd: number
}

/** Requests of a model that began in one span of time, with the answers of other models that they paid for. */
export interface ModelSpan {
  startMs: number
  model: string
  requests: number
  /** Requests with estimated tokens. */
  estimated: number
  /** Answered requests that another model answered after the first one failed. */
  fallbacks: number
  input: number
  cacheRead: number
  cacheWrite: number
  /** Without reasoning. */
  output: number
  reasoning: number
  costNanoUsd: number
}

export interface DetailedRequest {
  record: RequestRecord
  detail: RequestDetail
}

export interface Ledger {
  /**
   * Resolves once the row is durable, some milliseconds later, because many rows share one wait for the disk.
   * An urgent row, for which an answer waits, does not wait for other rows, only for the current write. During
   * an outage (`Storage.health`) the row waits in memory until it can be stored.
   * @throws StorageRejected, StorageConflict when the storage works but refuses this row
   * @throws StorageUnavailable when the row is lost: too many rows wait, or the storage was closed
   */
  append(record: RequestRecord, detail: RequestDetail, isUrgent?: boolean): Promise<void>
  get(id: string): Promise<DetailedRequest | null>
  /**
   * A router's rows with their details, newest first, page by page.
   * @param before  the last row of the page before; null for the first page
   */
  page(query: {
    routerId: string
    sinceMs: number
    before: Pick<RequestRecord, 'startedAtMs' | 'id'> | null
    limit: number
  }): Promise<DetailedRequest[]>
  /** Rows, newest first. */
  list(query: { routerId?: string | undefined; limit: number }): Promise<RequestRecord[]>
  /** A key's first and last request since a near time: without any (null), every row since then is read. */
  endsOfKey(query: {
    apiKeyId: string
    sinceMs: number
  }): Promise<{ first: DetailedRequest; last: DetailedRequest } | null>
  /** Key id to the start of its newest request since a near time: every row since then is read. */
  newestOfKeys(sinceMs: number): Promise<Readonly<Record<string, number>>>
  /** The requests of all routers that match, newest first. */
  search(search: RequestSearch): Promise<ListedRequest[]>
  countMatches(filter: RequestFilter): Promise<number>
  /** The steps of an agent's execution, oldest first. */
  ofExecution(executionId: string): Promise<RequestRecord[]>
  /** The requests of a coding agent's session, oldest first. @param name  of `nameOfSession` */
  ofSession(name: string): Promise<RequestRecord[]>
  /** Sessions with a request since a time, the last used first; of their requests, those since then count. */
  sessions(query: { sinceMs: number; limit: number }): Promise<SessionRow[]>
  /** Its requests stay with their cost, but are no steps of it, and their texts are deleted. False without such a session. */
  forgetSession(name: string): Promise<boolean>
  /** The requests of sessions' subagents since a time, newest first. */
  subagentSteps(query: { sinceMs: number; limit: number }): Promise<RequestRecord[]>
  /** Short names of the proofs of reasoning that sessions' answers gave since a time, by answer, newest first. */
  givenProofs(query: {
    sinceMs: number
    limit: number
  }): Promise<{ modelId: string; proofs: string[] }[]>
  /** The steps since a time at which a session's cache was found to be broken, newest first. */
  brokenCaches(sinceMs: number): Promise<RequestRecord[]>
  /**
   * The cost of a router or a key per day; days without a request are left out. It includes exactly the rows
   * that were appended before the call.
   * @throws StorageUnavailable also while appended rows still wait in memory
   */
  costsByDay(query: { owner: 'router' | 'key'; id: string; sinceMs: number }): Promise<DayCost[]>
  /**
   * Usage since a time. Where rows and short roll-ups were deleted to save space, the cell that contains `sinceMs`
   * counts in full.
   */
  usage(query: {
    routerId?: string | undefined
    sinceMs: number
    group: 'router' | 'model' | 'key' | 'day'
  }): Promise<UsageRow[]>
  /** The figures of a range of time. At its edges, as `usage`. */
  report(query: UsageReportQuery): Promise<UsageReport>
  /**
   * The figures of each model in spans of `bucketMs`, from roll-ups alone. Where short ones were deleted, a longer cell
   * counts in the span of its start.
   * @param query  times are whole minutes; `bucketMs` divides an hour
   */
  modelSpans(query: { fromMs: number; toMs: number; bucketMs: number }): Promise<ModelSpan[]>
  /**
   * Deletes some rows beyond the limits with their contents, and some roll-ups, the oldest first. Roll-ups of
   * deleted rows stay. Each call delays other writes by only a few milliseconds.
   * @returns whether nothing beyond the limits is left to delete
   */
  prune(limits: LedgerLimits): Promise<boolean>
}

/** Prompts and answers. They are separate from the ledger, because more people may read its rows. */
export interface ContentStore {
  /** Saves contents; does nothing when the router does not store them (any more). */
  save(content: RequestContent): Promise<void>
  get(requestId: string): Promise<RequestContent | null>
  /** Contents of a router's requests, newest first. */
  ofRouter(routerId: string, limit: number): Promise<RequestContent[]>
  /**
   * Deletes some contents that are older than their router's limit in days. The ledger's `prune` deletes those
   * of the rows it deletes. Removing a router, or switching its contents off, deletes those of the router.
   * @returns whether none is left to delete
   */
  prune(nowMs: number): Promise<boolean>
}

/** Figures of a model or a router. */
export interface Stored<Figures> {
  id: string
  figures: Figures
}

export interface Learned<Figures> extends Stored<Figures> {
  /** The figures that were stored when this process last read or saved them; null if there were none. */
  base: Figures | null
}

export interface StatisticsStore<Figures> {
  read(): Promise<Stored<Figures>[]>
  /**
   * Stores the figures, merged with what other processes stored since the base.
   * @returns what is stored now
   */
  save(learned: readonly Learned<Figures>[]): Promise<Stored<Figures>[]>
}

export type ChangedBy = 'this process' | 'another process'
export type ChangeListener = (by: ChangedBy) => void

export interface Storage {
  /** Whether other services use it, too. */
  isShared: boolean
  configuration: ConfigurationStore
  quota: QuotaStore
  budgets: BudgetStore
  budgetAlerts: BudgetAlertStore
  idempotency: IdempotencyStore
  ledger: Ledger
  contents: ContentStore
  executions: ExecutionStore
  conversations: ConversationStore
  modelStatistics: StatisticsStore<ModelFigures>
  routerStatistics: StatisticsStore<RouterFigures>
  feedback: FeedbackStore
  findings: FindingStore
  judgedPrompts: JudgedPromptStore
  mcp: McpStore
  tuningRuns: TuningRunStore
  shadowSamples: ShadowSampleStore
  sessionProofs: SessionProofStore
  refusals: RefusalStore
  unexpectedCalls: UnexpectedCallStore
  maintenance: Maintenance
  health: StorageHealth
  figures(): StorageFigures
  /**
   * Calls the listener at a write of this process, and within half a second after one of another. Its own rows are left out.
   * @returns removes the listener
   */
  onChange(listener: ChangeListener): () => void
  /**
   * Calls the listener soon after another node changed the configuration. A call can be missing: poll the version, too.
   * @returns removes the listener
   */
  onConfigurationHint(listener: () => void): () => void
  /** Resolves when all accepted writes are durable and the files are closed. */
  close(): Promise<void>
}
