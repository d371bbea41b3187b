/** What a workspace consists of besides its storage: keys, providers, the local model, the catalogue and the dashboard. */
import { randomInt } from 'node:crypto'
import { builtInProvider } from '../../shared/models/provider-type.ts'
import { loadCatalog, type LiveCatalog } from '../catalog/catalog.ts'
import { Deployments } from '../chat/attempts/deployments.ts'
import { createDashboard } from '../dashboard/create-dashboard.ts'
import { openReconcile } from './open-reconcile.ts'
import { openCatalogStore } from './shared-catalog.ts'
import { showLocalModels } from './chosen-model.ts'
import { ConnectionProblems } from '../connect/connection-problems.ts'
import { EndpointAddress } from '../data-folder/endpoint-address.ts'
import { createEventHub, type EventHub } from './events.ts'
import { localModelName, type LocalModel, type LocalModelSettings } from '../local/local-model.ts'
import { openLocalModel } from '../local/open-local-model.ts'
import type { ConnectionLog } from '../data-folder/connection-log.ts'
import type { Log } from '../data-folder/log.ts'
import { liveCandidates } from '../upstreams/live-candidates.ts'
import { createLocalModels } from './local-models.ts'
import { createOutboundFetch } from '../local/outbound-fetch.ts'
import { keepsLoadedMs } from '../provider-types/provider-types.ts'
import { ModelServers } from '../providers/model-servers.ts'
import { Outbound } from '../providers/outbound.ts'
import { openSecrets } from '../secrets/index.ts'
import type { SealedKeys } from '../secrets/sealed-keys.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import {
  openLiveConfiguration,
  type ConfigurationIndex,
  type LiveConfiguration,
} from '../storage/live-configuration.ts'
import { initialConfigurationVersion, StorageConflict, type Storage } from '../storage/storage.ts'
import { readExtraRoots } from './trusted-roots.ts'
import { openQuotaMarks } from './quota.ts'
import { Upstreams, type UpstreamsOptions } from '../upstreams/upstreams.ts'
import type { Closer, Data, Workspace, WorkspaceOptions } from './workspace.ts'

interface Opening {
  data: Data
  log: Log
  connectionLog: ConnectionLog
  closers: Closer[]
}

/** @param closers  receives the closer of each part as soon as it is open */
export async function openParts(
  options: WorkspaceOptions,
  { data, log, connectionLog, closers }: Opening,
): Promise<Omit<Workspace, 'close'>> {
  const now = options.now ?? Date.now
  const onFailed = (what: string) => (error: unknown) => log.failed(what, error)
  const events = createEventHub(onFailed('events'))
  const { dataDir } = options
  const { storage, sealedKeys, downloadedCatalog } = data
  const store = storage.configuration
  const configuration = await openLiveConfiguration(storage, onFailed('configuration'))
  closers.push(() => configuration.close())
  const secrets = await openKeys(options, sealedKeys)
  closers.push(() => secrets.close())
  const outbound = createOutbound(configuration, options, { log, connectionLog })
  const catalog = loadCatalog()
  const chosen = await openChosenModel(configuration, options, { outbound, catalog, log })
  const { localModel } = chosen
  closers.push(() => localModel.close())
  const sources = { configuration, secrets, localModel, outbound, now }
  const upstreams = new Upstreams({ ...sources, ...upstreamNews(events) })
  closers.push(() => upstreams.close())
  const modelServers = createModelServers(configuration, now)
  const clock = options.clock ?? (() => performance.now())
  const deployments = new Deployments(clock, options.random ?? drawChance)
  const catalogStore = await openCatalogStore(
    { dataDir, table: downloadedCatalog },
    { configuration, catalog, onError: onFailed('catalog') },
  )
  closers.push(() => catalogStore.close())
  const parts = { configuration, secrets, upstreams, modelServers, deployments, now }
  const fetch = createOutboundFetch(outbound, 'catalog')
  const { ledger, feedback, judgedPrompts } = storage
  const kept = { store, ledger, feedback, judgedPrompts }
  const search = { outbound, serverPlaces: options.serverPlaces }
  const { problems, endpoint } = openConnecting(dataDir, { configuration, events, log, now })
  closers.push(async () => void (await Promise.all([problems.close(), endpoint.close()])))
  const connect = { dataDir, home: options.home, endpoint, problems }
  const services = { ...search, catalog, catalogStore, fetch, connect }
  const dashboard = createDashboard({ ...parts, ...kept, ...services })
  const local = { localModel, localModels: createLocalModels({ ...chosen, dashboard }) }
  emitChanges(configuration, events)
  emitModelChanges({ catalog, localModel, events })
  const isShared = options.database !== undefined
  await createFirstRouter(configuration, { store, dashboard, now, isShared })

  const candidates = liveCandidates(catalog, configuration, now)
  const quotaMarks = openQuotaMarks(options, storage)
  const news = { events, problems, log, connectionLog }
  const shared = { storage, dashboard, endpoint, outbound, clock, catalog, quotaMarks, ...news }
  const reconcile = openReconcile({ ledger, configuration, catalog, now })
  return { ...parts, ...local, ...shared, ...candidates, reconcile }
}

