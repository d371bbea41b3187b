/**
 * The connections to one upstream: undici's pool, with a request that can be paused and aborted.
 *
 * No request is sent twice: when a kept connection closes after the request was written, the request fails,
 * because the upstream may have read it and may bill for it.
 */
import { Pool, type Dispatcher } from 'undici'
import type { Connector } from './outbound.ts'
import { ProviderError } from './provider.ts'

export interface UpstreamRequest {
  /** Path and query, as in the request line. */
  path: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  /** Null sends no body. */
  body: string | null
}

/** Header names are in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Receives an answer. Nothing is called after `onEnd`, `onError` or an abort. */
export interface AnswerHandler {
  onHead(status: number, headers: ResponseHeaders): void
  onData(piece: Buffer): void
  onEnd(): void
  /** The system's error, undici's, or the connector's. */
  onError(error: Error): void
}

export interface PoolOptions {
  /** With `http:` or `https:`. */
  origin: string
  connect: Connector
  /** Further requests wait for a free connection. */
  maxConnections: number
}

/** How long an unused connection is kept when the server sets no time; most servers keep it for a minute or more. */
const defaultKeepAliveMs = 30_000
/** The server starts counting earlier than the pool. */
const keepAliveMarginMs = 1_000

export class UpstreamPool {
  readonly #pool: Pool

  constructor({ origin, connect, maxConnections }: PoolOptions) {
    this.#pool = new Pool(origin, {
      connect,
      connections: maxConnections,
      keepAliveTimeout: defaultKeepAliveMs,
      keepAliveTimeoutThreshold: keepAliveMarginMs,
      // The attempt's own time limits apply (chat/attempts/attempt-timer.ts).
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** @throws ProviderError when the path or a header holds characters that cannot be sent */
  dispatch(request: UpstreamRequest, handler: AnswerHandler): Exchange {
    const { path, method, headers, body } = request
    refuseUnsendable(request)
    const exchange = new Exchange(handler)
    this.#pool.dispatch({ path, method, headers, body }, exchange)
    return exchange
  }

  /** Closes every connection and fails the requests on it. */
  destroy(): void {
    void this.#pool.destroy()
  }
}

/** One request and its answer, until the answer ends. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #handler: AnswerHandler
  #controller: Dispatcher.DispatchController | null = null
  #isOver = false

  constructor(handler: AnswerHandler) {
    this.#handler = handler
  }

  /** Stops reading the answer until `resume`; pieces already read still arrive. */
  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  /** Ends the request: a waiting one is never sent, a running one closes its connection. */
  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort(aborted())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(aborted())
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    const isInterim = status < 200
    if (!this.#isOver && !isInterim) this.#handler.onHead(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (!this.#isOver) this.#handler.onData(piece)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#handler.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#handler.onError(error)
  }
}

function aborted(): Error {
  return new Error('the request was aborted')
}

/** Characters that would end a header or do not fit into one byte. */
const unsendableValue = /[^\t\x20-\x7e\x80-\xff]/
const unsendablePath = /[^\x21-\x7e]/

/** undici also refuses them, but its message would not help a user who mistyped a key. */
function refuseUnsendable({ path, headers }: UpstreamRequest): void {
  if (unsendablePath.test(path)) throw unsendable('its address')
  for (const name in headers) {
    if (unsendableValue.test(headers[name] ?? '')) throw unsendable(`the header ${name}`)
  }
}

function unsendable(what: string): ProviderError {
  return new ProviderError('unavailable', `${what} holds characters that cannot be sent`)
}
