/**
 * The connections to one upstream. Ours instead of undici's, because every chat request passes through it and ours
 * carries more requests a second (docs/decisions/2026-11-22-upstream-client.md).
 */
import type { Connector } from '../outbound.ts'
import { Connection, connectionClosed } from './connection.ts'
import { Exchange, type ExchangeHandler, type UpstreamRequest } from './exchange.ts'

/** How long an unused connection is kept when the server does not say; most servers keep it a minute or more. */
const defaultKeepAliveMs = 30_000
const longestKeepAliveMs = 600_000
/** The server starts counting before we do. */
const keepAliveMarginMs = 1_000
const sweepMs = 1_000

export interface PoolOptions {
  /** Origin with `http:` or `https:`. */
  origin: string
  connect: Connector
  /** Further requests wait for a free connection. */
  maxConnections: number
}

export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #url: URL
  /** The connection used last comes last and is used next, so that the others can expire. */
  readonly #idle: Connection[] = []
  readonly #idleUntil = new Map<Connection, number>()
  readonly #open = new Set<Connection>()
  readonly #waiting: Exchange[] = []
  #connecting = 0
  #sweeping: NodeJS.Timeout | null = null
  #isDestroyed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#url = new URL(options.origin)
  }

  /** @throws ProviderError when the path or a header cannot be sent */
  dispatch(request: UpstreamRequest, handler: ExchangeHandler): Exchange {
    const exchange = new Exchange(request, this.#url.host, handler)
    // Later, as with every other failure.
    if (this.#isDestroyed) setImmediate(() => exchange.fail(destroyed()))
    else {
      const idle = this.#takeIdle()
      if (idle === undefined) this.#connectOrWait(exchange)
      else idle.carry(exchange, this.#isOnlyOne)
    }
    return exchange
  }

  /** Closes every connection and fails the requests on it. */
  destroy(): void {
    this.#isDestroyed = true
    if (this.#sweeping !== null) clearInterval(this.#sweeping)
    for (const exchange of this.#waiting.splice(0)) exchange.fail(destroyed())
    for (const connection of this.#open) connection.close()
  }

  /** An idle connection that is open and has not expired. */
  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return undefined
      const untilMs = this.#idleUntil.get(connection) ?? 0
      this.#idleUntil.delete(connection)
      if (!connection.isClosed && performance.now() < untilMs) return connection
      connection.close()
    }
  }

  /** Whether all connections but one are unused. */
  get #isOnlyOne(): boolean {
    return this.#idle.length === this.#open.size - 1
  }

  #connectOrWait(exchange: Exchange): void {
    if (this.#mayConnect) {
      this.#connect(exchange)
    } else {
      this.#waiting.push(exchange)
      exchange.carriedBy(this.#queue)
    }
  }

  get #mayConnect(): boolean {
    return this.#open.size + this.#connecting < this.#options.maxConnections
  }

  #connect(exchange: Exchange): void {
    const { protocol, host, port } = this.#url
    // A URL writes an IPv6 address in brackets; connectors take it without them.
    const hostname = this.#url.hostname.replace(/^\[|\]$/g, '')
    this.#connecting += 1
    exchange.carriedBy(null)
    this.#options.connect({ protocol, hostname, host, port }, (error, socket) => {
      this.#connecting -= 1
      // A socket that closed before it came here emits no event that would remove it.
      if (error !== null || socket.closed) {
        // First: the failed request may dispatch another one at once.
        this.#next()
        exchange.fail(error ?? connectionClosed())
        return
      }
      const connection = new Connection(socket, this)
      this.#open.add(connection)
      if (this.#isDestroyed) {
        connection.close()
        exchange.fail(destroyed())
      } else if (exchange.isOver) {
        this.onIdle(connection)
      } else {
        connection.carry(exchange, this.#isOnlyOne)
      }
    })
  }

  /** A request that waits for a connection has nothing to pause. */
  readonly #queue = {
    pause: () => {},
    resume: () => {},
    drop: (exchange: Exchange) => void this.#waiting.splice(this.#waiting.indexOf(exchange), 1),
  }

  /** Carries the oldest waiting request, on a new connection if none is given; else keeps the connection. */
  #next(connection?: Connection): void {
    // A request that moved to another connection may have taken the place of the one that closed.
    if (connection === undefined && !this.#mayConnect) return
    const exchange = this.#waiting.shift()
    if (exchange === undefined) {
      if (connection !== undefined) this.#keep(connection)
    } else if (connection === undefined) this.#connectOrWait(exchange)
    else connection.carry(exchange, this.#isOnlyOne)
  }

  #keep(connection: Connection): void {
    const { keepAliveMs } = connection
    const keptMs = keepAliveMs === null ? defaultKeepAliveMs : keepAliveMs - keepAliveMarginMs
    if (keptMs <= 0) return connection.close()
    const untilMs = performance.now() + Math.min(keptMs, longestKeepAliveMs)
    this.#idle.push(connection)
    this.#idleUntil.set(connection, untilMs)
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepMs).unref()
  }

  #sweep(): void {
    const nowMs = performance.now()
    for (const [connection, untilMs] of this.#idleUntil) if (untilMs <= nowMs) connection.close()
    if (this.#idleUntil.size > 0 || this.#sweeping === null) return
    clearInterval(this.#sweeping)
    this.#sweeping = null
  }

  onIdle(connection: Connection): void {
    this.#next(connection)
  }

  onClosed(connection: Connection): void {
    this.#open.delete(connection)
    if (this.#idleUntil.delete(connection)) this.#idle.splice(this.#idle.indexOf(connection), 1)
    this.#next()
  }

  onUnsent(exchange: Exchange): void {
    exchange.hasMoved = true
    if (this.#isDestroyed) exchange.fail(destroyed())
    else this.#connect(exchange)
  }
}

function destroyed(): Error {
  return Object.assign(new Error('the provider was closed'), { code: 'ECONNRESET' })
}
