/**
 * The endpoint as a whole: certificates, the HTTPS server and its sockets, the application behind it.
 * Binding can fail (a port is taken) without the rest of the program: it is a state, not an exception.
 */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import type { EndpointState } from '../../shared/ipc.ts'
import { ServiceError } from '../errors.ts'
import { createApp, type AppOptions } from './app.ts'
import { listen, type Listener } from './listener.ts'
import { openCertificates, type Certificates } from './tls.ts'

export interface EndpointOptions extends Omit<AppOptions, 'serverFactory' | 'hosts'> {
  dataDir: string
  /** Names besides localhost, 127.0.0.1 and [::1]. */
  extraHosts(): readonly string[]
}

export interface Endpoint {
  state(): EndpointState
  /** Binds (again); resolves to the new state. @param httpPort  null: no plain HTTP */
  listen(port: number, httpPort: number | null): Promise<EndpointState>
  /** Lets running requests end for up to `drainMs`, then cuts them. */
  close(drainMs: number): Promise<void>
}

const renewalCheckMs = 3_600_000
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** @param onState  told of every change of state */
export async function createEndpoint(
  options: EndpointOptions,
  onState: (state: EndpointState) => void,
): Promise<Endpoint> {
  const openOwnCertificates = () =>
    openCertificates({ dataDir: options.dataDir, hosts: options.extraHosts(), now: options.now })
  let certificates = await openOwnCertificates()
  const { https, http, app } = await createServers(options, certificates)
  let listeners: Listener[] = []
  let state: EndpointState = { status: 'starting' }

  const renewal = setInterval(() => {
    renew().catch(options.onBug)
  }, renewalCheckMs)
  renewal.unref()

  async function renew(): Promise<void> {
    if (options.now() < certificates.renewAtMs) return
    certificates = await openOwnCertificates()
    https.setSecureContext({ cert: certificates.cert, key: certificates.key })
  }

  async function unbind(): Promise<void> {
    await Promise.all(listeners.map((listener) => listener.close()))
    listeners = []
  }

  async function bind(port: number, httpPort: number | null): Promise<EndpointState> {
    await unbind()
    try {
      listeners.push(await listen(https, port, true))
      if (httpPort !== null) listeners.push(await listen(http, httpPort, false))
    } catch (error) {
      await unbind()
      return failedState(error, port)
    }
    const [main, plain] = listeners
    return {
      status: 'listening',
      url: `https://localhost:${main?.port}`,
      httpUrl: plain ? `http://localhost:${plain.port}` : null,
      caFile: certificates.caFile,
      caBundleFile: certificates.caBundleFile,
    }
  }

  return {
    state: () => state,
    async listen(port, httpPort) {
      state = await bind(port, httpPort)
      onState(state)
      return state
    },
    async close(drainMs) {
      clearInterval(renewal)
      await unbind()
      await options.activeRequests.drain(drainMs)
      const stopping = new ServiceError('overloaded', 'Modelport is stopping. Try again shortly.')
      options.activeRequests.abortWhere(() => true, stopping)
      await app.close()
      for (const server of [https, http]) closeServer(server)
    },
  }
}

async function createServers(options: EndpointOptions, { cert, key }: Certificates) {
  let handler: RequestListener | null = null
  const https = createHttpsServer({ ...limits, cert, key, minVersion: 'TLSv1.2', ALPNProtocols })
  const app = await createApp({
    ...options,
    hosts: () => [...loopbackHosts, ...options.extraHosts()],
    serverFactory: (requestListener) => {
      handler = requestListener
      return https.on('request', requestListener)
    },
  })
  if (!handler) throw new Error('the application took no server')
  const http = createHttpServer(limits, handler)
  for (const server of [https, http]) {
    // Connections are handed over by our own listener, so the server never listens itself; this
    // event is what makes Node watch over headers and requests that do not arrive.
    server.emit('listening')
  }
  return { https, http, app }
}

const ALPNProtocols = ['http/1.1']

/** Node's defaults leave slow senders open for minutes. */
const limits = {
  connectionsCheckingInterval: 1_000,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
  // Checked by the guard, which answers in our form.
  requireHostHeader: false,
  noDelay: true,
}

function closeServer(server: Server | HttpsServer): void {
  server.closeAllConnections()
  // It says that it never listened, which is so; its watch over connections ends all the same.
  server.close(() => {})
}

async function failedState(error: unknown, port: number): Promise<EndpointState> {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') {
    const freePort = await findFreePort(port + 1)
    const message = `Port ${port} is used by another program.`
    return { status: 'failed', problem: 'port_taken', message, freePort }
  }
  const message =
    code === 'EACCES'
      ? `This user may not use port ${port}. Choose one above 1023.`
      : `The endpoint could not be opened on port ${port}.`
  return { status: 'failed', problem: 'error', message, freePort: null }
}

/** The next port nobody uses, for a one-click way out. */
async function findFreePort(from: number): Promise<number | null> {
  for (let port = from; port < Math.min(from + 20, 65_536); port += 1) {
    try {
      const probe = await listen(createHttpServer(), port, false)
      await probe.close()
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return null
    }
  }
  return null
}
