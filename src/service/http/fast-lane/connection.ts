/**
 * A fast-lane connection. It reads, checks and answers ordinary requests without Node's HTTP server and Fastify, which
 * together took a fifth of a request's CPU time. The first request that is unusual or fails a check is handed to them
 * with all of its bytes, together with the rest of the connection. They alone send refusals.
 */
import type { Socket } from 'node:net'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { AdmissionOptions, RequestConnection } from '../checks/admission.ts'
import { connectionOf } from '../checks/checked-request.ts'
import { maxRequestsPerSocket } from '../sockets/connection-limit.ts'
import type { ActiveRequest, ActiveRequests } from '../answers/active-requests.ts'
import { AnswerWriter } from './answer-writer.ts'
import { answerRequest, type AnswerOptions } from './answer.ts'
import { checkRequest } from './check-request.ts'
import { maxRequestBytes, readRequest, type UsualRequest } from './read-request.ts'

export interface FastLaneOptions extends AdmissionOptions, AnswerOptions {
  activeRequests: ActiveRequests
  /** How long to wait for the first request. */
  firstRequestMs: number
  /** How long to wait for each further request. */
  keepAliveMs: number
  /** Takes over a connection, after its answered requests; the bytes that were read are put back first. */
  leave(socket: Socket, requests: number): void
}

/** Time to wait for the rest of a request before Node's HTTP server takes over. */
export const patienceMs = 1_000
/** Node's HTTP server also takes over after this many pieces, because each piece is parsed from the start. */
const maxPieces = 8
/** A connection stays open this much longer than announced, for requests sent at the last moment. */
const keepAliveMarginMs = 1_000

export class FastConnection {
  readonly #socket: Socket
  readonly #connection: RequestConnection
  readonly #options: FastLaneOptions
  /** Bytes that were read and not answered; during an answer, the bytes after its request. */
  #held: Buffer | null = null
  #pieces = 0
  #asked = 0
  #patience: NodeJS.Timeout | null = null
  /** Set until the answer is written; the next request is not read earlier. */
  #active: ActiveRequest | null = null
  #writer: AnswerWriter | null = null

  constructor(socket: Socket, options: FastLaneOptions) {
    this.#socket = socket
    this.#connection = connectionOf(socket)
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
    // Stop reading from a client that sends more before it has read its answer.
    else if (held.length > maxRequestBytes) this.#socket.pause()
  }

  /** A client that ends its side is disconnected, as Node's own server does. */
  readonly #onEnd = (): void => void this.#socket.destroy()

  /** The timeout applies to reading an answer, not to generating it. */
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

  /** @returns whether the fast lane answers it */
  #begin(request: UsualRequest): boolean {
    const checked = checkRequest(request, this.#connection, this.#options)
    if (checked === null) return false
    const { activeRequests } = this.#options
    const apiKeyId = checked.caller.apiKey.id
    // Fastify sends the refusal.
    if (activeRequests.refusal(apiKeyId) !== null) return false
    this.#active = activeRequests.start(apiKeyId)
    if (this.#asked === 0) this.#socket.setTimeout(this.#options.keepAliveMs + keepAliveMarginMs)
    this.#asked += 1
    const rest = this.#held?.subarray(request.byteLength)
    this.#held = rest === undefined || rest.length === 0 ? null : rest
    this.#pieces = this.#held === null ? 0 : 1
    const answering = { writer: this.#writerFor(this.#active), signal: this.#active.signal }
    answerRequest(checked, answering, this.#options).catch((error) => {
      this.#options.onBug(error)
      this.#socket.destroy()
    })
    return true
  }

  #writerFor(active: ActiveRequest): AnswerWriter {
    const { keepAliveMs, now, activeRequests } = this.#options
    const writer = new AnswerWriter(this.#socket, {
      keepAliveMs,
      now,
      isAlone: () => activeRequests.count <= 1,
      onWritten: () => this.#answered(active),
    })
    if (this.#asked >= maxRequestsPerSocket || activeRequests.isStopping)
      writer.headers['connection'] = 'close'
    this.#writer = writer
    return writer
  }

  /** The next request waits for this, so that answers keep their order and a stalled client gets no further answers. */
  #answered(active: ActiveRequest): void {
    active.end()
    // The connection was closed meanwhile.
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
    this.#options.leave(socket, this.#asked)
    socket.resume()
  }
}
