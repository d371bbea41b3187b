/**
 * The whole endpoint: certificates, servers, sockets and the application. A failed bind (the port is in use) is a
 * state, not an exception, so that the rest of the program continues.
 */
import { createServer as createHttpServer, type Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { CertificateEnds } from '../../../shared/app/certificate-ends.ts'
import type { EndpointState } from '../../../shared/app/app-state.ts'
import { stopping } from '../answers/active-requests.ts'
import { ConnectionLimit } from './connection-limit.ts'
import type { AppOptions } from '../app.ts'
import {
  readCertificateFiles,
  watchCertificateFiles,
  type CertificateFiles,
  type OwnCertificate,
} from './certificate-files.ts'
import { listen, type Listener } from './listener.ts'
import { noteUnread } from '../refusals/refusal.ts'
import { createServers, type Servers } from './servers.ts'
import { openCertificates, type Certificates } from './tls.ts'

export interface EndpointOptions extends Omit<AppOptions, OwnOption> {
  dataDir: string
  /** Connections that may be open at once. */
  connectionLimit: number
  /** Host names in addition to localhost, 127.0.0.1 and [::1]. */
  extraHosts(): readonly string[]
  /** An address of the network for HTTPS, besides the loopback interface; null for none. */
  bind: string | null
  /** The same for plain HTTP, which only trusted proxies may use. */
  httpBind: string | null
  /** The operator's certificate for all names except `localhost`; null for none. */
  certificateFiles: CertificateFiles | null
  /** How often the certificate's files are read again. */
  certificateCheckMs: number
  /** Whether ordinary requests use the fast lane; called for each new connection. */
  isFastLaneOn(): boolean
  /** Called with every new state, and after the certificates were renewed. */
  onState(state: EndpointState): void
  /** Called with a new certificate's problem, while the endpoint continues with the one before. */
  onCertificateProblem(message: string): void
}

/** How the endpoint stops. */
export interface StopTimes {
  /** Delays the stop. Until it resolves, new requests are still answered, while `/readyz` sends load balancers away. */
  delay(): Promise<void>
  /** How long requests in progress may take from then on. */
  limitMs: number
}

/** The options of the application that the endpoint sets itself. */
type OwnOption = 'serverFactory' | 'hosts' | 'connections'

const renewalCheckMs = 3_600_000
/** Aborted requests have this long to send their error and be recorded. */
const lastWordsMs = 1_000
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

interface EndpointParts {
  connections: ConnectionLimit
  servers: Servers
  certificates: Certificates
  own: OwnCertificate | null
  hosts: { names: readonly string[] }
}

export class Endpoint {
  readonly #options: EndpointOptions
  readonly #servers: Servers
  readonly #renewal: NodeJS.Timeout
  #certificates: Certificates
  #own: OwnCertificate | null
  readonly #stopWatching: () => void
  #listeners: Listener[] = []
  #state: EndpointState = { status: 'starting' }
  /** The last requested bind; binds run one after another. */
  #binding: Promise<EndpointState> = Promise.resolve(this.#state)
  /** The last requested renewal; renewals run one after another. */
  #renewing: Promise<void> = Promise.resolve()
  /** The current host names; every request is checked against them. */
  readonly #hosts: { names: readonly string[] }
  readonly #connections: ConnectionLimit
  #isClosed = false

  private constructor(options: EndpointOptions, parts: EndpointParts) {
    const { servers, certificates, own, hosts, connections } = parts
    this.#connections = connections
    this.#options = options
    this.#servers = servers
    this.#certificates = certificates
    this.#own = own
    this.#hosts = hosts
    this.#stopWatching = own === null ? () => undefined : this.#watchCertificate(own)
    this.#renewal = setInterval(() => {
      if (options.now() >= this.#certificates.renewAtMs) this.#renew()
    }, renewalCheckMs)
    this.#renewal.unref()
  }

  /** Creates the endpoint without listening yet. */
  static async create(options: EndpointOptions): Promise<Endpoint> {
    const certificates = await openLocalCertificates(options)
    const { certificateFiles } = options
    const own = certificateFiles === null ? null : await readCertificateFiles(certificateFiles)
    const hosts = { names: allHosts(options) }
    const connections = new ConnectionLimit(options.connectionLimit)
    const served = { ...options, hosts: () => hosts.names, connections }
    const servers = await createServers(served, certificates, own)
    return new Endpoint(options, { servers, certificates, own, hosts, connections })
  }

  state(): EndpointState {
    return this.#state
  }

  /** Ends of the current certificates. The operator's certificate counts, because nothing else renews it. */
  certificateEnds(): CertificateEnds {
    const { notAfterMs, caReplacedAtMs } = this.#certificates
    return { leafMs: this.#own?.notAfterMs ?? notAfterMs, authorityMs: caReplacedAtMs }
  }

  /** Binds, or binds again, and resolves to the new state. @param httpPort  null for no plain HTTP */
  listen(port: number, httpPort: number | null): Promise<EndpointState> {
    this.#binding = this.#binding.then(async () => {
      if (this.#isClosed) return this.#state
      this.#unbind()
      this.#state = await this.#bind(port, httpPort)
      this.#options.onState(this.#state)
      return this.#state
    })
    return this.#binding
  }

  /**
   * Applies the current host names and their certificates from the next request on. A name that the authority does
   * not permit requires a new authority, which clients must trust again.
   */
  hostsChanged(): void {
    this.#hosts.names = allHosts(this.#options)
    this.#renew()
  }

  /** Announces the stop, then refuses new connections, waits for requests in progress and aborts those that are left. */
  async close({ delay, limitMs }: StopTimes): Promise<void> {
    const { activeRequests } = this.#options
    const { http, app, sockets } = this.#servers
    activeRequests.announceStop()
    await delay()
    clearInterval(this.#renewal)
    this.#stopWatching()
    this.#isClosed = true
    await this.#binding
    await this.#renewing
    this.#unbind()
    await activeRequests.drain(limitMs)
    activeRequests.abortWhere(() => true, stopping())
    await activeRequests.drain(lastWordsMs)
    await app.close()
    for (const socket of sockets) socket.destroy()
    closeServer(http)
  }

  async #bind(port: number, httpPort: number | null): Promise<EndpointState> {
    const { tls, plain: plainServer } = this.#servers
    const { newRequestId, onRefusal, onBug: onError, bind, httpBind } = this.#options
    const connections = this.#connections
    const onPlainHttp = (id: string) => {
      onRefusal({ kind: 'plain_http', client: null, detail: null })
      noteUnread('https_required', id, this.#options)
    }
    try {
      const tlsOnly = { newRequestId, onPlainHttp }
      const main = await listen(tls, { port, bind, tlsOnly, connections, onError })
      this.#listeners.push(main)
      const plain =
        httpPort === null
          ? null
          : await listen(plainServer, {
              port: httpPort,
              bind: httpBind,
              tlsOnly: null,
              connections,
              onError,
            })
      if (plain) this.#listeners.push(plain)
      return {
        status: 'listening',
        url: `https://localhost:${main.port}`,
        httpUrl: plain ? `http://localhost:${plain.port}` : null,
        caFile: this.#certificates.caFile,
        caBundleFile: this.#certificates.caBundleFile,
      }
    } catch (error) {
      const isMainBound = this.#listeners.length > 0
      this.#unbind()
      return isMainBound && httpPort !== null
        ? failedState(error, { port: httpPort, taken: 'http_port_taken' })
        : failedState(error, { port, taken: 'port_taken' })
    }
  }

  /** Replaces the certificate on changes. Open connections continue with the one they have. */
  #watchCertificate(own: OwnCertificate): () => void {
    const { certificateFiles, certificateCheckMs: checkMs, onCertificateProblem } = this.#options
    if (certificateFiles === null) return () => undefined
    return watchCertificateFiles(own, {
      ...certificateFiles,
      checkMs,
      onProblem: onCertificateProblem,
      onChange: (next) => {
        this.#own = next
        this.#servers.tls.setSecureContext({ cert: next.cert, key: next.key })
        this.#servers.named.own = createSecureContext({ cert: next.cert, key: next.key })
      },
    })
  }

  #unbind(): void {
    for (const listener of this.#listeners) listener.close()
    this.#listeners = []
  }

  #renew(): void {
    this.#renewing = this.#renewing
      .then(() => this.#serveNewCertificates())
      .catch(this.#options.onBug)
  }

  async #serveNewCertificates(): Promise<void> {
    if (this.#isClosed) return
    this.#certificates = await openLocalCertificates(this.#options)
    const { cert, key, named } = this.#certificates
    if (this.#own === null) this.#servers.tls.setSecureContext({ cert, key })
    this.#servers.named.local = createSecureContext(named)
    // The window says that a new authority must be trusted.
    this.#options.onState(this.#state)
  }
}

function openLocalCertificates({
  dataDir,
  extraHosts,
  now,
}: EndpointOptions): Promise<Certificates> {
  return openCertificates({ dataDir, hosts: extraHosts(), now })
}

function allHosts({ extraHosts }: EndpointOptions): readonly string[] {
  return [...loopbackHosts, ...extraHosts().map((name) => (isIPv6(name) ? `[${name}]` : name))]
}

function closeServer(server: Server): void {
  server.closeAllConnections()
  // Fails with "not running", which is expected; Node's timeouts still end.
  server.close(() => {})
}

interface FailedPort {
  port: number
  taken: 'port_taken' | 'http_port_taken'
}

async function failedState(error: unknown, { port, taken }: FailedPort): Promise<EndpointState> {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') {
    const freePort = await findFreePort(port + 1)
    const message = `Another program uses port ${port}.`
    return { status: 'failed', problem: taken, message, freePort }
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL') {
    const message = 'This computer does not have the address of --bind or --http-bind.'
    return { status: 'failed', problem: 'error', message, freePort: null }
  }
  const message =
    code === 'EACCES'
      ? `This user may not use port ${port}. Choose one above 1023.`
      : `The endpoint could not be opened on port ${port}.`
  return { status: 'failed', problem: 'error', message, freePort: null }
}

/** The next free port, offered as a one-click fix. */
async function findFreePort(from: number): Promise<number | null> {
  for (let port = from; port < Math.min(from + 20, 65_536); port += 1) {
    try {
      const connections = new ConnectionLimit(0)
      const options = { port, bind: null, tlsOnly: null, connections, onError: () => {} }
      const probe = await listen(createHttpServer(), options)
      probe.close()
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return null
    }
  }
  return null
}
