/** What a client sends and gets, request by request, on its way to the service over plain HTTP on loopback. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Exchange {
  path: string
  text: string
  /** Null without an answer. */
  status: number | null
  /** The service's name of the request. */
  id: string | null
  adjusted: string
  /** Whether the client left before the end of the answer. */
  isLeft: boolean
}

export interface Relay {
  /** `http://127.0.0.1:<port>` */
  origin: string
  exchanges: Exchange[]
  close(): Promise<void>
}

/** @param service  its origin @param ca  its authority's certificate */
export async function startRelay(service: string, ca: string): Promise<Relay> {
  const exchanges: Exchange[] = []
  const server = createServer((request, response) => {
    relay({ request, response, target: new URL(service), ca }, exchanges).catch(() => {
      response.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { origin: `http://127.0.0.1:${port}`, exchanges, close }
}

interface Relayed {
  request: IncomingMessage
  response: ServerResponse
  target: URL
  ca: string
}

async function relay(relayed: Relayed, exchanges: Exchange[]): Promise<void> {
  const { request, response, target, ca } = relayed
  const { method = 'GET', url: path = '/', headers } = request
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const exchange: Exchange = {
    path,
    text: body.toString(),
    status: null,
    id: null,
    adjusted: '',
    isLeft: false,
  }
  if (method === 'POST') exchanges.push(exchange)
  const sent = httpsRequest({
    host: target.hostname,
    port: target.port,
    method,
    path,
    ca,
    agent: false,
    headers: { ...headers, host: target.host, connection: 'close' },
  })
  response.once('close', () => {
    exchange.isLeft = !response.writableFinished
    sent.destroy()
  })
  sent.end(body)
  // An `IncomingMessage`, as Node's documentation of `response` says.
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const id = answer.headers['x-request-id']
  exchange.status = answer.statusCode ?? null
  exchange.id = typeof id === 'string' ? id : null
  exchange.adjusted = String(answer.headers['x-modelport-adjusted'] ?? '')
  response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers))
  response.flushHeaders()
  for await (const piece of answer) response.write(piece)
  response.end()
}

function withoutConnection(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _, 'keep-alive': __, ...rest } = headers
  return rest
}
