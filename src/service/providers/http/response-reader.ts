/**
 * Reads one HTTP/1.1 answer from bytes as they arrive (RFC 9112). It accepts only what the standard allows: an
 * ambiguous answer is refused, and its connection is not used again.
 */

export interface ResponseEvents {
  onHead(status: number, headers: ResponseHeaders): void
  onData(piece: Buffer): void
}

/** Names are in lower case; the values of a repeated header are joined with commas. */
export type ResponseHeaders = Readonly<Record<string, string>>

const maxHeadBytes = 65_536
const maxTrailerBytes = 16_384
const maxSizeLineBytes = 1_024

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
/** A value starts and ends with a character other than a space, so that every line is matched in linear time. */
const headerLine =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(?:([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)[ \t]*)?$/
const chunkSize = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/
/** Matches chunked encoding. Some servers repeat the header of a server behind them; the body is still chunked once. */
const chunkedOnly = /^chunked(?:[ \t]*,[ \t]*chunked)*$/i
const closes = /(?:^|[ \t,])close(?:$|[ \t,])/i
const keepsAlive = /(?:^|[ \t,])keep-alive(?:$|[ \t,])/i

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunkEnd' | 'trailers' | 'untilClose' | 'done'

/** An answer that is not HTTP, or is malformed. */
class InvalidResponse extends SyntaxError {
  override readonly name = 'InvalidResponse'
}

export class ResponseReader {
  readonly #events: ResponseEvents
  #state: State = 'head'
  /** Bytes that cannot be read until more arrive. */
  #held: Buffer | null = null
  /** Remaining bytes of the body or of the chunk. */
  #leftBytes = 0
  #trailerBytes = 0
  /** Bytes of the informational answers so far. */
  #hintBytes = 0
  #isPersistent = false
  #keepAliveMs: number | null = null

  constructor(events: ResponseEvents) {
    this.#events = events
  }

  /** Whether the whole answer was read. */
  get isDone(): boolean {
    return this.#state === 'done'
  }

  /** Whether another request can be sent on the connection, which requires that the whole answer was read. */
  get isReusable(): boolean {
    return this.isDone && this.#isPersistent && this.#held === null
  }

  /** The server's keep-alive time for an unused connection; null when it does not send one. */
  get keepAliveMs(): number | null {
    return this.#keepAliveMs
  }

  /** @throws SyntaxError when the answer is malformed; the reader must not be used after that */
  push(piece: Buffer): void {
    const bytes = this.#held === null ? piece : Buffer.concat([this.#held, piece])
    this.#held = null
    for (let at = 0; at < bytes.length;) at = this.#read(bytes, at)
  }

  /** The connection ended, which can be the end of the answer. */
  end(): void {
    if (this.#state === 'untilClose') this.#state = 'done'
    this.#isPersistent = false
  }

  /** @returns the position after the bytes that were read or held back */
  #read(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'size':
        return this.#readSize(bytes, at)
      case 'length':
      case 'chunk':
        return this.#readBody(bytes, at)
      case 'chunkEnd':
        return this.#readChunkEnd(bytes, at)
      case 'trailers':
        return this.#readTrailer(bytes, at)
      case 'untilClose':
        this.#events.onData(at === 0 ? bytes : bytes.subarray(at))
        return bytes.length
      case 'done':
        // Unsolicited bytes must not become the beginning of the next answer.
        return this.#hold(bytes, at)
    }
  }

  #hold(bytes: Buffer, at: number): number {
    this.#held = bytes.subarray(at)
    return bytes.length
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\r\n\r\n', at)
    if ((end === -1 ? bytes.length : end) - at > maxHeadBytes) {
      throw new InvalidResponse('the headers are too long')
    }
    if (end === -1) {
      // A server of another protocol may greet and then wait, so the end of its headers would never come.
      if (!maybeHttp(bytes, at)) throw new InvalidResponse('the answer does not begin with HTTP/1')
      return this.#hold(bytes, at)
    }
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const [, minor, code] = statusLine.exec(first) ?? []
    if (code === undefined) throw new InvalidResponse('the status line is invalid')
    const status = Number(code)
    const headers = readHeaders(lines)
    if (status === 101) throw new InvalidResponse('the answer switches the protocol')
    // Informational answers precede the final one.
    if (status >= 200) this.#begin(status, headers, minor === '1')
    else this.#skipHints(end + 4 - at)
    return end + 4
  }

  /** Limits informational answers: an endless number of them would keep this process busy. */
  #skipHints(bytes: number): void {
    this.#hintBytes += bytes
    if (this.#hintBytes > maxHeadBytes) throw new InvalidResponse('the answer never begins')
  }

  #begin(status: number, headers: ResponseHeaders, isNew: boolean): void {
    const { connection = '', 'keep-alive': keepAlive = '' } = headers
    this.#isPersistent = !closes.test(connection) && (isNew || keepsAlive.test(connection))
    const seconds = /(?:^|[ ,;])timeout="?(\d{1,6})/i.exec(keepAlive)?.[1]
    if (seconds !== undefined) this.#keepAliveMs = Number(seconds) * 1_000
    this.#state = this.#framingOf(status, headers)
    this.#events.onHead(status, headers)
    if (this.#state === 'length' && this.#leftBytes === 0) this.#state = 'done'
  }

  #framingOf(status: number, headers: ResponseHeaders): State {
    const { 'transfer-encoding': encoding, 'content-length': length } = headers
    this.#leftBytes = 0
    if (status === 204 || status === 304) return 'length'
    if (encoding !== undefined) {
      if (!chunkedOnly.test(encoding) || length !== undefined) {
        throw new InvalidResponse('the end of the answer is ambiguous')
      }
      return 'size'
    }
    if (length === undefined) return 'untilClose'
    if (!/^\d{1,15}$/.test(length)) throw new InvalidResponse('the content length is not a number')
    this.#leftBytes = Number(length)
    return 'length'
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#leftBytes)
    this.#leftBytes -= end - at
    this.#events.onData(bytes.subarray(at, end))
    if (this.#leftBytes > 0) return end
    this.#state = this.#state === 'chunk' ? 'chunkEnd' : 'done'
    return end
  }

  #readSize(bytes: Buffer, at: number): number {
    const end = this.#endOfLine(bytes, at, maxSizeLineBytes)
    if (end === -1) return this.#hold(bytes, at)
    const size = chunkSize.exec(bytes.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new InvalidResponse('a chunk has no size')
    this.#leftBytes = Number.parseInt(size, 16)
    this.#state = this.#leftBytes === 0 ? 'trailers' : 'chunk'
    return end + 2
  }

  #readChunkEnd(bytes: Buffer, at: number): number {
    if (bytes.length - at < 2) return this.#hold(bytes, at)
    if (bytes[at] !== 0x0d || bytes[at + 1] !== 0x0a) {
      throw new InvalidResponse('a chunk is longer than its size')
    }
    this.#state = 'size'
    return at + 2
  }

  /** Reads a trailer line, which is not used; an empty line ends the trailers. */
  #readTrailer(bytes: Buffer, at: number): number {
    const end = this.#endOfLine(bytes, at, maxTrailerBytes - this.#trailerBytes)
    if (end === -1) return this.#hold(bytes, at)
    this.#trailerBytes += end + 2 - at
    if (end === at) this.#state = 'done'
    else readHeaders([bytes.toString('latin1', at, end)])
    return end + 2
  }

  /** @returns -1 until the end of the line arrives @throws InvalidResponse when the line is too long */
  #endOfLine(bytes: Buffer, at: number, maxBytes: number): number {
    const end = bytes.indexOf('\r\n', at)
    if ((end === -1 ? bytes.length : end) - at > maxBytes) {
      throw new InvalidResponse('a line of the answer is too long')
    }
    return end
  }
}

const protocol = Buffer.from('HTTP/1.')

/** Whether the bytes so far can be the beginning of an answer. */
function maybeHttp(bytes: Buffer, at: number): boolean {
  const length = Math.min(protocol.length, bytes.length - at)
  return bytes.compare(protocol, 0, length, at, at + length) === 0
}

/** @throws InvalidResponse */
function readHeaders(lines: readonly string[]): ResponseHeaders {
  // Without a prototype, because the upstream chooses the names.
  const headers = Object.create(null) as Record<string, string>
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    if (name === undefined) throw new InvalidResponse('a header is malformed')
    const key = name.toLowerCase()
    const earlier = headers[key]
    headers[key] = earlier === undefined ? value : `${earlier}, ${value}`
  }
  return headers
}