function openKeys(
  { dataDir, allowSessionSecrets: allowSession, env, serverSecrets: server }: WorkspaceOptions,
  sealedKeys?: SealedKeys,
): Promise<SecretStore> {
  return openSecrets({ dataDir, allowSession, env, server, sealedKeys })
}

function openConnecting(
  dataDir: string,
  { configuration, events, log, now }: Pick<Workspace, 'configuration' | 'events' | 'log' | 'now'>,
): Pick<Workspace, 'problems' | 'endpoint'> {
  const problems = new ConnectionProblems({
    dataDir,
    now,
    onNews: (news) => events.emit('connection-problems', news),
    onError: (error) => log.failed('connection problems', error),
  })
  const endpoint = new EndpointAddress({
    dataDir,
    settings: () => configuration.current().settings,
    onError: (error) => log.failed('endpoint address', error),
  })
  return { problems, endpoint }
}

function createModelServers(configuration: LiveConfiguration, now: () => number): ModelServers {
  const typeOf = (id: string) => configuration.current().providers.get(id)?.type
  return new ModelServers({ keepsLoadedMs: (id) => keepsLoadedMs(typeOf(id)), now })
}

/** Outbound connections with the current setting and environment. */
function createOutbound(
  configuration: LiveConfiguration,
  { env, extraCa = [] }: WorkspaceOptions,
  { log, connectionLog: use }: Pick<Workspace, 'log' | 'connectionLog'>,
): Outbound {
  use.follow(() => configuration.current().settings.connectionsOff)
  return new Outbound({
    use,
    proxyChoice: () => ({ setting: configuration.current().settings.outboundProxy, env }),
    extraRoots: async () => [
      ...(await readExtraRoots(env, (error) => log.failed('trusted roots', error))),
      ...extraCa,
    ],
  })
}

/** The local model with the user's file; a newly chosen file is used at once. */
async function openChosenModel(
  configuration: LiveConfiguration,
  { cacheDir, env, forkModelProcess }: WorkspaceOptions,
  { outbound, catalog, log }: { outbound: Outbound; catalog: LiveCatalog; log: Log },
): Promise<{ localModel: LocalModel; whenListed(): Promise<void> }> {
  const fetch = createOutboundFetch(outbound, 'modelDownloads')
  const file = chosenModelFile(configuration.current(), env)
  const localModel = await openLocalModel({
    cacheDir,
    file,
    settings: localSettings(configuration.current()),
    fork: forkModelProcess,
    fetch,
    env,
  })
  configuration.onChange((before, current) => {
    const settings = localSettings(current)
    if (JSON.stringify(localSettings(before)) !== JSON.stringify(settings)) {
      localModel.configure(settings)
    }
    if (before.settings.localModelFile !== current.settings.localModelFile) {
      void localModel.useFile(chosenModelFile(current, env))
    }
    // Another process may have downloaded or deleted a model.
    show()
  })
  let shown = showLocalModels(catalog, localModel)
  const show = () => {
    shown = shown.then(() => showLocalModels(catalog, localModel))
  }
  localModel.onModels(show)
  await shown
  logFailures(localModel, log)
  return { localModel, whenListed: () => shown }
}

