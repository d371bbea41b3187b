/**
 * What the service keeps, as interfaces. Everything is asynchronous: the SQLite implementation runs
 * in a worker thread, and another one (PostgreSQL, several services) must pass the same suite,
 * `describeStorage`. No SQLite type leaks out of `sqlite/`.
 */
import type { Execution } from '../../shared/agent.ts'
import type { AgentFigures } from '../../shared/agent-window.ts'
import type {
  ApiKey,
  Conversation,
  ConversationMessage,
  ModelInput,
  RequestRecord,
  Router,
  UsageBucket,
  UsageQuery,
} from '../../shared/entities.ts'
import type { RequestContent } from '../../shared/request-content.ts'
import type { RequestDetail, TokenClasses } from '../../shared/request-detail.ts'
import type { BudgetStore } from './budget-store.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { Maintenance, StorageHealth } from './maintenance.ts'
import type { ModelFigures } from './model-statistics.ts'

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

/** A key with the SHA-256 (hex) it is looked up by. */
export interface StoredApiKey extends ApiKey {
  sha256: string
  /** The key that this one replaced; null where it replaced none. */
  rotatedFromId: string | null
}

/** An agent's current version: its definition, as it was written. */
export interface StoredAgent {
  slug: string
  /** From 1 on, one more with each change. */
  version: number
  source: string
  /** When there first was one of this name, and when this version came. */
  createdAtMs: number
  updatedAtMs: number
}

export type AgentVersion = Pick<StoredAgent, 'version' | 'source'> & { createdAtMs: number }

/** The version of a configuration in which nothing was ever changed. */
export const initialConfigurationVersion = 0

/** Everything the request path needs to know, read at once so that it is consistent. */
export interface Configuration {
  /** 0 at first; grows with every change of the lists below or of a setting, by whichever process. */
  version: number
  providers: StoredProvider[]
  models: StoredModel[]
  /** Models a provider listed when it was last tested: provider id to model names. */
  listedModels: Record<string, string[]>
  routers: Router[]
  apiKeys: StoredApiKey[]
  agents: StoredAgent[]
  /** Only what was set; defaults are in `shared/settings.ts`. */
  settings: Record<string, unknown>
}

