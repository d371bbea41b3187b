/** The servers that answer connections: TLS, the fast lane, and Node's HTTP server with Fastify. None of them listens. */
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type Server as TlsServer,
} from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { createApp, type AppOptions } from '../app.ts'
import type { OwnCertificate } from './certificate-files.ts'
import { maxRequestsPerSocket, type ConnectionLimit } from './connection-limit.ts'
import { FastConnection, patienceMs } from '../fast-lane/connection.ts'
import { handshakeRefusal } from '../refusals/refusal.ts'
import type { Certificates } from './tls.ts'

interface ServersOptions extends Omit<AppOptions, 'serverFactory' | 'connections'> {
  /** Whether ordinary requests use the fast lane; called for each new connection. */
  isFastLaneOn(): boolean
  connections: ConnectionLimit
}

export interface Servers {
  /** Turns decrypted TLS connections into fast-lane connections. */
  tls: TlsServer
  /** The Node HTTP server with Fastify, with or without TLS. */
  http: Server
  app: FastifyInstance
  /** Receives connections of plain HTTP, and never listens itself. */
  plain: NetServer
  /** The sockets below TLS, tracked from before the handshake. */
  sockets: ReadonlySet<Socket>
  /** The certificates that are chosen by the name that a client sends; replaced on renewal. */
  named: NamedCertificates
}

interface NamedCertificates {
  /** Certificate for `localhost`, and for every name without a certificate of the operator. */
  local: SecureContext
  /** Certificate of the operator, for the other names. */
  own: SecureContext | null
}

export async function createServers(
  options: ServersOptions,
  certificates: Certificates,
  own: OwnCertificate | null,
): Promise<Servers> {
  const { cert, key } = own ?? certificates
  const named: NamedCertificates = {
    local: createSecureContext(certificates.named),
    own: own && createSecureContext({ cert, key }),
  }
  const http = createHttpServer(limits)
  // Named in Node's headers. Node alone would announce the end after the last request, and leave the connection open.
  http.maxRequestsPerSocket = maxRequestsPerSocket
  const app = await createApp({
    ...options,
    serverFactory: (requestListener) =>
      http
        .on('request', requestListener)
        // An expectation other than 100-continue is ignored, as RFC 9110 (10.1.1) permits.
        .on('checkExpectation', requestListener),
  })
  // Our listener hands over the connections, so the server never listens itself. This event starts Node's timeouts
  // for headers and requests.
  http.emit('listening')
  const leave = giveTo(http, options.connections)
  const tls = createTlsServer({
    ...tlsLimits,
    cert,
    key,
    SNICallback: (name, done) =>
      done(null, name === 'localhost' ? named.local : (named.own ?? named.local)),
  })
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  const serve = (socket: Socket) => {
    const { connections } = options
    if (connections.refuses(socket) || !options.isFastLaneOn()) return leave(socket)
    // The socket's events keep it alive.
    void new FastConnection(socket, {
      ...options,
      firstRequestMs: headMs,
      keepAliveMs: limits.keepAliveTimeout,
      leave,
    })
  }
  tls.on('connection', track)
  tls.on('secureConnection', serve)
  const plain = createNetServer().on('connection', track).on('connection', serve)
  // A client whose handshake failed cannot receive an error.
  tls.on('tlsClientError', (error, socket) => {
    socket.destroy()
    const refusal = handshakeRefusal(error)
    if (refusal !== null) options.onRefusal(refusal)
  })
  return { tls, http, app, plain, named, sockets }
}

/** Gives a connection, with the count of its requests so far, to Node's HTTP server. */
function giveTo(http: Server, connections: ConnectionLimit) {
  return (socket: Socket, requests = 0): void => {
    connections.setRequests(socket, requests)
    http.emit('connection', socket)
  }
}

const tlsLimits = {
  minVersion: 'TLSv1.2',
  ALPNProtocols: ['http/1.1'],
  handshakeTimeout: 10_000,
} as const

/** How long a request's head may take to arrive. */
const headMs = 10_000

/** Node's defaults keep slow senders connected for minutes. */
const limits = {
  // A slow sender may stay this much longer.
  connectionsCheckingInterval: 1_000,
  // The fast lane hands an unfinished head over after its own patience, and Node counts from then on.
  headersTimeout: headMs - patienceMs,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
  // admission.ts checks the host, and its errors have our form.
  requireHostHeader: false,
  noDelay: true,
}
