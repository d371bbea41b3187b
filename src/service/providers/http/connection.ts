/** A connection to an upstream: one exchange at a time. A byte between two exchanges closes it. */
import type { Socket } from 'node:net'
import { batchWrite } from '../../batched-writes.ts'
import type { Carrier, Exchange } from './exchange.ts'
import { ResponseReader, type ResponseEvents, type ResponseHeaders } from './response-reader.ts'

export interface ConnectionOwner {
  /** Called when the connection can carry another exchange. */
  onIdle(connection: Connection): void
  onClosed(connection: Connection): void
  /** Called when the connection closed before any byte of the request was written: another one can carry it. */
  onUnsent(exchange: Exchange): void
}

export class Connection implements Carrier, ResponseEvents {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  #exchange: Exchange | null = null
  #reader: ResponseReader | null = null
  /** False while the request waits to be written together with others. */
  #isWritten = false

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    // The end of a request must not wait until the upstream acknowledges its beginning.
    socket.setNoDelay(true)
    socket.on('data', this.#read)
    socket.on('end', () => this.#ended())
    socket.on('error', (error) => this.#broke(error))
    socket.on('close', () => {
      this.#broke(connectionClosed())
      owner.onClosed(this)
    })
  }

  /** True as soon as it is closed, even before `onClosed` is called. */
  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  /** How long the server keeps an unused connection; null when it does not say. */
  get keepAliveMs(): number | null {
    return this.#reader?.keepAliveMs ?? null
  }

  /** @param isAlone  whether no other request is in progress: then there is no write to wait for */
  carry(exchange: Exchange, isAlone: boolean): void {
    exchange.carriedBy(this)
    this.#exchange = exchange
    this.#reader = new ResponseReader(this)
    this.#isWritten = false
    if (isAlone) this.#send(exchange)
    else batchWrite(() => this.#send(exchange))
  }

  close(): void {
    this.#socket.destroy()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  drop(): void {
    this.#exchange = null
    this.#socket.destroy()
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.#exchange?.handler.onHead(status, headers)
  }

  onData(piece: Buffer): void {
    this.#exchange?.handler.onData(piece)
  }

  #send(exchange: Exchange): void {
    // The request was aborted, or the connection was lost, in the same event loop iteration.
    if (this.#exchange !== exchange) return
    if (this.#socket.destroyed) return this.#broke(connectionClosed())
    this.#isWritten = true
    this.#socket.write(exchange.text, exchange.encoding)
    exchange.onSent?.()
  }

  readonly #read = (bytes: Buffer): void => {
    const reader = this.#reader
    // Unsolicited bytes could be taken for the next answer.
    if (!this.#isWritten || this.#exchange === null || reader === null)
      return this.#broke(connectionClosed())
    try {
      reader.push(bytes)
    } catch (error) {
      this.#broke(error instanceof Error ? error : connectionClosed())
      return
    }
    if (reader.isDone) this.#finish(reader.isReusable)
  }

  #ended(): void {
    this.#reader?.end()
    // An unused connection cannot be used again either.
    if (this.#exchange !== null && this.#reader?.isDone === true) this.#finish(false)
    else this.#broke(connectionClosed())
  }

  #finish(isReusable: boolean): void {
    const exchange = this.#exchange
    if (exchange === null) return
    this.#exchange = null
    exchange.carriedBy(null)
    // After an early answer the rest of the request would precede the next one.
    if (isReusable && this.#socket.writableLength === 0) {
      if (this.#socket.isPaused()) this.#socket.resume()
      this.#owner.onIdle(this)
    } else {
      this.#socket.destroy()
    }
    exchange.isOver = true
    exchange.handler.onEnd()
  }

  #broke(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = null
    this.#socket.destroy()
    if (exchange === null) return
    // The server may have read a request that was written, and may bill for it: it is not sent again.
    if (this.#isWritten || exchange.hasMoved) exchange.fail(error)
    else this.#owner.onUnsent(exchange)
  }
}

export function connectionClosed(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}
