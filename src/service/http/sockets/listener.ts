/**
 * The endpoint's sockets. The first byte of each connection decides: a TLS record goes to the HTTPS server, anything
 * else gets a 426 and is closed without being parsed, so that an unencrypted key is never read. All addresses
 * share one port.
 */
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { ServiceError } from '../../errors.ts'
import type { ConnectionLimit } from './connection-limit.ts'

const tlsHandshakeRecord = 0x16
/** A connection that sends nothing for this long is closed. */
const firstByteMs = 10_000
/** How long a client may take to disconnect after its last answer. */
const hangUpMs = 1_000

const httpsRequired = new ServiceError(
  'https_required',
  'Only HTTPS is served here: use https:// in the base URL.',
)

export interface Listener {
  port: number
  /** Stops accepting connections and closes those that never sent a request. */
  close(): void
}

interface PlainHttpRefusal {
  /** Creates the request id of the 426. */
  newRequestId(): string
  /** Called with the request's id when a client was refused because it did not use TLS. */
  onPlainHttp(requestId: string): void
}

export interface ListenOptions {
  /** 0 selects a free port. */
  port: number
  /** An address of the network besides the loopback interface; null for none. */
  bind: string | null
  /** Null when the server accepts plain HTTP. */
  tlsOnly: PlainHttpRefusal | null
  connections: ConnectionLimit
  /** Called when the system failed to hand over a connection; the listener continues. */
  onError(error: unknown): void
}

/**
 * Binds 127.0.0.1, [::1] if this computer has it, and the address of the network to one port.
 * @throws the system's error, with `code` EADDRINUSE when the port is taken
 */
export async function listen(server: NetServer, options: ListenOptions): Promise<Listener> {
  const { port, bind: address, tlsOnly, connections, onError } = options
  const waiting = new Set<Socket>()
  const accept = (socket: Socket) => {
    if (!connections.admit(socket)) return
    if (tlsOnly) return sniff(socket, { server, waiting, ...tlsOnly })
    server.emit('connection', socket)
  }
  const open = () => createNetServer({ noDelay: true }, accept)
  const [firstAddress, ...others] = addressesFor(address)
  const first = await bind(open(), firstAddress, port)
  const bound = portOf(first)
  const sockets = [first]
  for (const other of others) {
    try {
      sockets.push(await bind(open(), other, bound))
    } catch (error) {
      if (other === '::1' && isWithoutIpv6(error)) continue
      for (const socket of sockets) socket.close()
      throw error
    }
  }
  for (const socket of sockets) socket.on('error', onError)
  return {
    port: bound,
    close() {
      for (const socket of waiting) socket.destroy()
      // Their connections stay open; the HTTP server closes them.
      for (const socket of sockets) socket.close()
    },
  }
}

/** `0.0.0.0` contains 127.0.0.1, and `::` both loopback addresses. */
function addressesFor(address: string | null): [string, ...string[]] {
  if (address === '::') return ['::']
  if (address === '0.0.0.0') return ['0.0.0.0', '::1']
  const isOther = address !== null && address !== '127.0.0.1' && address !== '::1'
  return ['127.0.0.1', '::1', ...(isOther ? [address] : [])]
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

interface Sniffing extends PlainHttpRefusal {
  server: NetServer
  waiting: Set<Socket>
}

function sniff(socket: Socket, sniffing: Sniffing): void {
  const { server, waiting, newRequestId, onPlainHttp } = sniffing
  waiting.add(socket)
  const letGo = () => socket.destroy()
  const timer = setTimeout(letGo, firstByteMs)
  const forget = () => {
    clearTimeout(timer)
    waiting.delete(socket)
  }
  // A reset before the first byte is not an error.
  socket.on('error', letGo)
  socket.once('close', forget)
  socket.once('readable', () => {
    const bytes = readBytes(socket)
    if (!bytes) return
    if (bytes[0] !== tlsHandshakeRecord) {
      const requestId = newRequestId()
      onPlainHttp(requestId)
      return endWith(socket, httpsRequiredResponse(requestId))
    }
    forget()
    socket.off('error', letGo)
    socket.off('close', forget)
    socket.unshift(bytes)
    server.emit('connection', socket)
  })
}

function httpsRequiredResponse(requestId: string): string {
  const body = httpsRequired.toBody()
  return rawResponse(426, 'Upgrade Required', { upgrade: 'TLS/1.2', body, requestId })
}

/**
 * Sends a last answer on a bare socket and discards what still arrives: closing with unread data would reset the
 * connection and lose the answer. A client that does not disconnect in time is disconnected.
 */
export function endWith(socket: Socket, response: string): void {
  const timer = setTimeout(() => socket.destroy(), hangUpMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.end(response)
}

/** `read` is typed any; a socket without an encoding returns Buffers. */
function readBytes(socket: Socket): Buffer | null {
  const bytes: unknown = socket.read()
  return Buffer.isBuffer(bytes) ? bytes : null
}

/** A complete HTTP/1.1 response for sockets without a response object. */
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
