/**
 * The one place where the parts are made and joined. The desktop app and the command line both hold
 * a `Service`; nothing else starts anything.
 */
import type {
  Conversation,
  ConversationMessage,
  RequestRecord,
  UsageBucket,
  UsageQuery,
} from '../shared/entities.ts'
import type { ChatSent, EndpointState, IpcEvents, SecretsState } from '../shared/ipc.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import type { LocalModel, ModelProcess } from './local/local-model.ts'

export interface ServiceOptions {
  /** Everything the service keeps is in this folder. */
  dataDir: string
  /** Downloads that can be made again, such as the local model's weights. */
  cacheDir: string
  /** Overrides the setting; 0 takes any free port. */
  port?: number | undefined
  /** Plain HTTP on the loopback interface; null is off. */
  httpPort?: number | null | undefined
  hosts?: readonly string[] | undefined
  /** Where a durable store is missing, keys may live in this session's memory (desktop only). */
  allowSessionSecrets: boolean
  /** The SQLite binding for a runtime the prebuilt one does not fit. */
  sqliteBinding?: string | undefined
  /** How the local model's process is made; the default is `child_process.fork`. */
  forkModelProcess?: ((entry: string) => ModelProcess) | undefined
  fetch?: typeof fetch
  now?: () => number
}

export interface ServiceEvents {
  changed: IpcEvents['changed']
  'request:finished': RequestRecord
  alarm: IpcEvents['alarm']
  endpoint: EndpointState
}

export interface Service {
  dashboard: Dashboard
  localModel: LocalModel
  endpoint(): EndpointState
  /** Binds the endpoint (again), resolves once it listens or failed. */
  listen(port?: number): Promise<EndpointState>
  secrets: { state(): SecretsState; retry(): Promise<SecretsState> }
  conversations: Omit<Conversations, 'close'>
  usage: {
    buckets(query: UsageQuery): Promise<UsageBucket[]>
    requests(query: { routerId?: string | undefined; limit: number }): Promise<RequestRecord[]>
  }
  on<Name extends keyof ServiceEvents>(
    name: Name,
    listener: (payload: ServiceEvents[Name]) => void,
  ): () => void
  /** Lets running streams end for up to 10 s, then closes everything; nothing written is lost. */
  close(): Promise<void>
}
