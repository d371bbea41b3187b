/** The state of the app as a whole: the endpoint, the key store and the local model. */
import type { CertificateEnds } from './certificate-ends.ts'
import type { StorageState } from './storage-state.ts'

/** The state of the HTTPS endpoint and its address; the window works without it. */
export type EndpointState =
  | { status: 'starting' }
  | {
      status: 'listening'
      /** `https://localhost:6778` */
      url: string
      httpUrl: string | null
      /** Modelport's certificate authority alone: `NODE_EXTRA_CA_CERTS`, `curl --cacert`. */
      caFile: string
      /** The system's roots and Modelport's: `SSL_CERT_FILE`, `REQUESTS_CA_BUNDLE`. */
      caBundleFile: string
    }
  | {
      status: 'failed'
      problem: 'port_taken' | 'http_port_taken' | 'error'
      message: string
      freePort: number | null
    }

/** A free port for HTTPS, if its own is in use. A free port for plain HTTP would not help there. */
export function freeMainPort(endpoint: EndpointState & { status: 'failed' }): number | null {
  return endpoint.problem === 'http_port_taken' ? null : endpoint.freePort
}

/** The place of provider keys, and whether it works; `message` is for people. */
export interface SecretsState {
  backend: 'keychain' | 'vault' | 'session'
  state: 'ready' | 'locked' | 'missing' | 'hung'
  message: string
}

/** The built-in local model. */
export type LocalModelState =
  | { status: 'missing'; downloadBytes: number }
  | { status: 'downloading'; receivedBytes: number; totalBytes: number }
  | { status: 'stopped'; file: string }
  | { status: 'loading'; file: string }
  | {
      status: 'ready'
      file: string
      threads: number
      /** The graphics processor that it uses; null on the processor. */
      gpu: string | null
    }
  | { status: 'failed'; file: string | null; message: string }

export interface AppState {
  version: string
  dataDir: string
  homeDir: string
  /** The locale of the system's region, such as `de-DE`; the language of its texts may be another. */
  systemLocale: string
  endpoint: EndpointState
  /** Whether the endpoint refuses new requests, because the user paused it. */
  isPaused: boolean
  secrets: SecretsState
  certificate: CertificateEnds
  storage: StorageState
  localModel: LocalModelState
  /** True if another certificate authority was trusted before, which the current one replaced. */
  mustTrustAgain: boolean
  /** Web origins that were refused since the start, newest first. */
  refusedOrigins: readonly string[]
}
