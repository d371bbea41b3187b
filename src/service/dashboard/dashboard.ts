/** Manages providers, models, routers and keys, for the window and the command line. */
import type {
  ApiKey,
  ApiKeyInput,
  CreatedApiKey,
  Model,
  ModelInput,
  Provider,
  ProviderChanges,
  ProviderInput,
  ProviderTest,
  Router,
  RouterInput,
} from '../../shared/entities.ts'
import type { CatalogCheck, CatalogState } from '../../shared/models/catalog.ts'
import type { Feedback, FeedbackName, Lesson, Thumbs } from '../../shared/chat/feedback.ts'
import type { AddedKey } from '../../shared/models/provider-key.ts'
import type { ListedModel } from '../../shared/models/listed-model.ts'
import type { ProviderType } from '../../shared/models/provider-type.ts'
import type { DatedPrice, DatedPriceName } from '../../shared/models/dated-price.ts'
import type { FoundKey } from '../../shared/models/found-calls.ts'
import type { FoundServer } from '../../shared/models/model-servers.ts'
import type { SettingName, Settings } from '../../shared/app/settings.ts'
import type { RouterChange } from '../../shared/routers/router-change.ts'
import type { TestedProvider } from '../../shared/tested-provider.ts'
import type { DownloadedCatalog, LiveCatalog } from '../catalog/catalog.ts'
import type { ServerPlace } from '../providers/local-servers.ts'
import type { ModelServers } from '../providers/model-servers.ts'
import type { Outbound } from '../providers/outbound.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { JudgedPromptStore } from '../storage/judged-prompt-store.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { FeedbackStore } from '../storage/feedback-store.ts'
import type { AgentVersion, ConfigurationStore, Ledger, StoredAgent } from '../storage/storage.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'
import type { ConnectActions, ConnectOptions } from './connect-actions.ts'
import type { TransferDocument } from './transfer-document.ts'

/**
 * Every input is checked against its schema.
 * @throws DashboardError for problems the user can fix; it names the field
 */
export interface Dashboard {
  providerTypes(): ProviderType[]
  providers(): Promise<Provider[]>
  addProvider(input: ProviderInput): Promise<Provider>
  /** Adds a provider if it lists its models with this key and address; stores nothing otherwise. */
  addTestedProvider(input: ProviderInput): Promise<TestedProvider>
  /**
   * Changes a provider's address or options. Keys stay with the scheme, host and port they were entered for: at
   * another address the provider has no key until one is entered.
   */
  updateProvider(id: string, changes: ProviderChanges): Promise<Provider>
  /** Replaces the provider's key. */
  setProviderKey(id: string, apiKey: string): Promise<Provider>
  /** Adds a key to those that the provider's requests may use. */
  addProviderKey(id: string, key: AddedKey): Promise<Provider>
  /** @throws DashboardError in_use for the only key of a provider that needs one */
  removeProviderKey(id: string, name: string): Promise<Provider>
  /** Fetches the provider's list of models and stores it. */
  testProvider(id: string): Promise<ProviderTest>
  removeProvider(id: string): Promise<void>
  /** Searches this computer for model servers: one request to each of their usual ports. */
  findServers(): Promise<FoundServer[]>
  /**
   * Adds a server that a search found, with its models at no cost.
   * @param id  of the new provider; the type's name if absent
   * @throws DashboardError not_found when it no longer answers; conflict
   */
  addServer(baseUrl: string, id?: string): Promise<Provider>
  /** Vendors' keys in the environment that no provider uses yet. */
  foundKeys(): FoundKey[]
  /** Adds the provider of a found key if its test succeeds. @throws DashboardError not_found when the key is gone or used */
  addFoundKey(type: string): Promise<TestedProvider>
  models(): Promise<Model[]>
  /** The models of the user's providers, then those of vendors that the user has not added. */
  listedModels(): Promise<ListedModel[]>
  saveModel(input: ModelInput): Promise<Model>
  /** Prices that were corrected from a date on, by model and date. */
  datedPrices(): Promise<DatedPrice[]>
  /**
   * Corrects the price of a model from a moment on, for requests that begin after both. A price of the same moment is
   * replaced. Rows of the ledger keep the cost they have.
   * @throws DashboardError not_found
   */
  correctPrice(input: DatedPrice): Promise<Model>
  /** @throws DashboardError not_found */
  removeDatedPrice(input: DatedPriceName): Promise<void>
  routers(): Promise<Router[]>
  createRouter(input: RouterInput): Promise<Router>
  updateRouter(id: string, input: RouterInput): Promise<Router>
  removeRouter(id: string): Promise<void>
  /** Changes to its settings, the newest first. */
  routerChanges(id: string): Promise<RouterChange[]>
  apiKeys(): Promise<ApiKey[]>
  createApiKey(input: ApiKeyInput): Promise<CreatedApiKey>
  /** Effective on the very next request. */
  revokeApiKey(id: string): Promise<ApiKey>
  /** A new key with the old one's rights; the old one keeps working for the grace period. */
  rotateApiKey(id: string, graceMs: number): Promise<CreatedApiKey>
  /** Rates an answer. A rating replaces the earlier one of the same aspect. Resolves what its model's ratings say now. */
  giveFeedback(input: Feedback): Promise<Lesson>
  withdrawFeedback(input: FeedbackName): Promise<void>
  /** The ratings of these answers. */
  thumbs(requestIds: readonly string[]): Promise<Thumbs>
  /** Deletes all feedback on a model, for example because its provider changed it. */
  forgetFeedback(modelId: string): Promise<void>
  agents(): Promise<StoredAgent[]>
  /** Versions of an agent, oldest first, also of a removed one. */
  agentVersions(slug: string): Promise<AgentVersion[]>
  /**
   * Creates the agent that the text names, or its next version. The text of the current version changes
   * nothing.
   * @param edited  the only existing agent that the text may change; any when absent
   * @throws DashboardError invalid, with a line for each problem; conflict when it names another existing agent
   */
  applyAgent(source: string, edited?: string): Promise<StoredAgent>
  /** @throws DashboardError not_found; in_use while other agents call it */
  removeAgent(slug: string): Promise<void>
  settings(): Promise<Settings>
  setSetting(name: SettingName, value: unknown): Promise<Settings>
  /** Providers, models, routers, agents and settings, without any key. */
  exportConfiguration(): Promise<TransferDocument>
  /**
   * Computes what importing a file would change, without changing anything.
   * @param text  the file's content, which is not trusted
   * @param replaces  whether entries that are not in the file are removed
   */
  planImport(text: string, choice: { replaces: boolean }): Promise<ImportPlan>
  /** Model prices and facts. They are never refreshed automatically. */
  catalog: {
    state(): Promise<CatalogState>
    /**
     * Downloads the published catalog and compares it with the current one, without changing anything.
     * @throws DashboardError unreachable
     */
    check(): Promise<CatalogCheck>
    /**
     * Applies the changes that the last check found.
     * @throws DashboardError conflict when a later check found others
     */
    apply(token: string): Promise<CatalogState>
    /** Restores the included catalog. */
    reset(): Promise<CatalogState>
  }
  connect: ConnectActions
}

