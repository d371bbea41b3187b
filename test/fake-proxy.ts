/** A real HTTP proxy that supports CONNECT. Every tunnel leads to one local server, whatever its target. */
import { createServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface FakeProxy {
  /** `http://127.0.0.1:…` */
  url: string
  port: number
  /** The target and the credentials of each CONNECT. */
  asked: { target: string; authorization: string | undefined }[]
  /** Applies from the next CONNECT on. */
  answerWith(status: number): void
}

interface FakeProxyOptions {
  /** The local server that every tunnel leads to. */
  port: number
  /** The required `user:password`. */
  credentials?: string
  /** Key and certificate of a proxy that is reached over TLS. */
  tls?: { key: string; cert: string }
}

export async function startFakeProxy(options: FakeProxyOptions): Promise<FakeProxy> {
  const { port, credentials, tls } = options
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  const asked: FakeProxy['asked'] = []
  const sockets = new Set<Socket>()
  let status = 200
  const server: Server = tls ? createHttpsServer(tls) : createServer()
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    const authorization = headers['proxy-authorization']
    asked.push({ target: url, authorization })
    const code = status === 200 && wanted !== undefined && authorization !== wanted ? 407 : status
    client.on('error', () => {})
    if (code !== 200) return client.end(`HTTP/1.1 ${code} No\r\ncontent-length: 0\r\n\r\n`)
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    for (const socket of [upstream, client]) sockets.add(socket)
    return upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close().closeAllConnections()
  })
  const own = (server.address() as AddressInfo).port
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${own}`,
    port: own,
    asked,
    answerWith: (code) => {
      status = code
    },
  }
}
