/** A vendor's own address without the internet: a proxy whose tunnels end at a fake upstream with its certificate. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request as requestHttp, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { makeTestCertificate } from './fake-provider/certificate.ts'
import { startFakeProvider } from './fake-provider.ts'

type FakeOptions = Parameters<typeof startFakeProvider>[0]

export interface FakeVendor {
  /** The environment in which the app reaches it. */
  env: Record<string, string>
  close(): Promise<void>
}

/** @param host  the vendor's, such as `api.openai.com` @param folder  for the certificate of its authority */
export async function startFakeVendor(
  host: string,
  { folder, ...options }: FakeOptions & { folder: string },
): Promise<FakeVendor> {
  const upstream = await startFakeProvider({ ...options, tls: false })
  const { ca, cert, key } = await makeTestCertificate({ host })
  const tls = createHttpsServer({ cert, key }, (request, response) => {
    const { method, url = '', headers } = request
    const forwarded = requestHttp(new URL(url, upstream.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  const tlsPort = await listen(tls)
  const sockets = new Set<Socket>()
  const proxy = createServer().on('connect', (_request, client: Socket) => {
    const tunnel = connect(tlsPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      tunnel.pipe(client).pipe(tunnel)
    })
    for (const socket of [client, tunnel]) sockets.add(socket.on('error', () => socket.destroy()))
  })
  const proxyPort = await listen(proxy)
  const caFile = join(folder, 'vendor-ca.pem')
  await writeFile(caFile, ca)
  return {
    env: { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NODE_EXTRA_CA_CERTS: caFile },
    async close() {
      for (const socket of sockets) socket.destroy()
      for (const server of [proxy, tls]) server.close().closeAllConnections()
      await upstream.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Checked boundary: it listens on a port.
  return (server.address() as AddressInfo).port
}
