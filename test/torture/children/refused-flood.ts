/** Sends refused requests from many loopback addresses as fast as they are answered, and some that are answered. */
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

export interface FloodOptions {
  /** Port of plain HTTP on the loopback interface. */
  port: number
  routerId: string
  keys: readonly { id: string; key: string }[]
  /** The request that is answered, every 50 ms. */
  answered: { apiKey: string; body: string }
  firstAddress: number
  addresses: number
  perAddress: number
  /** Probes `/healthz` instead, which is answered and not counted. */
  isHealth?: boolean
}

export interface FloodResult {
  refused: number
  /** Counts by key, code and door. */
  counts: ReadonlyMap<string, number>
  /** Answers that did not arrive. */
  failed: number
  tookMs: number
  answeredMs: readonly number[]
}

const connectionsAtOnce = 20
const answeredEveryMs = 50
const unknownKey = 'mp_0000000000000000000000000000002C8GjS'

interface Kind {
  door: string
  path: string
}

/** Refused for its body. */
const refusedBody = '{}'
const refusedCode = 'missing_required_parameter'

const kinds: readonly Kind[] = [
  { door: 'chat', path: 'v1/chat/completions' },
  { door: 'responses', path: 'v1/responses' },
  { door: 'messages', path: 'v1/messages' },
  { door: 'embeddings', path: 'v1/embeddings' },
]

/** One request after another on one connection. */
class Connection {
  readonly #socket: Socket
  #received = ''
  #resolve: ((status: number | null) => void) | null = null

  constructor(port: number, localAddress: string) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => this.#read(text))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => this.#settle(null))
  }

  ask(request: string): Promise<number | null> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      if (this.#socket.destroyed) this.#settle(null)
      else this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < headEnd + 4 + length) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = this.#received.slice(headEnd + 4 + length)
    this.#settle(status)
  }

  #settle(status: number | null): void {
    this.#resolve?.(status)
    this.#resolve = null
  }
}

function requestOf(
  { port, routerId }: FloodOptions,
  { path, key, body }: { path: string; key: string; body: string },
): string {
  return [
    `POST /api/router/${routerId}/${path} HTTP/1.1`,
    `host: localhost:${port}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

function addressOf(index: number): string {
  return `127.${1 + Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`
}

/** Each tenth request has an unknown key; the others are refused for their bodies. */
function refusedRequest(options: FloodOptions, index: number): { name: string; text: string } {
  const kind = kinds[index % kinds.length]
  const owner = options.keys[Math.floor(index / 10) % options.keys.length]
  if (kind === undefined || owner === undefined) throw new Error('no kinds or keys')
  const isUnknown = index % 10 === 0
  const code = isUnknown ? 'invalid_api_key' : refusedCode
  const key = isUnknown ? unknownKey : owner.key
  return {
    name: `${isUnknown ? '' : owner.id} ${code} ${kind.door}`,
    text: requestOf(options, { path: kind.path, body: refusedBody, key }),
  }
}

async function run(options: FloodOptions): Promise<FloodResult> {
  const { firstAddress, addresses, perAddress, isHealth = false } = options
  const counts = new Map<string, number>()
  const answeredMs: number[] = []
  let refused = 0
  let failed = 0
  let next = firstAddress
  const done = new AbortController()
  const startedAtMs = performance.now()

  const probe = `GET /healthz HTTP/1.1\r\nhost: localhost:${options.port}\r\n\r\n`
  const sendFrom = async (address: number) => {
    const connection = new Connection(options.port, addressOf(address))
    for (let nth = 0; nth < perAddress; nth += 1) {
      const { name, text } = refusedRequest(options, address * perAddress + nth)
      const status = await connection.ask(isHealth ? probe : text)
      if (status === null) failed += 1
      else if (status >= 400) {
        refused += 1
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    connection.close()
  }
  const sender = async () => {
    for (let address = next++; address < firstAddress + addresses; address = next++)
      await sendFrom(address)
  }
  const answering = async () => {
    const connection = new Connection(options.port, '127.0.0.1')
    const { apiKey: key, body } = options.answered
    const text = requestOf(options, { path: 'v1/chat/completions', key, body })
    do {
      const sentAtMs = performance.now()
      if ((await connection.ask(text)) === 200) answeredMs.push(performance.now() - sentAtMs)
      else failed += 1
      await new Promise((resolve) => {
        setTimeout(resolve, answeredEveryMs)
      })
    } while (!done.signal.aborted)
    connection.close()
  }
  const answers = answering()
  await Promise.all(Array.from({ length: connectionsAtOnce }, sender))
  done.abort()
  await answers
  return { refused, counts, failed, tookMs: performance.now() - startedAtMs, answeredMs }
}

// Checked boundary: only the test starts this file, with these options.
parentPort?.postMessage(await run(workerData as FloodOptions))
