/** One request to an upstream and what comes of it, from being asked for until its answer's end. */
import { ProviderError } from '../provider.ts'
import type { ResponseEvents } from './response-reader.ts'

export interface UpstreamRequest {
  /** As in the first line: path and query. */
  path: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  /** Null where none is sent. */
  body: string | null
}

/** Told of the answer. After `onEnd`, `onError` or an abort nothing more is told. */
export interface ExchangeHandler extends ResponseEvents {
  onEnd(): void
  /** The system's error, undici's for a connection that could not be opened, SyntaxError for what is not HTTP. */
  onError(error: Error): void
}

/** What has it under way, and may be told to leave it. */
export interface Carrier {
  pause(): void
  resume(): void
  /** It was aborted. */
  drop(exchange: Exchange): void
}

export class Exchange {
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
  readonly handler: ExchangeHandler
  isOver = false
  #carrier: Carrier | null = null

  /** @throws ProviderError when the path or a header cannot be sent */
  constructor(request: UpstreamRequest, host: string, handler: ExchangeHandler) {
    const { body } = request
    const length = body === null ? 0 : Buffer.byteLength(body)
    this.text = headOf(request, host, length) + (body ?? '')
    this.encoding = length === (body ?? '').length ? 'latin1' : 'utf8'
    this.handler = handler
  }

  carriedBy(carrier: Carrier | null): void {
    this.#carrier = carrier
  }

  /** No more of the answer is read until `resume`, but for what was under way. */
  pause(): void {
    this.#carrier?.pause()
  }

  resume(): void {
    this.#carrier?.resume()
  }

  /** The upstream is left at once, wherever it is. */
  abort(): void {
    if (this.isOver) return
    this.isOver = true
    this.#carrier?.drop(this)
    this.#carrier = null
  }

  /** Tells the handler; nothing after an abort. */
  fail(error: Error): void {
    if (this.isOver) return
    this.isOver = true
    this.#carrier = null
    this.handler.onError(error)
  }
}

/** What would end a header, or is no byte. */
const unfitValue = /[^\t\x20-\x7e\x80-\xff]/
const unfitPath = /[^\x21-\x7e]/

/** In words for the user, whose key or option it is; without its text. */
function unfit(what: string): ProviderError {
  return new ProviderError('unavailable', `${what} holds characters that cannot be sent`)
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
