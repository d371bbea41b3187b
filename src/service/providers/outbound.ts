/**
 * Opens connections to other computers: directly, after a check of the address, or through a proxy's
 * tunnel (CONNECT), in which TLS ends at the upstream as it does without a proxy.
 *
 * A proxy resolves the name itself, so the address cannot be pinned. Still refused are a forbidden address
 * in the URL and a name that this computer resolves to one. A server in the user's own network is always
 * reached directly.
 *
 * undici's ProxyAgent does not fit: it reports the proxy's status only inside a sentence, has no hook for
 * checking the target first, and needs an agent although a pool for one origin is enough.
 */
import { isIP, type Socket } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { buildConnector, Dispatcher } from 'undici'
import type { ConnectionId } from '../../shared/app/connections.ts'
import { openConnection, type ConnectionUse } from '../../shared/app/open-connection.ts'
import { defaultTimeLimits } from '../../shared/routers/time-limits.ts'
import {
  guardedLookup,
  isAllowedAddress,
  isLoopbackHost,
  isOurOwn,
  notAllowed,
} from './address-guard.ts'
import {
  ProxyFailed,
  proxyFor,
  type Proxy,
  type ProxyChoice,
  type Target,
} from './outbound-proxy.ts'

export interface OutboundOptions {
  /** Called for each connection, so that a changed setting applies to the next one. */
  proxyChoice: () => ProxyChoice
  /** Certificate authorities trusted besides the runtime's, as PEM; called once. */
  extraRoots: () => Promise<readonly string[]>
  use: ConnectionUse | null
}

/** How undici's pools and agents open connections. */
export type Connector = buildConnector.connector

export class Outbound {
  readonly #options: OutboundOptions
  #trust: Promise<TrustOptions> | null = null
  #ownPorts: () => readonly number[] = () => []

  constructor(options: OutboundOptions) {
    this.#options = options
  }

  get use(): ConnectionUse | null {
    return this.#options.use
  }

  /** Refuses connections to these ports of this computer, where the service itself listens. */
  refuseOwnPorts(ports: () => readonly number[]): void {
    this.#ownPorts = ports
  }

  connector(server: ServerOptions): Connector {
    let opener: Promise<Opener> | null = null
    const connect = async (target: buildConnector.Options, callback: buildConnector.Callback) => {
      opener ??= this.#createOpener(server)
      callback(...(await openBy(opener, target)))
    }
    return (target, callback) => void connect(target, callback)
  }

  async #createOpener(server: ServerOptions): Promise<Opener> {
    const { privateNetwork, connectMs = defaultTimeLimits.connectMs } = server
    const { use } = this.#options
    const lookup = guardedLookup(privateNetwork, use)
    // Loaded with the first connection: most commands open none.
    const { buildConnector } = await import('undici')
    const plain = buildConnector({ timeout: connectMs, lookup })
    let secure: Promise<SecureConnectors> | null = null
    const connectSecure = async (): Promise<SecureConnectors> => {
      const trust = await (this.#trust ??= this.#readTrust())
      const direct = buildConnector({ timeout: connectMs, lookup, ...trust })
      return { trust, direct, inTunnel: buildConnector({ timeout: connectMs, ...trust }) }
    }
    return async (given) => {
      const target = targetOf(given)
      const isHere = server.id === 'providers' && isLoopbackHost(target.hostname)
      const id = isHere ? 'localProviders' : server.id
      refuseForbidden(target, privateNetwork)
      const proxy = privateNetwork ? null : proxyFor(target, this.#options.proxyChoice())
      if (proxy === null) {
        if (this.#isOwn(target.hostname, target.port)) throw isOurOwn()
        const isSecure = target.protocol === 'https:'
        const connect = isSecure ? (await (secure ??= connectSecure())).direct : plain
        return this.#unlessOwn(await openConnection(id, use, () => open(connect, given, connectMs)))
      }
      await openConnection(id, use, () => refusePrivateName(target, use))
      const { trust, inTunnel } = await (secure ??= connectSecure())
      const httpSocket = await openTunnel(target, proxy, { trust, connectMs, use })
      if (target.protocol !== 'https:') return httpSocket
      return await open(inTunnel, { ...given, httpSocket }, connectMs)
    }
  }

  /** Refuses a connection to this service: a name can lead to this computer, too. Nothing has been sent yet. */
  #unlessOwn(socket: Socket): Socket {
    if (!this.#isOwn(socket.remoteAddress ?? '', socket.remotePort ?? 0)) return socket
    socket.destroy()
    throw isOurOwn()
  }

  #isOwn(host: string, port: number): boolean {
    return isLoopbackHost(host) && this.#ownPorts().includes(port)
  }

  async #readTrust(): Promise<TrustOptions> {
    const extra = await this.#options.extraRoots()
    if (extra.length === 0) return {}
    return { secureContext: createSecureContext({ ca: [...rootCertificates, ...extra] }) }
  }
}

