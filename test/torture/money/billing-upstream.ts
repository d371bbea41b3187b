/** All vendors as one real server that notes what it bills: `http://127.0.0.1:<port>/<vendor>/…`. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { RecordedRequest } from '../../upstreams/harness.ts'
import { answerCall } from './answer-call.ts'
import { newCall, type BilledCall } from './billed-call.ts'
import type { Weather } from './call-plan.ts'
import { embeddingTexts } from './embedding-replies.ts'
import { vendorOf } from './vendors.ts'

export interface BillingUpstream {
  origin: string
  calls: BilledCall[]
  /** Sets the weather for all requests from now on. */
  setWeather(weather: Weather): void
  /** Counts the rounds of the event loop, with a millisecond between them if there was time. */
  tick(): number
  /** Tick at which the connection closed; Infinity while it is open. */
  closedTick(socket: Socket): number
  /** Requests that are being answered. */
  running(): number
  close(): Promise<void>
}

interface State extends Pick<BillingUpstream, 'calls'> {
  weather: Weather
  ticks: number
  closed: WeakMap<Socket, number>
  counts: Map<string, number>
  running: number
}

export async function startBillingUpstream(): Promise<BillingUpstream> {
  const state: State = {
    calls: [],
    weather: { seed: 1, faultShare: 0, isStarved: false, slowness: 0 },
    ticks: 0,
    closed: new WeakMap(),
    counts: new Map(),
    running: 0,
  }
  const server = createServer((request, response) => {
    state.running += 1
    void handle(request, response, state)
      .catch((error: unknown) => {
        response.destroy()
        // A bug of the mock: the test run shows it.
        queueMicrotask(() => {
          throw error
        })
      })
      .finally(() => (state.running -= 1))
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('close', () => state.closed.set(socket, state.ticks))
  })
  const clock = setInterval(() => (state.ticks += 1), 1)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return upstreamOf(server, state, clock)
}

function upstreamOf(server: Server, state: State, clock: NodeJS.Timeout): BillingUpstream {
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    calls: state.calls,
    setWeather: (weather) => void (state.weather = weather),
    tick: () => state.ticks,
    closedTick: (socket) => state.closed.get(socket) ?? Infinity,
    running: () => state.running,
    async close() {
      clearInterval(clock)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  state: State,
): Promise<void> {
  const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? []
  const request = await record(incoming, path)
  if (request === null) return
  const vendor = vendorOf(name)
  const format = vendor.formats.find((one) => one.route(request) !== null) ?? null
  if (request.method === 'GET' || (format === null && embeddingTexts(request) === null)) {
    return void response.writeHead(404).end('{}')
  }
  const { socket } = incoming
  const received = { vendor, request, format, socket, weather: state.weather }
  const call = newCall(received, (called) => {
    const nth = (state.counts.get(called) ?? 0) + 1
    state.counts.set(called, nth)
    return nth
  })
  state.calls.push(call)
  response.once('close', () => {
    call.endedMs = performance.now()
    call.end ??= 'left'
  })
  await answerCall({ call, request, format, response, tick: () => state.ticks })
}

/** @returns null when the other side closed before the request was whole */
async function record(incoming: IncomingMessage, path: string): Promise<RecordedRequest | null> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of incoming) pieces.push(piece as Buffer)
  } catch {
    return null
  }
  const text = Buffer.concat(pieces).toString()
  const { method = '', headers } = incoming
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { method, path, headers, body, text, aborted: new Promise(() => {}) }
}
