/**
 * The whole endpoint: certificates, servers, sockets and the application. A failed bind (the port is in use) is a
 * state, not an exception, so that the rest of the program continues.
 */
import { createServer as createHttpServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type Server as TlsServer,
  type TLSSocket,
} from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { CertificateEnds } from '../../shared/certificate-ends.ts'
import type { EndpointState } from '../../shared/app-state.ts'
import { stopping } from './active-requests.ts'
import { ConnectionLimit } from './connection-limit.ts'
import { createApp, type AppOptions } from './app.ts'
import { maxRequestsPerSocket } from './fast-lane/answer-writer.ts'
import { FastConnection, patienceMs } from './fast-lane/connection.ts'
import { listen, type Listener } from './listener.ts'
import { handshakeRefusal } from './refusal.ts'
import { openCertificates, type Certificates } from './tls.ts'

export interface EndpointOptions extends Omit<AppOptions, OwnOption> {
  dataDir: string
  /** Connections that may be open at once. */
  connectionLimit: number
  /** Host names in addition to localhost, 127.0.0.1 and [::1]. */
  extraHosts(): readonly string[]
  /** Whether ordinary requests use the fast lane; called for each new connection. */
  isFastLaneOn(): boolean
  /** Called with every new state, and after the certificates were renewed. */
  onState(state: EndpointState): void
}

/** The options of the application that the endpoint sets itself. */
type OwnOption = 'serverFactory' | 'hosts' | 'connections'

const renewalCheckMs = 3_600_000
/** Aborted requests have this long to send their error and be recorded. */
const lastWordsMs = 1_000
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

interface Servers {
  /** Turns decrypted TLS connections into fast-lane connections. */
  tls: TlsServer
  /** The Node HTTP server with Fastify, with or without TLS. */
  http: Server
  app: FastifyInstance
  /** The sockets below TLS, tracked from before the handshake. */
  sockets: ReadonlySet<Socket>
  /** The certificate for clients that send a server name; replaced on renewal. */
  named: { context: SecureContext }
}

interface EndpointParts {
  connections: ConnectionLimit
  servers: Servers
  certificates: Certificates
  hosts: { names: readonly string[] }
}

export class Endpoint {
  readonly #options: EndpointOptions
  readonly #servers: Servers
  readonly #renewal: NodeJS.Timeout
  #certificates: Certificates
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
    const { servers, certificates, hosts, connections } = parts
    this.#connections = connections
    this.#options = options
    this.#servers = servers
    this.#certificates = certificates
    this.#hosts = hosts
    this.#renewal = setInterval(() => {
      if (options.now() >= this.#certificates.renewAtMs) this.#renew()
    }, renewalCheckMs)
    this.#renewal.unref()
  }

  /** Creates the endpoint without listening yet. */
  static async create(options: EndpointOptions): Promise<Endpoint> {
    const certificates = await openOwnCertificates(options)
    const hosts = { names: allHosts(options) }
    const connections = new ConnectionLimit(options.connectionLimit)
    const served = { ...options, hosts: () => hosts.names, connections }
    const servers = await createServers(served, certificates)
    return new Endpoint(options, { servers, certificates, hosts, connections })
  }

  state(): EndpointState {
    return this.#state
  }

  /** When the current certificates end. */
  certificateEnds(): CertificateEnds {
    const { notAfterMs, caReplacedAtMs } = this.#certificates
    return { leafMs: notAfterMs, authorityMs: caReplacedAtMs }
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

  /** Waits up to `drainMs` for requests in progress, then aborts them. */
  async close(drainMs: number): Promise<void> {
    const { activeRequests } = this.#options
    const { http, app, sockets } = this.#servers
    clearInterval(this.#renewal)
    this.#isClosed = true
    await this.#binding
    await this.#renewing
    this.#unbind()
    await activeRequests.drain(drainMs)
    activeRequests.abortWhere(() => true, stopping())
    await activeRequests.drain(lastWordsMs)
    await app.close()
    for (const socket of sockets) socket.destroy()
    closeServer(http)
  }

  async #bind(port: number, httpPort: number | null): Promise<EndpointState> {
    const { tls, http } = this.#servers
    const { newRequestId, onRefusal, onBug: onError } = this.#options
    const connections = this.#connections
    const onPlainHttp = () => onRefusal({ kind: 'plain_http', client: null, detail: null })
    try {
      const tlsOnly = { newRequestId, onPlainHttp }
      const main = await listen(tls, { port, tlsOnly, connections, onError })
      this.#listeners.push(main)
      const plain =
        httpPort === null
          ? null
          : await listen(http, { port: httpPort, tlsOnly: null, connections, onError })
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
      return failedState(error, isMainBound ? (httpPort ?? port) : port)
    }
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
    this.#certificates = await openOwnCertificates(this.#options)
    const { cert, key, named } = this.#certificates
    this.#servers.tls.setSecureContext({ cert, key })
    this.#servers.named.context = createSecureContext(named)
    // The window says that a new authority must be trusted.
    this.#options.onState(this.#state)
  }
}

