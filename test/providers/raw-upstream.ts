/** An upstream that answers with any bytes at any time, as the test decides. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that has arrived completely. */
export interface RawRequest {
  /** Head and body as they arrived, in latin1. */
  text: string
  socket: Socket
  /** The number of its connection, and of the request on it; both from 1. */
  connection: number
  nth: number
}

export interface RawUpstream {
  /** `http://127.0.0.1:<port>` */
  origin: string
  /** Every connection so far, in order. */
  sockets: Socket[]
  requests: RawRequest[]
}

export interface RawUpstreamOptions {
  /** The address it listens on. */
  host?: string
  onConnection?: (socket: Socket) => void
}

/** Closed at the end of the test. */
export async function startRawUpstream(
  answer: (request: RawRequest) => void,
  { host = '127.0.0.1', onConnection = () => {} }: RawUpstreamOptions = {},
): Promise<RawUpstream> {
  const sockets: Socket[] = []
  const requests: RawRequest[] = []
  const server = createServer((socket) => {
    const connection = sockets.push(socket)
    let text = ''
    let nth = 0
    onConnection(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      for (let end = endOfRequest(text); end !== -1; end = endOfRequest(text)) {
        const request = { text: text.slice(0, end), socket, connection, nth: (nth += 1) }
        text = text.slice(end)
        requests.push(request)
        answer(request)
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, sockets, requests }
}

/** @returns -1 while it is incomplete */
function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return -1
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0)
  const end = head + 4 + length
  return text.length < end ? -1 : end
}
