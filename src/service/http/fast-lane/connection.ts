/**
 * A connection whose requests are usual so far: each is read, checked and answered here, past the general
 * HTTP server and the framework, which together took a fifth of a request's processor time. The
 * first that is not usual, or not in order, goes to the general way with every byte of it, and so does
 * the rest of the connection: what it is answered is then said there, and only there.
 */
import type { TLSSocket } from 'node:tls'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { AdmissionOptions } from '../admission.ts'
import type { ActiveRequest, ActiveRequests } from '../active-requests.ts'
import { AnswerWriter } from './answer-writer.ts'
import { answerRequest, type AnswerOptions, type AcceptedRequest } from './answer.ts'
import { checkRequest } from './check-request.ts'
import { maxRequestBytes, readRequest, type UsualRequest } from './read-request.ts'

export interface FastLaneOptions extends AdmissionOptions, AnswerOptions {
  activeRequests: ActiveRequests
  /** How long the first request may be waited for. */
  firstRequestMs: number
  /** And each further one. */
  keepAliveMs: number
  /** Takes a connection with what was read of it put back. */
  leave(socket: TLSSocket): void
}

/** The rest of a request that does not come within this is waited for by the general way. */
const patienceMs = 1_000
/** And one that comes in more pieces: none is looked at from the beginning again and again. */
const maxPieces = 8
/** A connection lives so much longer than is said, for who uses it at the last moment. */
const keepAliveMarginMs = 1_000

export class FastConnection {
  readonly #socket: TLSSocket
  readonly #options: FastLaneOptions
  /** What was read and not answered yet; while one is answered, what came after it. */
  #held: Buffer | null = null
  #pieces = 0
  #hasAsked = false
  #patience: NodeJS.Timeout | null = null
  /** Until its answer is written: the next request is looked at no earlier. */
  #active: ActiveRequest | null = null
  #writer: AnswerWriter | null = null

  constructor(socket: TLSSocket, options: FastLaneOptions) {
    this.#socket = socket
    this.#options = options
    socket.setTimeout(options.firstRequestMs)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  readonly #onData = (bytes: Buffer): void => {
    const held = this.#held === null ? bytes : Buffer.concat([this.#held, bytes])
    this.#held = held
    this.#pieces += 1
    if (this.#active === null) this.#read(held)
    // Who sends more before the answer is read is let wait.
    else if (held.length > maxRequestBytes) this.#socket.pause()
  }

  /** Who stops sending is not waited for, as in Node's own server. */
  readonly #onEnd = (): void => void this.#socket.destroy()

  /** An answer may take its time to be made, but not to be read. */
  readonly #onTimeout = (): void => {
    if (this.#active === null || this.#writer?.isComplete === true) this.#socket.destroy()
  }

  readonly #onError = (): void => void this.#socket.destroy()

  readonly #onClose = (): void => {
    if (this.#patience !== null) clearTimeout(this.#patience)
    this.#active?.abort(new ClientClosed())
    this.#active?.end()
    this.#active = null
  }

  #read(bytes: Buffer): void {
    const request = readRequest(bytes)
    if (request === 'incomplete' && this.#pieces < maxPieces) {
      this.#patience ??= setTimeout(() => this.#leave(), patienceMs)
      return
    }
    if (this.#patience !== null) clearTimeout(this.#patience)
    this.#patience = null
    const isReadable = request !== 'incomplete' && request !== 'unusual'
    if (!isReadable || !this.#begin(request)) this.#leave()
  }

  /** @returns whether it is answered here */
  #begin(request: UsualRequest): boolean {
    const checked = checkRequest(request, this.#socket.localPort, this.#options)
    if (checked === null) return false
    const { activeRequests } = this.#options
    // A stopping service turns requests away in the framework's words.
    if (activeRequests.isDraining) return false
    this.#active = activeRequests.start(checked.caller.apiKey.id)
    if (!this.#hasAsked) this.#socket.setTimeout(this.#options.keepAliveMs + keepAliveMarginMs)
    this.#hasAsked = true
    const rest = this.#held?.subarray(request.byteLength)
    this.#held = rest === undefined || rest.length === 0 ? null : rest
    this.#pieces = this.#held === null ? 0 : 1
    void this.#answer(checked, this.#active)
    return true
  }

  async #answer(checked: AcceptedRequest, active: ActiveRequest): Promise<void> {
    const { keepAliveMs, now, activeRequests } = this.#options
    const writer = new AnswerWriter(this.#socket, {
      keepAliveMs,
      now,
      isAlone: () => activeRequests.count <= 1,
      onWritten: () => this.#answered(active),
    })
    this.#writer = writer
    try {
      await answerRequest(checked, { writer, signal: active.signal }, this.#options)
    } catch (error) {
      this.#options.onBug(error)
      this.#socket.destroy()
    }
  }

  /** What comes next waits for it: so answers keep their order, and a reader that stalls is sent no more. */
  #answered(active: ActiveRequest): void {
    active.end()
    // It was closed meanwhile.
    if (this.#active !== active) return
    this.#active = null
    this.#writer = null
    if (!this.#socket.writable) return void this.#socket.destroy()
    const next = this.#held
    if (next === null) return
    this.#socket.resume()
    this.#read(next)
  }

  #leave(): void {
    const socket = this.#socket
    socket.setTimeout(0)
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('timeout', this.#onTimeout)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    socket.pause()
    if (this.#held !== null) socket.unshift(this.#held)
    this.#options.leave(socket)
    socket.resume()
  }
}
