/**
 * The sockets of the endpoint. Every connection's first byte is looked at: a TLS record goes to the
 * HTTPS server, anything else is answered 426 and closed, unparsed, so that a key sent in clear is
 * never read. Both loopback addresses share one port.
 */
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import { ServiceError } from '../errors.ts'

const tlsHandshakeRecord = 0x16
/** A connection that sends nothing is let go. */
const firstByteMs = 10_000

const httpsRequired = rawResponse(426, 'Upgrade Required', {
  upgrade: 'TLS/1.2',
  body: new ServiceError(
    'https_required',
    'Only HTTPS is served here: use https:// in the base URL.',
  ).toBody(),
})

export interface Listener {
  port: number
  /** Stops taking connections and cuts those that never became requests. */
  close(): Promise<void>
}

/**
 * Binds 127.0.0.1 and [::1] (where this computer has it) to one port.
 * @param port  0 takes a free one
 * @param isTls  whether the server behind expects TLS
 * @throws the system's error, with `code` EADDRINUSE when the port is taken
 */
export async function listen(server: HttpServer, port: number, isTls: boolean): Promise<Listener> {
  const waiting = new Set<Socket>()
  const accept = (socket: Socket) => {
    if (isTls) sniff(socket, server, waiting)
    else server.emit('connection', socket)
  }
  const first = await bind(createNetServer({ noDelay: true }, accept), '127.0.0.1', port)
  const bound = portOf(first)
  const sockets = [first]
  try {
    sockets.push(await bind(createNetServer({ noDelay: true }, accept), '::1', bound))
  } catch (error) {
    if (!isWithoutIpv6(error)) {
      first.close()
      throw error
    }
  }
  return {
    port: bound,
    async close() {
      for (const socket of waiting) socket.destroy()
      // Each server's `close` waits for its connections; the HTTP server ends those.
      for (const socket of sockets) socket.close()
      await Promise.resolve()
    },
  }
}

function bind(server: NetServer, host: string, port: number): Promise<NetServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

function portOf(server: NetServer): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not bound to a port')
  return address.port
}

function isWithoutIpv6(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}

function sniff(socket: Socket, server: HttpServer, waiting: Set<Socket>): void {
  waiting.add(socket)
  const timer = setTimeout(() => socket.destroy(), firstByteMs)
  // A peer that resets before it spoke is no event of ours.
  const ignoreReset = () => socket.destroy()
  socket.once('error', ignoreReset)
  socket.once('close', () => {
    clearTimeout(timer)
    waiting.delete(socket)
  })
  socket.once('readable', () => {
    const bytes = readBytes(socket)
    if (!bytes) return
    clearTimeout(timer)
    waiting.delete(socket)
    if (bytes[0] !== tlsHandshakeRecord) {
      socket.end(httpsRequired)
      return
    }
    socket.off('error', ignoreReset)
    socket.unshift(bytes)
    server.emit('connection', socket)
  })
}

/** `read` says any; a socket without an encoding gives Buffers. */
function readBytes(socket: Socket): Buffer | null {
  const bytes: unknown = socket.read()
  return Buffer.isBuffer(bytes) ? bytes : null
}

/** A whole HTTP/1.1 response for sockets that have no response object. */
export function rawResponse(
  status: number,
  reason: string,
  { body, upgrade, requestId }: { body: object; upgrade?: string; requestId?: string },
): string {
  const text = JSON.stringify(body)
  const headers = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    ...(upgrade ? [`upgrade: ${upgrade}`] : []),
    ...(requestId ? [`x-request-id: ${requestId}`] : []),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${text}`
}
