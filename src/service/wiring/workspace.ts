/**
 * An open data folder: storage, keys, providers and the dashboard. The command line needs no more; a service is a
 * workspace that also answers requests.
 */
import type { LiveCatalog } from '../catalog/catalog.ts'
import type { Deployments } from '../chat/attempts/deployments.ts'
import type { Home } from '../connect/tool.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import { ConnectionLog } from '../data-folder/connection-log.ts'
import { openLog, type Log } from '../data-folder/log.ts'
import type { LocalModel, ModelProcess } from '../local/local-model.ts'
import type { ServerPlace } from '../providers/local-servers.ts'
import type { ModelServers } from '../providers/model-servers.ts'
import type { Outbound } from '../providers/outbound.ts'
import type { ServerSecrets } from '../secrets/index.ts'
import type { SealedKeys } from '../secrets/sealed-keys.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { DownloadedCatalogTable } from '../storage/postgres/downloaded-catalog.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { DatabaseFromOlderVersion, type Storage } from '../storage/storage.ts'
import type { OwnedMarks } from '../chat/admission/quota.ts'
import type { ConnectionProblems } from '../connect/connection-problems.ts'
import type { EndpointAddress } from '../data-folder/endpoint-address.ts'
import type { EventHub } from './events.ts'
import type { Reconcile } from '../reconcile/reconcile.ts'
import type { LiveCandidates } from '../upstreams/live-candidates.ts'
import type { LocalModels } from './local-models.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'

export interface WorkspaceOptions {
  /** The folder of all stored data; with `database`, of what belongs to this computer. */
  dataDir: string
  /** The URL of a PostgreSQL database that several nodes share; without it, the data is in a file of the folder. */
  database?: string | undefined
  /** This process is a node and has locked the folder. */
  isNode?: boolean | undefined
  /** Downloads that can be repeated, such as the local model's weights. */
  cacheDir: string
  /** Whether keys may stay in this session's memory when there is no durable store (desktop only). */
  allowSessionSecrets: boolean
  /** The environment, for example with `MODELPORT_KEY_<ID>`. */
  env: Readonly<Record<string, string | undefined>>
  /** Sources of a server's provider keys besides the environment. */
  serverSecrets?: ServerSecrets | undefined
  /** The SQLite binding for a runtime that cannot load the prebuilt one. */
  sqliteBinding?: string | undefined
  /** Refuses a database file of an older version in place of upgrading it. */
  keepsSchema?: boolean | undefined
  /** Starts the local model's process; the default is `child_process.fork`. */
  forkModelProcess?: ((entry: string) => ModelProcess) | undefined
  /** Location of the connected tools' files; the user's home folder by default. */
  home?: Home | undefined
  /** Additional certificate authorities trusted for upstreams, PEM. */
  extraCa?: readonly string[] | undefined
  /** Addresses to search for model servers; their usual ones by default. */
  serverPlaces?: readonly ServerPlace[] | undefined
  now?: (() => number) | undefined
  /** Monotonic milliseconds; the default is `performance.now`. */
  clock?: (() => number) | undefined
  /** Random number from 0 to below 1; the system's randomness by default. */
  random?: (() => number) | undefined
}

export interface Workspace extends LiveCandidates {
  storage: Storage
  configuration: LiveConfiguration
  secrets: SecretStore
  catalog: LiveCatalog
  quotaMarks: OwnedMarks | null
  localModel: LocalModel
  localModels: LocalModels
  upstreams: Upstreams
  modelServers: ModelServers
  deployments: Deployments
  dashboard: Dashboard
  events: EventHub
  /** Refused connections and requests. */
  problems: ConnectionProblems
  /** Address of the endpoint, which other processes read. */
  endpoint: EndpointAddress
  outbound: Outbound
  connectionLog: ConnectionLog
  /** Compares files of a bill with the ledger. */
  reconcile: Reconcile
  log: Log
  now: () => number
  clock: () => number
  close(): Promise<void>
}

/** @throws DatabaseFromNewerVersion, DatabaseFromOlderVersion, StorageUnavailable; nothing stays open in this case */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closePart of closers.splice(0).toReversed()) await closePart()
  }
  const log = openLog(options.dataDir)
  closers.push(() => log.close())
  const connectionLog = new ConnectionLog({
    dataDir: options.dataDir,
    now: options.now ?? Date.now,
    onError: (error) => log.failed('connections', error),
  })
  closers.push(() => connectionLog.close())
  try {
    // The storage's thread starts while this one loads the rest.
    const [data, { openParts }] = await Promise.all([
      openData(options, { log, connectionLog }),
      import('./workspace-parts.ts'),
    ])
    closers.push(() => data.storage.close())
    return { ...(await openParts(options, { data, log, connectionLog, closers })), close }
  } catch (error) {
    if (!(error instanceof DatabaseFromOlderVersion)) log.failed('start', error)
    await close()
    throw error
  }
}

export type Closer = () => void | Promise<void>

export interface Data {
  storage: Storage
  /** Undefined where the records of keys are in the folder. */
  sealedKeys?: SealedKeys
  /** Undefined where the downloaded catalog is in the folder. */
  downloadedCatalog?: DownloadedCatalogTable
}

async function openData(
  options: WorkspaceOptions,
  { log, connectionLog }: { log: Log; connectionLog: ConnectionLog },
): Promise<Data> {
  const { database, dataDir, sqliteBinding, keepsSchema, clock, isNode } = options
  if (database === undefined)
    return { storage: await openStorage({ dataDir, sqliteBinding, keepsSchema, clock }) }
  // Loaded here, because only servers need them.
  const [{ openPostgresStorage }, { openNodeProcesses }, { WaitingRows }] = await Promise.all([
    import('../storage/postgres/open-postgres-storage.ts'),
    import('../data-folder/node-processes.ts'),
    import('../data-folder/waiting-rows.ts'),
  ])
  const processes = isNode ? await openNodeProcesses(dataDir) : undefined
  const journal = isNode
    ? new WaitingRows(dataDir, (error) => log.failed('waiting rows', error))
    : undefined
  const storage = await openPostgresStorage({
    url: database,
    use: connectionLog,
    processes,
    journal,
  })
  return {
    storage,
    sealedKeys: storage.sealedKeys,
    downloadedCatalog: storage.downloadedCatalog,
  }
}
