/**
 * One HTTP/1.1 answer, read from bytes as they come (RFC 9112). It takes what the standard says and nothing
 * else: an answer that could be read in two ways is refused, and its connection is not used again.
 */

export interface ResponseEvents {
  onHead(status: number, headers: ResponseHeaders): void
  onData(piece: Buffer): void
}

/** By their names in lower case; what came more than once is joined with commas. */
export type ResponseHeaders = Readonly<Record<string, string>>

const maxHeadBytes = 65_536
const maxTrailerBytes = 16_384
const maxSizeLineBytes = 1_024

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
/** Begins and ends its value at what is no space, so that no line, however it is made, takes long to read. */
const headerLine =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(?:([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)[ \t]*)?$/
const chunkSize = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/
/** Told twice, as by servers that pass on the header of another, it is still meant once. */
const chunkedOnly = /^chunked(?:[ \t]*,[ \t]*chunked)*$/i
const closes = /(?:^|[ \t,])close(?:$|[ \t,])/i
const keepsAlive = /(?:^|[ \t,])keep-alive(?:$|[ \t,])/i

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunkEnd' | 'trailers' | 'untilClose' | 'done'

/** An answer that is not HTTP, or not well-formed. */
class InvalidResponse extends SyntaxError {
  override readonly name = 'InvalidResponse'
}

export class ResponseReader {
  readonly #events: ResponseEvents
  #state: State = 'head'
  /** What cannot be read before more has come. */
  #held: Buffer | null = null
  /** Of the body or of the chunk. */
  #leftBytes = 0
  #trailerBytes = 0
  #isPersistent = false
  #keepAliveMs: number | null = null

  constructor(events: ResponseEvents) {
    this.#events = events
  }

  /** Whether all of it was read. */
  get isDone(): boolean {
    return this.#state === 'done'
  }

  /** Whether another request may follow on the connection: only once all of the answer was read. */
  get isReusable(): boolean {
    return this.isDone && this.#isPersistent && this.#held === null
  }

  /** How long the server said it keeps an unused connection; null where it said nothing. */
  get keepAliveMs(): number | null {
    return this.#keepAliveMs
  }

  /** @throws SyntaxError when it is not well-formed: nothing more is read then */
  push(piece: Buffer): void {
    const bytes = this.#held === null ? piece : Buffer.concat([this.#held, piece])
    this.#held = null
    for (let at = 0; at < bytes.length;) at = this.#read(bytes, at)
  }

  /** The connection ended, which may be the answer's end. */
  end(): void {
    if (this.#state === 'untilClose') this.#state = 'done'
    this.#isPersistent = false
  }

  /** @returns how far was read: to the end, where the rest is held back */
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
        // Nobody asked for more: whatever it is, the next answer must not begin with it.
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
    if (code === undefined) throw new InvalidResponse('the answer does not begin with HTTP/1')
    const status = Number(code)
    const headers = readHeaders(lines)
    if (status === 101) throw new InvalidResponse('it changes the protocol')
    // Informational ones come before the answer.
    if (status >= 200) this.#begin(status, headers, minor === '1')
    return end + 4
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
        throw new InvalidResponse('where it ends is not told in one way')
      }
      return 'size'
    }
    if (length === undefined) return 'untilClose'
    if (!/^\d{1,15}$/.test(length)) throw new InvalidResponse('its length is no number')
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

  /** Nothing here needs them; an empty line is the end. */
  #readTrailer(bytes: Buffer, at: number): number {
    const end = this.#endOfLine(bytes, at, maxTrailerBytes - this.#trailerBytes)
    if (end === -1) return this.#hold(bytes, at)
    this.#trailerBytes += end + 2 - at
    if (end === at) this.#state = 'done'
    else readHeaders([bytes.toString('latin1', at, end)])
    return end + 2
  }

  /** -1 while it has not come. @throws InvalidResponse when the line is longer than it may be */
  #endOfLine(bytes: Buffer, at: number, maxBytes: number): number {
    const end = bytes.indexOf('\r\n', at)
    if ((end === -1 ? bytes.length : end) - at > maxBytes) {
      throw new InvalidResponse('a line of it is too long')
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
  // Without a prototype: the names are the upstream's.
  const headers = Object.create(null) as Record<string, string>
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    if (name === undefined) throw new InvalidResponse('a header is not well-formed')
    const known = name.toLowerCase()
    const earlier = headers[known]
    headers[known] = earlier === undefined ? value : `${earlier}, ${value}`
  }
  return headers
}