function openOwnCertificates({ dataDir, extraHosts, now }: EndpointOptions): Promise<Certificates> {
  return openCertificates({ dataDir, hosts: extraHosts(), now })
}

function allHosts({ extraHosts }: EndpointOptions): readonly string[] {
  return [...loopbackHosts, ...extraHosts()]
}

async function createServers(
  options: Omit<AppOptions, 'serverFactory'> &
    Pick<EndpointOptions, 'isFastLaneOn'> & { connections: ConnectionLimit },
  certificates: Certificates,
): Promise<Servers> {
  const { cert, key } = certificates
  const named = { context: createSecureContext(certificates.named) }
  const http = createHttpServer(limits)
  http.maxRequestsPerSocket = maxRequestsPerSocket
  const app = await createApp({
    ...options,
    serverFactory: (requestListener) =>
      http
        .on('request', requestListener)
        // An expectation other than 100-continue is ignored, as RFC 9110 (10.1.1) permits.
        .on('checkExpectation', requestListener),
  })
  // Our listener hands over the connections, so the server never listens itself. This event starts Node's timeouts
  // for headers and requests.
  http.emit('listening')
  const leave = (socket: TLSSocket) => void http.emit('connection', socket)
  const tls = createTlsServer({
    ...tlsLimits,
    cert,
    key,
    SNICallback: (_name, done) => done(null, named.context),
  })
  const sockets = new Set<Socket>()
  tls.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  tls.on('secureConnection', (socket) => {
    const { connections } = options
    if (connections.refuses(socket) || !options.isFastLaneOn()) return leave(socket)
    // The socket's events keep it alive.
    void new FastConnection(socket, {
      ...options,
      firstRequestMs: headMs,
      keepAliveMs: limits.keepAliveTimeout,
      leave,
    })
  })
  // A client whose handshake failed cannot receive an error.
  tls.on('tlsClientError', (error, socket) => {
    socket.destroy()
    const refusal = handshakeRefusal(error)
    if (refusal !== null) options.onRefusal(refusal)
  })
  return { tls, http, app, named, sockets }
}

const tlsLimits = {
  minVersion: 'TLSv1.2',
  ALPNProtocols: ['http/1.1'],
  handshakeTimeout: 10_000,
} as const

/** How long a request's head may take to arrive. */
const headMs = 10_000

/** Node's defaults keep slow senders connected for minutes. */
const limits = {
  connectionsCheckingInterval: 1_000,
  // The fast lane hands an unfinished head over after its own patience, and Node counts from then on.
  headersTimeout: headMs - patienceMs,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
  // admission.ts checks the host, and its errors have our form.
  requireHostHeader: false,
  noDelay: true,
}

function closeServer(server: Server): void {
  server.closeAllConnections()
  // Fails with "not running", which is expected; Node's timeouts still end.
  server.close(() => {})
}

async function failedState(error: unknown, port: number): Promise<EndpointState> {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') {
    const freePort = await findFreePort(port + 1)
    const message = `Another program uses port ${port}.`
    return { status: 'failed', problem: 'port_taken', message, freePort }
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
      const options = { port, tlsOnly: null, connections, onError: () => {} }
      const probe = await listen(createHttpServer(), options)
      probe.close()
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return null
    }
  }
  return null
}
