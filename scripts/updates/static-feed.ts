/** A static web server on loopback, as a release's feed would have, with the faults that a network and an attacker add. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface StaticFeed {
  url: string
  /** Paths in order; a connection without a request counts as an empty path. */
  requests: string[]
  /** Cuts the connection of the next package after this share of it. */
  cutNextPackage(share: number): void
  /** Forgets the requests so far. */
  forget(): void
  close(): void
}

export async function serveFolder(folder: string): Promise<StaticFeed> {
  const requests: string[] = []
  let cutShare: number | null = null
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    requests.push(path)
    const share = path.endsWith('.AppImage') ? cutShare : null
    if (share !== null) cutShare = null
    void send(response, join(folder, path), share)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Checked boundary: it listens on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    cutNextPackage: (share) => (cutShare = share),
    forget: () => void requests.splice(0),
    close: () => void server.close(),
  }
}

async function send(response: ServerResponse, file: string, share: number | null): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found === null) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-length': found.size })
  if (share === null) return void createReadStream(file).pipe(response)
  const part = createReadStream(file, { end: Math.floor(found.size * share) })
  part.on('data', (piece) => response.write(piece))
  part.on('end', () => response.destroy())
}
