/** A real server that records every byte it gets, and answers with texts that the test sets. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface RecordedCall {
  /** Path with the query. */
  path: string
  text: string
  headers: IncomingHttpHeaders
}

export interface RecordingUpstream {
  /** `http://127.0.0.1:<port>` */
  origin: string
  requests: RecordedCall[]
  /** JSON texts of the next answer's events, or of one whole answer. */
  answer: readonly string[]
  /** Status of every answer. */
  status: number
  headers: Readonly<Record<string, string>>
  /** Whether the answer never ends after its last event. */
  isEndless: boolean
}

/** @param atEnd  when the server ends */
export async function startRecordingUpstream(
  answer: readonly string[],
  atEnd: (end: () => Promise<void>) => void,
): Promise<RecordingUpstream> {
  const upstream: RecordingUpstream = {
    origin: '',
    requests: [],
    answer,
    status: 200,
    headers: {},
    isEndless: false,
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { headers, url: path = '' } = request
      upstream.requests.push({ path, text: Buffer.concat(pieces).toString(), headers })
      const [first = '', ...others] = upstream.answer
      const isWhole = others.length === 0
      const type = isWhole ? 'application/json' : 'text/event-stream'
      response.writeHead(upstream.status, { 'content-type': type, ...upstream.headers })
      const text = isWhole ? first : upstream.answer.map((data) => `data: ${data}\n\n`).join('')
      if (upstream.isEndless) response.write(text)
      else response.end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return Object.assign(upstream, { origin: `http://127.0.0.1:${port}` })
}
