/** One answer of an upstream, read by whoever asked for it at his own pace. */
import type {
  AnswerHandler,
  Exchange,
  ResponseHeaders,
  UpstreamPool,
  UpstreamRequest,
} from './upstream-pool.ts'

/** Unread bytes at which the upstream is asked to wait. */
const fullBytes = 64 * 1024
/** What a piece takes at the least, however short: a body may come in chunks of a byte. */
const leastPieceBytes = 64

interface Waiter {
  resolve(answer: UpstreamAnswer): void
  reject(error: unknown): void
}

/**
 * Begun by `ask`, which resolves when the headers are there. The body must be read to its end, drained
 * or aborted. The signal aborts the request at any time; what waits for it then rejects with its reason.
 */
export class UpstreamAnswer implements AnswerHandler {
  status = 0
  headers: ResponseHeaders = {}
  readonly #signal: AbortSignal
  #exchange: Exchange | null = null
  #isPaused = false
  #pieces: Buffer[] = []
  #unreadBytes = 0
  #state: 'open' | 'ended' | 'failed' = 'open'
  #failure: unknown = null
  #isDraining = false
  /** Of a body that is let end, or whose beginning is read. */
  #timer: NodeJS.Timeout | null = null
  /** For the headers, then for the next piece. */
  #waiter: Waiter | null = null

  private constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** @throws the system's errors; SyntaxError for what is not HTTP; the signal's reason */
  static async ask(
    pool: UpstreamPool,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    signal.throwIfAborted()
    const answer = new UpstreamAnswer(signal)
    answer.#exchange = pool.dispatch(request, answer)
    // A destroyed pool fails it at once.
    if (answer.#state === 'failed') throw answer.#failure
    signal.addEventListener('abort', answer.#onAbort)
    return answer.#wait()
  }

  /** The next pieces of the body, as they came; null at its end. @throws as `ask` */
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

  /** @throws RangeError when the body, or what it takes to hold it, is longer than `maxBytes`; as `ask` */
  async readWhole(maxBytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let bytes = 0
    for (;;) {
      // Nothing is waited for where it came with the headers, as short answers do.
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

  /** The first of the body, as much as comes in time, whatever becomes of the rest. */
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
      // It broke off or took too long: what there is has to do.
    }
    this.abort()
    return Buffer.concat(pieces).toString('utf8', 0, maxBytes)
  }

  /** What still comes is thrown away, and the connection lives on, unless the end takes longer. */
  drain(limitMs: number): void {
    this.#isDraining = true
    this.#pieces = []
    if (this.#state !== 'open') return
    this.#resume()
    this.#timer = setTimeout(() => this.abort(), limitMs)
  }

  /** The upstream must not go on; nothing when the body has ended. */
  abort(): void {
    if (this.#state === 'open') this.#cut(new Error('the answer was left'))
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
