/**
 * Limits the open connections of the endpoint and the requests of each, so that one program cannot take all sockets of the process. A
 * connection above the limit gets a 503; far above it, connections are closed at once, because each answer needs a
 * TLS handshake.
 */
import type { Socket } from 'node:net'

/** 10,000 requests in progress at once, and idle connections. */
export const defaultConnectionLimit = 12_000
/** Requests of one connection, on the fast lane and the general way; the answer to the last one closes it. */
export const maxRequestsPerSocket = 10_000
/** Connections above the limit that still get an answer. */
const answeredAbove = 256

export class ConnectionLimit {
  readonly #limit: number
  readonly #refused = new WeakSet<object>()
  /** Requests by connection of the general way. */
  readonly #requests = new WeakMap<object, number>()
  #open = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts a new connection until it closes. @returns false when it was closed at once */
  admit(socket: Socket): boolean {
    if (this.#open >= this.#limit + answeredAbove) {
      socket.destroy()
      return false
    }
    this.#open += 1
    socket.once('close', () => {
      this.#open -= 1
    })
    return true
  }

  /** Whether there are more connections than the limit. From then on `isRefused` is true for this one. */
  refuses(socket: Socket): boolean {
    if (this.#open <= this.#limit) return false
    this.#refused.add(socket)
    return true
  }

  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket)
  }

  /** Counts the requests that the fast lane has read of a connection before it gave the connection away. */
  setRequests(socket: Socket, count: number): void {
    this.#requests.set(socket, count)
  }

  /**
   * Counts a request of the general way.
   * @param isEnding  whether its answer ends the connection anyway
   * @returns `over` for a request that was sent after the connection's last one: it gets no answer
   */
  countRequest(socket: Socket, isEnding: boolean): 'more' | 'last' | 'over' {
    const count = 1 + (this.#requests.get(socket) ?? 0)
    if (count > maxRequestsPerSocket) return 'over'
    const isLast = isEnding || count === maxRequestsPerSocket
    this.#requests.set(socket, isLast ? maxRequestsPerSocket : count)
    return isLast ? 'last' : 'more'
  }
}