export interface ConfigurationStore {
  read(): Promise<Configuration>
  /** Only the version: cheap enough to ask every few hundred milliseconds. */
  version(): Promise<number>
  /** @throws StorageConflict when the id is taken */
  insertProvider(provider: StoredProvider): Promise<void>
  /**
   * Tells every process to read the provider's key again; called after the secret store has the new key.
   * Resolves false when there is no such provider.
   */
  raiseKeyRevision(id: string): Promise<boolean>
  /** Also forgets what it listed; resolves false when there was none. */
  removeProvider(id: string): Promise<boolean>
  setListedModels(providerId: string, names: readonly string[]): Promise<void>
  saveModel(model: StoredModel): Promise<void>
  insertRouter(router: Router): Promise<void>
  /** Resolves false when there is no such router. */
  updateRouter(router: Router): Promise<boolean>
  removeRouter(id: string): Promise<boolean>
  insertApiKey(key: StoredApiKey): Promise<void>
  /** Resolves false when there is no such key; a key already revoked keeps its first time. */
  revokeApiKey(id: string, revokedAtMs: number): Promise<boolean>
  /** Ends a key at a time, for rotation with a grace period; an earlier end of its own stays. */
  expireApiKey(id: string, expiresAtMs: number): Promise<boolean>
  /** Key id to the time of its last use; does not change the configuration's version. */
  touchApiKeys(lastUsedAtMs: Readonly<Record<string, number>>): Promise<void>
  setSetting(name: string, value: unknown): Promise<void>
  /** Makes it or its next version; resolves to that version. */
  saveAgent(agent: NewAgentVersion): Promise<number>
  /** Its versions stay, and the next of its name goes on counting; resolves false when there was none. */
  removeAgent(slug: string): Promise<boolean>
  /** Oldest first. */
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

/** What is saved is inserted, or replaces what has its id; what is removed may be missing already. */
export interface ConfigurationChanges {
  /** The version of the configuration these changes were decided on. */
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
   * A day earlier than the one counted before (a clock set back) takes over the greatest count of the
   * days in between, so that nothing is refilled; a later one has its own.
   * @param day  `2026-11-21`
   * @param limit  requests per day; null is unlimited
   * @returns how many were granted (0 when the limit is reached), and the day's count including them
   */
  take(request: {
    routerId: string
    day: string
    wanted: number
    limit: number | null
  }): Promise<{ granted: number; used: number }>
  /** Gives back what was taken and not dispatched, so that an orderly stop loses nothing. */
  giveBack(request: { routerId: string; day: string; count: number }): Promise<void>
}

/** Of the durations of answered requests, ms, 4.4 % off at the most (`histogram.ts`). */
export interface DurationQuantiles {
  p50: number
  p90: number
  p99: number
}

/** A request with a status from 400 up is an error, also in the buckets; the others were answered. */
export interface UsageRow {
  /**
   * The router's id, the model, the key's id, or the UTC day, as asked for; empty for requests that no
   * model answered, and for those of the chat window, which has no key.
   */
  group: string
  requests: number
  errors: number
  /** Requests whose tokens are estimates, because the provider reported none. */
  estimated: number
  /** Classes that do not overlap; what nobody told apart is in input and output. */
  tokens: { [Class in keyof TokenClasses]: number }
  costUsd: number
  carbonGrams: number
  /** Null where nothing was answered. */
  latencyMs: DurationQuantiles | null
  firstTokenMs: DurationQuantiles | null
}

/** What the ledger may keep. Whole UTC days are removed, so that every cutoff is the start of one. */
export interface LedgerLimits {
  /** Requests that began before. */
  rowsBeforeMs: number
  /** Roll-ups per minute and hour of what began before; those per day are kept for ever. */
  minutesBeforeMs: number
  hoursBeforeMs: number
  /** The storage's size, without what is free in it. */
  maxBytes: number
  /** Requests since then stay, whatever the size. */
  keptSinceMs: number
}

/** What the requests cost that began on a UTC day. */
export interface DayCost {
  dayStartMs: number
  costNanoUsd: number
}

export interface Ledger {
  /**
   * Resolves once the row is durable, some milliseconds later: many rows share one wait for the disk.
   * An urgent row, for which an answer waits, waits for no other, only for the write under way. During an outage (`Storage.health`) the row waits in memory until it can be stored.
   * @throws StorageRejected, StorageConflict when the storage works but does not take this row
   * @throws StorageUnavailable when the row is lost: too many rows wait, or the storage was closed
   */
  append(record: RequestRecord, detail: RequestDetail, isUrgent?: boolean): Promise<void>
  /** The detail is null for rows of a version that did not keep it. */
  get(id: string): Promise<{ record: RequestRecord; detail: RequestDetail | null } | null>
  /**
   * A router's rows with their details, newest first, page by page.
   * @param before  the last row of the page before; null for the first page
   */
  page(query: {
    routerId: string
    sinceMs: number
    before: Pick<RequestRecord, 'startedAtMs' | 'id'> | null
    limit: number
  }): Promise<{ record: RequestRecord; detail: RequestDetail | null }[]>
  /** Newest first. */
  list(query: { routerId?: string | undefined; limit: number }): Promise<RequestRecord[]>
  /** The steps of an agent's execution, oldest first. */
  ofExecution(executionId: string): Promise<RequestRecord[]>
  /**
   * Oldest first; buckets without a request are left out. Where rows and short roll-ups were removed
   * to save space, the cell in which `sinceMs` lies counts as a whole, and so it is with `usage`.
   */
  buckets(query: UsageQuery): Promise<UsageBucket[]>
  /**
   * What a router or a key cost, by the day; days without a request are left out. Exactly the rows
   * that were appended before this was asked are in it.
   * @throws StorageUnavailable also while appended rows still wait in memory
   */
  costsByDay(query: { owner: 'router' | 'key'; id: string; sinceMs: number }): Promise<DayCost[]>
  usage(query: {
    routerId?: string | undefined
    sinceMs: number
    group: 'router' | 'model' | 'key' | 'day'
  }): Promise<UsageRow[]>
  /**
   * Removes a few rows, with their contents, and roll-ups beyond the limits, the oldest first; roll-ups
   * of removed rows stay.
   * Each call holds up other writes for some milliseconds only.
   * @returns whether nothing beyond the limits is left that may be removed
   */
  prune(limits: LedgerLimits): Promise<boolean>
}

/** Never in the ledger, whose rows many read. */
export interface ContentStore {
  /** Drops it where the router does not keep contents, or not any more. */
  save(content: RequestContent): Promise<void>
  get(requestId: string): Promise<RequestContent | null>
  /**
   * Removes a few that are older than the days of their router; the ledger's `prune` removes those of the
   * rows it removes, and a router that is removed or does not keep contents any more its own.
   * @returns whether none of them is left
   */
  prune(nowMs: number): Promise<boolean>
}

/** Runs of agents; the ledger has the rows of their steps. */
export interface ExecutionStore {
  /** Durable before the first step is asked, so that none is ever forgotten. */
  begin(execution: Execution, lease: ExecutionLease): Promise<void>
  end(execution: Execution): Promise<void>
  /** Extends the lease of all running executions of its holder. */
  renewLeases(lease: ExecutionLease): Promise<void>
  get(id: string): Promise<Execution | null>
  /** Newest first. */
  list(query: { agent?: string | undefined; limit: number }): Promise<Execution[]>
  /** Of all agents that were ever run, as far as their executions are kept. */
  figures(): Promise<({ agent: string } & AgentFigures)[]>
  /**
   * Running executions whose lease expired become `interrupted`, with the sum of their steps' rows.
   * @returns how many there were
   */
  interruptExpired(nowMs: number): Promise<number>
}

/** Which process runs an execution; one that is gone no longer renews its lease. */
export interface ExecutionLease {
  holder: string
  /** Unix ms. */
  expiresAtMs: number
}

export interface ConversationStore {
  /** Most recently updated first. */
  list(): Promise<Conversation[]>
  get(id: string): Promise<Conversation | null>
  /** Oldest first. */
  messages(conversationId: string): Promise<ConversationMessage[]>
  save(conversation: Conversation): Promise<void>
  /** Removes its messages too; resolves false when there was none. */
  remove(id: string): Promise<boolean>
  /**
   * Inserts the message or replaces the one with its id; one of a conversation that was removed
   * meanwhile is dropped.
   */
  saveMessage(conversationId: string, message: ConversationMessage): Promise<void>
  /** Turns messages left `streaming` by a crash into `stopped`; resolves how many there were. */
  stopInterrupted(): Promise<number>
}

export interface StoredStatistics extends ModelFigures {
  modelId: string
}

export interface StatisticsStore {
  read(): Promise<StoredStatistics[]>
  /** Replaces those of the models given. */
  save(statistics: readonly StoredStatistics[]): Promise<void>
}

/** What is said of the answer to a request, in one respect: a thumb is another than a vote. */
export interface FeedbackPlace {
  requestId: string
  aspect: string
}

/** How good one answer was. */
export interface FeedbackLabel {
  requestId: string
  modelId: string
  atMs: number
  /** 0 to 1. */
  label: number
  /** Judged answers it counts as. */
  weight: number
  /** Probability of each kind of prompt, in the order of `topicNames`; they sum up to 1. */
  shares: readonly number[]
}

/** Judged answers of a model that were good and that were not, in the order of `topicNames`. */
export interface ModelFeedback {
  modelId: string
  good: number[]
  bad: number[]
}

export interface GivenFeedback {
  requestId: string
  /** How good, 0 to 1. */
  label: number
}

export interface FeedbackStore {
  /** Takes the place of what was said there before. */
  give(place: FeedbackPlace, labels: readonly FeedbackLabel[]): Promise<void>
  /** Resolves false when nothing was said there. */
  withdraw(place: FeedbackPlace): Promise<boolean>
  /** For a model that is another one now under the same name; resolves false when there was nothing. */
  forget(modelId: string): Promise<boolean>
  /** What was said of these requests in one respect; those of which nothing was said are not there. */
  given(aspect: string, requestIds: readonly string[]): Promise<GivenFeedback[]>
  /** Grows with every change, by whichever process. */
  version(): Promise<number>
  /** Faded as of a time. */
  counts(nowMs: number): Promise<ModelFeedback[]>
}

export interface Storage {
  configuration: ConfigurationStore
  quota: QuotaStore
  budgets: BudgetStore
  idempotency: IdempotencyStore
  ledger: Ledger
  contents: ContentStore
  executions: ExecutionStore
  conversations: ConversationStore
  statistics: StatisticsStore
  feedback: FeedbackStore
  maintenance: Maintenance
  health: StorageHealth
  /** Resolves when everything handed over is durable and the files are closed. */
  close(): Promise<void>
}

/** The id is taken, the file is there, or the configuration changed meanwhile. */
export class StorageConflict extends Error {
  override readonly name = 'StorageConflict'
}

/**
 * The storage cannot do what was asked: the disk is full or cannot be read, another process held the
 * lock for too long, or the worker ended. The service answers 503 `storage_unavailable`.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The storage works, but it cannot store what it was given. Trying again would not help. */
export class StorageRejected extends Error {
  override readonly name = 'StorageRejected'
}

/** The database was made by a newer version of the program; nothing in it was touched. */
export class DatabaseFromNewerVersion extends Error {
  override readonly name = 'DatabaseFromNewerVersion'
}
