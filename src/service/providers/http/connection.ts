/** A connection to an upstream: one exchange at a time, and between two of them nothing may come. */
import type { Socket } from 'node:net'
import { batchWrite } from '../../batched-writes.ts'
import type { Carrier, Exchange } from './exchange.ts'
import { ResponseReader, type ResponseEvents, type ResponseHeaders } from './response-reader.ts'

export interface ConnectionOwner {
  /** It can carry another exchange. */
  onIdle(connection: Connection): void
  onClosed(connection: Connection): void
  /** The connection closed before any byte of the request was written: another one can carry it. */
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
    // The end of a request is not to wait for the upstream's word on its beginning.
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('end', () => this.#ended())
    socket.on('error', (error) => this.#broke(error))
    socket.on('close', () => {
      this.#broke(connectionClosed())
      owner.onClosed(this)
    })
  }

  /** Whether it carries nothing any more, though its owner may not have been told yet. */
  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  /** How long the server keeps it unused; null where it did not say. */
  get keepAliveMs(): number | null {
    return this.#reader?.keepAliveMs ?? null
  }

  /** @param isAlone  whether nothing else is under way: then there is no write to wait for */
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
    // It was left, or the connection was lost, in the same turn.
    if (this.#exchange !== exchange) return
    if (this.#socket.destroyed) return this.#broke(connectionClosed())
    this.#isWritten = true
    this.#socket.write(exchange.text, exchange.encoding)
  }

  #read(bytes: Buffer): void {
    const reader = this.#reader
    // What nobody has asked for yet could be taken for the next answer.
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
    // One that is unused is no more of use from now on.
    if (this.#exchange !== null && this.#reader?.isDone === true) this.#finish(false)
    else this.#broke(connectionClosed())
  }

  #finish(isReusable: boolean): void {
    const exchange = this.#exchange
    if (exchange === null) return
    this.#exchange = null
    exchange.carriedBy(null)
    // An answer before all of the request was sent leaves the rest of it in the way.
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
    if (this.#isWritten) exchange.fail(error)
    else this.#owner.onUnsent(exchange)
  }
}

function connectionClosed(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}
