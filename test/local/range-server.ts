/** A file server with scripted answers: it breaks off, ignores ranges, redirects, fails or changes its file. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How one request is answered. The default is the rest of the file, as the range asks. */
export interface RangeAnswer {
  /** Cuts the connection as soon as the client has this many bytes of the body. */
  breakAfter?: number
  /** Sends this many bytes of the body and then nothing, until the client leaves. */
  holdAfter?: number
  status?: number
  headers?: Record<string, string>
  /** Sends the whole file with status 200. */
  ignoresRange?: boolean
  content?: Buffer
  hasNoLength?: boolean
}

export interface RangeRequest {
  path: string
  range: string | null
  ifRange: string | null
}

export interface RangeServer {
  /** `http://127.0.0.1:<port>` */
  url: string
  requests: readonly RangeRequest[]
  /** Called with the bytes of the file that the client has. Bytes on the way are lost when a connection breaks. */
  received(bytes: number): void
  /** Cuts every connection. */
  close(): void
}

/** @param script  the answers to the first requests; later ones get the default */
export async function openRangeServer(
  content: Buffer,
  script: readonly RangeAnswer[] = [],
): Promise<RangeServer> {
  const requests: RangeRequest[] = []
  const breaks = new Map<number, () => void>()
  const server = createServer((request, response) => {
    const answer = script[requests.length] ?? {}
    const { range, 'if-range': ifRange } = request.headers
    requests.push({
      path: request.url ?? '',
      range: range ?? null,
      ifRange: typeof ifRange === 'string' ? ifRange : null,
    })
    const onBreak = (at: number) => breaks.set(at, () => response.destroy())
    send(request, response, { content, ...answer, onBreak })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Test boundary: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    received: (bytes) => breaks.get(bytes)?.(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface SentAnswer extends RangeAnswer {
  content: Buffer
  onBreak(at: number): void
}

function send(request: IncomingMessage, response: ServerResponse, answer: SentAnswer): void {
  const { content, headers = {}, status, breakAfter, holdAfter } = answer
  if (status !== undefined && status !== 206) {
    response.writeHead(status, headers).end()
    return
  }
  const from = answer.ignoresRange ? 0 : firstByteOf(request)
  const body = content.subarray(from)
  const isPart = from > 0 || status === 206
  response.writeHead(isPart ? 206 : 200, {
    ...(answer.hasNoLength ? {} : { 'content-length': body.length }),
    ...(isPart ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
    ...headers,
  })
  if (breakAfter === 0) {
    response.flushHeaders()
    response.destroy()
  } else if (breakAfter !== undefined) {
    answer.onBreak(from + breakAfter)
    response.write(body.subarray(0, breakAfter))
  } else if (holdAfter !== undefined) {
    response.write(body.subarray(0, holdAfter))
  } else {
    response.end(body)
  }
}

function firstByteOf({ headers: { range } }: IncomingMessage): number {
  return Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
}
