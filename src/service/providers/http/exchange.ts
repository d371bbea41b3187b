/** One request to an upstream and its answer, until the answer ends. */
import { ProviderError } from '../provider.ts'
import type { ResponseEvents } from './response-reader.ts'

export interface UpstreamRequest {
  /** Path and query, as in the request line. */
  path: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  /** Null sends no body. */
  body: string | null
  /** Called when the request is written to a connection. */
  onSent?: (() => void) | undefined
}

/** Receives the answer. Nothing is called after `onEnd`, `onError` or an abort. */
export interface ExchangeHandler extends ResponseEvents {
  onEnd(): void
  /** Called with the system's error, undici's for a failed connection, or SyntaxError for what is not HTTP. */
  onError(error: Error): void
}

/** Carries an exchange and can pause or drop it. */
export interface Carrier {
  pause(): void
  resume(): void
  /** Called when the exchange was aborted. */
  drop(exchange: Exchange): void
}

export class Exchange {
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
  readonly handler: ExchangeHandler
  readonly onSent: UpstreamRequest['onSent']
  isOver = false
  /** Whether it was moved to another connection before it was written. It is moved once at most. */
  hasMoved = false
  #carrier: Carrier | null = null

  /** @throws ProviderError when the path or a header cannot be sent */
  constructor(request: UpstreamRequest, host: string, handler: ExchangeHandler) {
    const { body } = request
    const length = body === null ? 0 : Buffer.byteLength(body)
    this.text = headOf(request, host, length) + (body ?? '')
    this.encoding = length === (body ?? '').length ? 'latin1' : 'utf8'
    this.handler = handler
    this.onSent = request.onSent
  }

  carriedBy(carrier: Carrier | null): void {
    this.#carrier = carrier
  }

  /** Stops reading the answer until `resume`; pieces already read still arrive. */
  pause(): void {
    this.#carrier?.pause()
  }

  resume(): void {
    this.#carrier?.resume()
  }

  /** Ends the request: a waiting one is never sent, a running one closes its connection. */
  abort(): void {
    if (this.isOver) return
    this.isOver = true
    this.#carrier?.drop(this)
    this.#carrier = null
  }

  /** Calls the handler's `onError`, but not after an abort. */
  fail(error: Error): void {
    if (this.isOver) return
    this.isOver = true
    this.#carrier = null
    this.handler.onError(error)
  }
}

/** Characters that would end a header, or are not a byte. */
const unfitValue = /[^\t\x20-\x7e\x80-\xff]/
const unfitPath = /[^\x21-\x7e]/

/** Error for the user, whose key or option cannot be sent; without the value. */
function unfit(what: string): ProviderError {
  return new ProviderError('unavailable', `${what} holds characters that cannot be sent`, {
    isLasting: true,
  })
}

function headOf({ path, method, headers, body }: UpstreamRequest, host: string, length: number) {
  if (unfitPath.test(path)) throw unfit('its address')
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (unfitValue.test(value)) throw unfit(`the header ${name}`)
    head += `${name}: ${value}\r\n`
  }
  return body === null ? `${head}\r\n` : `${head}content-length: ${length}\r\n\r\n`
}
