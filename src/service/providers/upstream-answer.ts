/** One answer of an upstream, which its reader reads at its own pace. */
import type { ConnectionPool } from './http/connection-pool.ts'
import type { Exchange, ExchangeHandler, UpstreamRequest } from './http/exchange.ts'
import type { ResponseHeaders } from './http/response-reader.ts'
import type { PassedHeaders } from './passed-headers.ts'

/** Number of unread bytes at which the upstream is paused. */
const fullBytes = 64 * 1024
/** The minimum memory counted for a piece, because a body may arrive in chunks of one byte. */
const leastPieceBytes = 64

interface Waiter {
  resolve(answer: UpstreamAnswer): void
  reject(error: unknown): void
}

/**
 * Created by `ask`, which resolves when the headers arrive. The body must be read to its end, drained or
 * aborted. The signal aborts the request at any time; pending reads then reject with its reason.
 */
export class UpstreamAnswer implements ExchangeHandler {
  status = 0
  headers: ResponseHeaders = {}
  /** The key that was sent, because an error inside the answer may repeat it. */
  sentKey: string | null = null
  /** Headers for a caller of the upstream's own form, until a chunk or an error has them. */
  passedHeaders: PassedHeaders | null = null
  readonly #signal: AbortSignal
  #exchange: Exchange | null = null
  #isPaused = false
  #pieces: Buffer[] = []
  #unreadBytes = 0
  #state: 'open' | 'ended' | 'failed' = 'open'
  #failure: unknown = null
  #isDraining = false
  /** Limits the draining of a body, or the reading of its beginning. */
  #timer: NodeJS.Timeout | null = null
  /** Waits for the headers, then for the next piece. */
  #waiter: Waiter | null = null

  private constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** @throws the system's errors; SyntaxError for an answer that is not HTTP; the signal's reason */
  static ask(
    pool: ConnectionPool,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    signal.throwIfAborted()
    const answer = new UpstreamAnswer(signal)
    answer.#exchange = pool.dispatch(request, answer)
    // A destroyed pool fails the request at once.
    if (answer.#state === 'failed') throw answer.#failure
    signal.addEventListener('abort', answer.#onAbort)
    return answer.#wait()
  }

  /** The next pieces of the body, unchanged; null at its end. @throws as `ask` */
  async read(): Promise<readonly Buffer[] | null> {
    if (this.#pieces.length === 0 && this.#state === 'open') await this.#wait()
    return this.#take()
  }

  #take(): readonly Buffer[] | null {
    if (this.#pieces.length > 0) {
      const pieces = this.#pieces
      this.#pieces = []
      this.#unreadBytes = 0
      this.#resume()
      return pieces
    }
    if (this.#state === 'failed') throw this.#failure
    return null
  }

  /** @throws RangeError when the body, or the memory it needs, is larger than `maxBytes`; as `ask` */
  async readWhole(maxBytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let bytes = 0
    for (;;) {
      // Short answers arrive together with their headers, so there is nothing to wait for.
      if (this.#pieces.length === 0 && this.#state === 'open') await this.#wait()
      const next = this.#take()
      if (next === null) break
      for (const piece of next) bytes += Math.max(piece.length, leastPieceBytes)
      if (bytes > maxBytes) throw new RangeError('the body is too long')
      pieces.push(...next)
    }
    const [only] = pieces
    return only && pieces.length === 1 ? only : Buffer.concat(pieces)
  }

  /** The beginning of the body, as much as arrives in time. The rest is dropped. */
  async readBeginning({ maxBytes, ms }: { maxBytes: number; ms: number }): Promise<string> {
    if (this.#state === 'open') this.#timer = setTimeout(() => this.abort(), ms)
    const pieces: Buffer[] = []
    let bytes = 0
    try {
      while (bytes < maxBytes) {
        const next = await this.read()
        if (next === null) break
        for (const piece of next) bytes += piece.length
        pieces.push(...next)
      }
    } catch {
      // The body broke off or took too long: the part that arrived is used.
    }
    this.abort()
    return Buffer.concat(pieces).toString('utf8', 0, maxBytes)
  }

  /** Discards the rest of the body. The connection stays open unless the end takes longer than `limitMs`. */
  drain(limitMs: number): void {
    this.#isDraining = true
    this.#pieces = []
    if (this.#state !== 'open') return
    this.#resume()
    this.#timer = setTimeout(() => this.abort(), limitMs)
  }

  /** Stops the upstream; does nothing after the end of the body. */
  abort(): void {
    if (this.#state === 'open') this.#cut(new Error('the answer was abandoned'))
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.status = status
    this.headers = headers
    this.#wake()
  }

  onData(piece: Buffer): void {
    if (this.#isDraining) return
    this.#pieces.push(piece)
    this.#unreadBytes += Math.max(piece.length, leastPieceBytes)
    if (this.#unreadBytes >= fullBytes && !this.#isPaused) {
      this.#isPaused = true
      this.#exchange?.pause()
    }
    this.#wake()
  }

  onEnd(): void {
    this.#end('ended')
  }

  onError(error: Error): void {
    this.#fail(error)
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#exchange?.resume()
  }

  readonly #onAbort = () => this.#cut(this.#signal.reason)

  #cut(reason: unknown): void {
    this.#pieces = []
    this.#fail(reason)
    this.#exchange?.abort()
  }

  #fail(error: unknown): void {
    this.#failure = error
    this.#end('failed')
  }

  #end(state: 'ended' | 'failed'): void {
    this.#state = state
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#wake()
  }

  #wait(): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
    })
  }

  #wake(): void {
    const waiter = this.#waiter
    if (waiter === null) return
    this.#waiter = null
    if (this.#state === 'failed' && this.#pieces.length === 0) waiter.reject(this.#failure)
    else waiter.resolve(this)
  }
}