function upstreamNews(events: EventHub): Pick<UpstreamsOptions, 'onAlarm' | 'onHealthChange'> {
  return {
    onAlarm: (alarm) => events.emit('alarm', alarm),
    onHealthChange: () => events.emit('provider-health', null),
  }
}

function logFailures(localModel: LocalModel, log: Log): void {
  localModel.onState((state) => {
    if (state.status === 'failed') log.noted('the local model failed', { message: state.message })
  })
}

function localSettings({ settings }: ConfigurationIndex): LocalModelSettings {
  const { localModelFiles, localContextTokens, localModelGpu } = settings
  return {
    ownModels: localModelFiles,
    contextTokens: localContextTokens,
    usesGpu: localModelGpu === 'auto',
  }
}

/** The setting first, then the environment's file; null is the built-in model. */
function chosenModelFile(
  { settings }: ConfigurationIndex,
  env: WorkspaceOptions['env'],
): string | null {
  return settings.localModelFile ?? env['MODELPORT_LOCAL_MODEL_FILE'] ?? null
}

interface FirstRouterParts extends Pick<Workspace, 'dashboard' | 'now'> {
  store: Storage['configuration']
  /** Several nodes use the database. */
  isShared: boolean
}

/**
 * Creates a router with the local model, so that a new installation answers without any key. Nodes get only the
 * provider: each of them would need the model's file.
 */
async function createFirstRouter(
  configuration: LiveConfiguration,
  { store, dashboard, now, isShared }: FirstRouterParts,
): Promise<void> {
  if (configuration.current().version > initialConfigurationVersion) return
  try {
    await store.insertProvider({
      ...builtInProvider,
      baseUrl: null,
      privateNetwork: false,
      options: {},
      createdAtMs: now(),
      keyRevision: 0,
    })
  } catch (error) {
    // Another process opened the same new folder first and creates the router.
    if (error instanceof StorageConflict) return await configuration.refresh()
    throw error
  }
  await configuration.refresh()
  if (isShared) return
  await dashboard.createRouter({
    name: 'Local',
    strategy: 'priority',
    models: [`${builtInProvider.id}:${localModelName}`],
  })
}

function drawChance(): number {
  return randomInt(2 ** 32) / 2 ** 32
}

function emitModelChanges({
  catalog,
  localModel,
  events,
}: {
  catalog: LiveCatalog
  localModel: LocalModel
  events: EventHub
}): void {
  catalog.onChange(() => events.emit('changed', { what: 'models' }))
  localModel.onState((state) => events.emit('local-model', state))
  localModel.onModels(() => events.emit('local-models', null))
}

/** Emits which lists changed, whichever process changed them. */
function emitChanges(configuration: LiveConfiguration, events: EventHub): void {
  configuration.onChange((before, now) => {
    for (const [what, listOf] of Object.entries(watchedLists)) {
      if (JSON.stringify(listOf(before)) !== JSON.stringify(listOf(now))) {
        // `Object.entries` loses the type: these are the keys of `watchedLists`.
        events.emit('changed', { what: what as keyof typeof watchedLists })
      }
    }
  })
}

const watchedLists = {
  providers: ({ providers }: ConfigurationIndex) => [...providers],
  models: ({ models, listedModels }: ConfigurationIndex) => [[...models], listedModels],
  routers: ({ routers }: ConfigurationIndex) => [...routers],
  agents: ({ agents }: ConfigurationIndex) => [...agents],
  keys: ({ apiKeys }: ConfigurationIndex) => [...apiKeys],
  settings: ({ settings }: ConfigurationIndex) => settings,
}
