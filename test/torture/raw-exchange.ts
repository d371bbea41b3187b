/** Sends any bytes as a request and reads the answer, also when it is none. */
import { readFile } from 'node:fs/promises'
import { connect, type TLSSocket } from 'node:tls'
import type { TestService } from '../test-service.ts'

export interface RawAnswer {
  /** 0 when the connection was closed without an answer, -1 when nothing came in time. */
  status: number
  headers: ReadonlyMap<string, string>
  body: string
}

const closedWithout: RawAnswer = { status: 0, headers: new Map(), body: '' }
const nothing: RawAnswer = { status: -1, headers: new Map(), body: '' }

/** One connection after another to a service: a connection is reused until the service closes it. */
export class RawExchange {
  readonly #port: number
  readonly #ca: Buffer
  #socket: TLSSocket | null = null
  #received: Buffer = Buffer.alloc(0)
  #wake = () => {}

  private constructor(port: number, ca: Buffer) {
    this.#port = port
    this.#ca = ca
  }

  static async to({ service }: Pick<TestService, 'service'>): Promise<RawExchange> {
    const endpoint = service.endpoint()
    if (endpoint.status !== 'listening') throw new Error('not listening')
    return new RawExchange(Number(new URL(endpoint.url).port), await readFile(endpoint.caFile))
  }

  /** @param waitMs  how long an answer may take */
  async send(bytes: Buffer, waitMs: number): Promise<RawAnswer> {
    const socket = await this.#open()
    this.#received = Buffer.alloc(0)
    socket.write(bytes)
    const answer = await this.#answer(socket, waitMs)
    const isReusable = answer.status > 0 && answer.headers.get('connection') !== 'close'
    if (!isReusable || socket.closed) this.close()
    return answer
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  async #answer(socket: TLSSocket, waitMs: number): Promise<RawAnswer> {
    const deadline = performance.now() + waitMs
    for (;;) {
      const answer = readAnswer(this.#received)
      if (answer !== null) return answer
      if (socket.destroyed || socket.readableEnded) return closedWithout
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return nothing
      await this.#change(leftMs)
    }
  }

  async #change(limitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #open(): Promise<TLSSocket> {
    if (this.#socket !== null && !this.#socket.destroyed && !this.#socket.readableEnded) {
      return this.#socket
    }
    const options = { host: '127.0.0.1', port: this.#port, ca: this.#ca, servername: 'localhost' }
    const socket = connect(options)
    const wake = () => this.#wake()
    socket.on('data', (piece: Buffer) => {
      this.#received = Buffer.concat([this.#received, piece])
      wake()
    })
    socket.on('error', wake).on('close', wake).on('end', wake)
    await new Promise<void>((resolve) => {
      socket.once('secureConnect', resolve)
      socket.once('close', () => resolve())
    })
    this.#socket = socket
    return socket
  }
}

/** @returns null while it is incomplete */
function readAnswer(bytes: Buffer): RawAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  if (status === 100) return readAnswer(bytes.subarray(headEnd + 4))
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = readBody(bytes.subarray(headEnd + 4), headers)
  return body === null ? null : { status, headers, body }
}

function readBody(bytes: Buffer, headers: ReadonlyMap<string, string>): string | null {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0)
    return bytes.length < length ? null : bytes.toString('utf8', 0, length)
  }
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return Buffer.concat(parts).toString()
    parts.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
}
