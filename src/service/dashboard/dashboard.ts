/** What a person manages: providers, models, routers, keys. The window and the command line use it. */
import type {
  ApiKey,
  ApiKeyInput,
  CreatedApiKey,
  Model,
  ModelInput,
  Provider,
  ProviderInput,
  ProviderTest,
  Router,
  RouterInput,
} from '../../shared/entities.ts'
import type { CatalogCheck, CatalogState } from '../../shared/catalog.ts'
import type { Feedback, FeedbackName, Thumbs } from '../../shared/feedback.ts'
import type { ProviderType } from '../../shared/provider-type.ts'
import type { SettingName, Settings } from '../../shared/settings.ts'
import type { DownloadedCatalog, LiveCatalog } from '../catalog/catalog.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type {
  AgentVersion,
  ConfigurationStore,
  FeedbackStore,
  Ledger,
  StoredAgent,
} from '../storage/storage.ts'
import type { Upstreams } from '../wiring/upstreams.ts'
import type { TransferDocument } from './transfer-document.ts'

/**
 * Every input is checked against its schema.
 * @throws DashboardError for what a person can put right; it names the field
 */
export interface Dashboard {
  providerTypes(): ProviderType[]
  providers(): Promise<Provider[]>
  addProvider(input: ProviderInput): Promise<Provider>
  /** Replaces the provider's key. */
  setProviderKey(id: string, apiKey: string): Promise<Provider>
  /** Asks the provider for its models, and remembers them. */
  testProvider(id: string): Promise<ProviderTest>
  removeProvider(id: string): Promise<void>
  models(): Promise<Model[]>
  saveModel(input: ModelInput): Promise<Model>
  routers(): Promise<Router[]>
  createRouter(input: RouterInput): Promise<Router>
  updateRouter(id: string, input: RouterInput): Promise<Router>
  removeRouter(id: string): Promise<void>
  apiKeys(): Promise<ApiKey[]>
  createApiKey(input: ApiKeyInput): Promise<CreatedApiKey>
  /** Effective on the very next request. */
  revokeApiKey(id: string): Promise<ApiKey>
  /** A new key with the old one's rights; the old one lives on for the grace period. */
  rotateApiKey(id: string, graceMs: number): Promise<CreatedApiKey>
  /** Says how good an answer was; what was said of it before in the same respect is taken back. */
  giveFeedback(input: Feedback): Promise<void>
  withdrawFeedback(input: FeedbackName): Promise<void>
  /** The thumbs that these answers were given. */
  thumbs(requestIds: readonly string[]): Promise<Thumbs>
  /** All that was said of a model, because its provider changed it. */
  forgetFeedback(modelId: string): Promise<void>
  agents(): Promise<StoredAgent[]>
  /** Oldest first; also of an agent that was removed. */
  agentVersions(slug: string): Promise<AgentVersion[]>
  /**
   * Makes the agent its text names, or that agent's next version; a text that is the current one's
   * changes nothing.
   * @throws DashboardError invalid, with a line for each fault
   */
  applyAgent(source: string): Promise<StoredAgent>
  /** @throws DashboardError not_found; in_use while other agents call it */
  removeAgent(slug: string): Promise<void>
  settings(): Promise<Settings>
  setSetting(name: SettingName, value: unknown): Promise<Settings>
  /** Providers, models, routers, agents and settings, without any key. */
  exportConfiguration(): Promise<TransferDocument>
  /**
   * What reading an exported file would change; nothing is changed yet.
   * @param text  the file, as it came: not trusted in anything
   * @param replaces  whether what the file does not have is removed, or kept
   */
  planImport(text: string, choice: { replaces: boolean }): Promise<ImportPlan>
  /** Prices and facts of models; nothing refreshes them unasked. */
  catalog: {
    state(): Promise<CatalogState>
    /**
     * Downloads what is published now and compares it with what is in force; nothing is changed yet.
     * @throws DashboardError unreachable
     */
    check(): Promise<CatalogCheck>
    /**
     * Puts in force what the last check showed.
     * @throws DashboardError conflict when that was something else
     */
    apply(token: string): Promise<CatalogState>
    /** Back to what came with the program. */
    reset(): Promise<CatalogState>
  }
}

export interface ImportPlan {
  differences: readonly Difference[]
  /**
   * Makes all of them or none.
   * @throws StorageConflict when the configuration was changed meanwhile
   */
  apply(): Promise<void>
}

export interface Difference {
  change: 'added' | 'changed' | 'removed'
  kind: 'provider' | 'model' | 'router' | 'agent' | 'setting'
  id: string
  /** What differs; null where there was or will be nothing. */
  fields: readonly { field: string; before: unknown; after: unknown }[]
}

/** Something a person entered or asked for that cannot be; `message` says what to do. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  readonly code:
    | 'invalid'
    | 'conflict'
    | 'not_found'
    | 'in_use'
    | 'secrets_unavailable'
    | 'unreachable'
  /** The field that is wrong, dotted; null where it is not about one. */
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
  ledger: Pick<Ledger, 'get'>
  feedback: FeedbackStore
  configuration: LiveConfiguration
  secrets: SecretStore
  upstreams: Upstreams
  deployments: {
    /** Models of a provider that are passed over for their failures, and for how long yet. */
    pausedOf(providerId: string): { modelId: string; waitMs: number }[]
  }
  catalog: LiveCatalog
  catalogFile: {
    save(downloaded: DownloadedCatalog): Promise<void>
    remove(): Promise<void>
  }
  /** The service's way out. */
  fetch: CatalogFetch
  now: () => number
}