export interface ImportPlan {
  differences: readonly Difference[]
  /** Names of changed settings that let others reach the endpoint; a person confirms them by themselves. */
  accessSettings: readonly string[]
  /**
   * Makes all changes or none.
   * @throws StorageConflict when the configuration changed in the meantime
   */
  apply(): Promise<void>
}

export interface Difference {
  change: 'added' | 'changed' | 'removed'
  kind: 'provider' | 'model' | 'price' | 'router' | 'agent' | 'setting'
  id: string
  /** The changed fields; null on a side that does not exist. */
  fields: readonly { field: string; before: unknown; after: unknown }[]
}

/** A user's request that cannot be fulfilled; `message` says what to do. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  readonly code:
    | 'invalid'
    | 'conflict'
    | 'not_found'
    | 'in_use'
    | 'secrets_unavailable'
    | 'unreachable'
    | 'already_sent'
  /** The dotted path of the invalid field; null when the error concerns none. */
  readonly field: string | null

  constructor(code: DashboardError['code'], message: string, field: string | null = null) {
    super(message)
    this.code = code
    this.field = field
  }
}

/** `fetch` with the service's outbound settings: proxy, extra certificate authorities, address guard. */
export type CatalogFetch = (url: string, init: RequestInit) => Promise<Response>

export interface DashboardOptions {
  store: ConfigurationStore
  ledger: Pick<Ledger, 'get' | 'endsOfKey' | 'newestOfKeys'>
  feedback: FeedbackStore
  judgedPrompts: Pick<JudgedPromptStore, 'forgetModel'>
  configuration: LiveConfiguration
  secrets: SecretStore
  upstreams: Upstreams
  deployments: {
    /** A provider's models that are skipped after failures, and for how long. */
    pausedOf(providerId: string): { modelId: string; waitMs: number }[]
  }
  catalog: LiveCatalog
  /** Stores the downloaded catalogue; both functions also apply the change. */
  catalogStore: {
    save(downloaded: DownloadedCatalog): Promise<void>
    remove(): Promise<void>
  }
  /** Outbound connections of the service. */
  fetch: CatalogFetch
  now: () => number
  connect: ConnectOptions
  outbound: Pick<Outbound, 'connector' | 'use'>
  modelServers: Pick<ModelServers, 'seen' | 'modelsOf' | 'forget'>
  /** Addresses to search for model servers; their usual ports if undefined. */
  serverPlaces: readonly ServerPlace[] | undefined
}
