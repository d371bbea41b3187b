/**
 * The connections to one upstream, kept while they are of use. Ours because every request of the service
 * goes through it: with the writes of a turn together it takes 9 of 57 µs less of the main thread than undici,
 * which is right for everything else (docs/benchmarks.md).
 */
import type { Connector } from '../outbound.ts'
import { Connection } from './connection.ts'
import { Exchange, type ExchangeHandler, type UpstreamRequest } from './exchange.ts'

/** How long an unused one is kept where the server does not say; most keep it for a minute or more. */
const defaultKeepAliveMs = 30_000
const longestKeepAliveMs = 600_000
/** The server's time begins before ours. */
const keepAliveMarginMs = 1_000
const sweepMs = 1_000

export interface PoolOptions {
  /** Of `http:` or `https:`. */
  origin: string
  connect: Connector
  /** At once; further requests wait for one of them. */
  maxConnections: number
}

export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #url: URL
  /** The one used last comes last, and is used next: the others may come of age. */
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
    // Told later, as every other end of it.
    if (this.#isDestroyed) setImmediate(() => exchange.fail(destroyed()))
    else this.#carry(exchange, this.#takeIdle())
    return exchange
  }

  /** Ends every connection, with what is under way on it. */
  destroy(): void {
    this.#isDestroyed = true
    if (this.#sweeping !== null) clearInterval(this.#sweeping)
    for (const exchange of this.#waiting.splice(0)) exchange.fail(destroyed())
    for (const connection of this.#open) connection.close()
  }

  /** One that is not closed and not too old, though no one may have come by to see it. */
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

  #carry(exchange: Exchange, connection: Connection | undefined): void {
    if (connection !== undefined) {
      connection.carry(exchange, this.#idle.length === this.#open.size - 1)
    } else if (this.#open.size + this.#connecting < this.#options.maxConnections) {
      this.#connect(exchange)
    } else {
      this.#waiting.push(exchange)
      exchange.carriedBy(this.#queue)
    }
  }

  #connect(exchange: Exchange): void {
    const { protocol, host, port } = this.#url
    // A URL writes an IPv6 address in brackets; whoever opens a connection does not know them.
    const hostname = this.#url.hostname.replace(/^\[|\]$/g, '')
    this.#connecting += 1
    exchange.carriedBy(null)
    this.#options.connect({ protocol, hostname, host, port }, (error, socket) => {
      this.#connecting -= 1
      if (error !== null) {
        exchange.fail(error)
        this.#next()
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
        this.#carry(exchange, connection)
      }
    })
  }

  /** Those that wait for a connection have nothing to be paused. */
  readonly #queue = {
    pause: () => {},
    resume: () => {},
    drop: (exchange: Exchange) => void this.#waiting.splice(this.#waiting.indexOf(exchange), 1),
  }

  /** Whoever waits is next, where there is room. */
  #next(connection?: Connection): void {
    const exchange = this.#waiting.shift()
    if (exchange) this.#carry(exchange, connection)
    else if (connection !== undefined) this.#keep(connection)
  }

  #keep(connection: Connection): void {
    const said = connection.keepAliveMs
    const keptMs = said === null ? defaultKeepAliveMs : said - keepAliveMarginMs
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
    if (this.#isDestroyed) exchange.fail(destroyed())
    else this.#connect(exchange)
  }
}

function destroyed(): Error {
  return Object.assign(new Error('the provider was closed'), { code: 'ECONNRESET' })
}