/** Connectors that need the authorities, which are read once: more than a hundred take longer than a handshake. */
interface SecureConnectors {
  trust: TrustOptions
  direct: Connector
  inTunnel: Connector
}

type Opener = (target: buildConnector.Options) => Promise<Socket>

interface ServerOptions {
  /** What the connections are for. */
  id: ConnectionId
  /** Whether the servers are in the user's own network. */
  privateNetwork: boolean
  /** Time limit from connecting to the end of the handshake. */
  connectMs?: number | undefined
}

interface TunnelOptions {
  trust: TrustOptions
  connectMs: number
  use: ConnectionUse | null
}

interface TrustOptions {
  secureContext?: SecureContext
}

async function openBy(
  opener: Promise<Opener>,
  target: buildConnector.Options,
): Promise<Parameters<buildConnector.Callback>> {
  try {
    const openOne = await opener
    return [null, await openOne(target)]
  } catch (error) {
    return [error instanceof Error ? error : new Error('the connection broke'), null]
  }
}

function targetOf({ protocol, hostname, port }: buildConnector.Options): Target {
  const host = hostname.replace(/^\[|\]$/g, '')
  return { protocol, hostname: host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** undici's own time limit is half a second late; it closes a socket that is still opening then. */
function open(
  connect: Connector,
  target: buildConnector.Options,
  connectMs: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(connectTimeout())
    }, connectMs)
    connect(target, (...[error, socket]) => {
      clearTimeout(timer)
      if (error) reject(error)
      else if (isLate) socket.destroy()
      else resolve(socket)
    })
  })
}

function connectTimeout(): Error {
  const words = 'the connection did not open in time'
  return Object.assign(new Error(words), { code: 'CONNECT_TIMEOUT' })
}

/** Refuses a forbidden address in the URL, which is never looked up. */
function refuseForbidden({ hostname }: Target, privateNetwork: boolean): void {
  if (isIP(hostname) !== 0 && !isAllowedAddress(hostname, privateNetwork)) throw notAllowed()
}

/** The limit for a local lookup: some resolvers are slow when only the proxy knows the internet's names. */
const localLookupMs = 1_000

/** @throws when this computer resolves the name to a forbidden address */
function refusePrivateName({ hostname }: Target, use: ConnectionUse | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, localLookupMs)
    guardedLookup(false, use)(hostname, { all: true }, (error) => {
      clearTimeout(timer)
      if (error?.code === 'ADDRESS_NOT_ALLOWED') reject(error)
      else resolve()
    })
  })
}

async function openTunnel(target: Target, proxy: Proxy, options: TunnelOptions): Promise<Socket> {
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname
  const authority = `${host}:${target.port}`
  const { buildConnector, Client } = await import('undici')
  const connect = toProxy(buildConnector({ timeout: options.connectMs, ...options.trust }))
  // The client opens only this tunnel; the caller then owns the socket.
  const client = new Client(proxy.url.origin, { connect })
  try {
    const { statusCode, socket } = await openConnection('proxy', options.use, () =>
      client.connect({
        path: authority,
        headers: { host: authority, ...proxyAuthorization(proxy) },
        signal: AbortSignal.timeout(options.connectMs),
      }),
    )
    if (statusCode === 200) return asSocket(socket)
    socket.on('error', () => {}).destroy()
    throw new ProxyFailed(refusalWords(statusCode, target, proxy))
  } catch (error) {
    if (error instanceof ProxyFailed) throw error
    throw new ProxyFailed(brokenWords(error, proxy), { cause: error })
  } finally {
    void client.close()
  }
}

/** undici would use the name in the `host` header, the upstream's, as the TLS name of the proxy. */
function toProxy(connect: Connector): Connector {
  return ({ servername: _ofTarget, ...target }, callback) => connect(target, callback)
}

/** undici's type is Duplex, but the socket of a CONNECT is the connection itself. */
function asSocket(socket: Dispatcher.ConnectData['socket']): Socket {
  return socket as Socket
}

function proxyAuthorization({ url: { username, password } }: Proxy): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

function refusalWords(status: number, { hostname }: Target, { name, source, url }: Proxy): string {
  if (status === 407) {
    return url.username === ''
      ? `the proxy ${name} requires a user and a password: set them in the variable HTTPS_PROXY (http://user:password@${name})`
      : `the proxy ${name} did not accept the user and the password of ${source}`
  }
  if (status >= 500) return `the proxy ${name} could not reach ${hostname} (status ${status})`
  return `the proxy ${name} refuses to connect to ${hostname} (status ${status}): have it allowed there, or exempt it with NO_PROXY`
}

function brokenWords(error: unknown, { name, source }: Proxy): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/CERT|^ERR_TLS|^UNABLE_TO_VERIFY/.test(code)) {
    return `the certificate of the proxy ${name} is not trusted: name its authority in NODE_EXTRA_CA_CERTS`
  }
  return `the proxy ${name} of ${source} cannot be reached`
}
