/** A real server that answers in a vendor's form, records requests, and breaks answers where a test says. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'
import type { AnswerMeaning, FakeFormat, FakeReply, RecordedRequest } from './harness.ts'

/** How the fake answers chats. */
export type FakeScript =
  | ScriptedAnswer
  | { reply: FakeReply }
  /** Writes the answer's bytes, headers included, to the socket. */
  | { answer: AnswerMeaning; raw: (socket: Socket, answer: GoodAnswer) => void }
  | 'hang'

interface ScriptedAnswer {
  answer: AnswerMeaning
  /** Cuts the bytes of a stream into separate writes. */
  cut?: (bytes: Buffer) => readonly Buffer[]
  /** The pause after each write, so that readers on the way cannot join them. */
  pauseMs?: number
  break?: StreamBreak
}

/** What the fake would have sent without a fault. */
export interface GoodAnswer {
  contentType: string
  body: Buffer
  /** The bytes of the stream's first event; of the whole body if it is not streamed. */
  beginning: Buffer
}

/** Ends a stream early. `insert` sends these bytes and then ends it. */
export interface StreamBreak {
  afterEvents: number
  how: 'truncate' | 'reset' | 'hang' | { insert: Buffer }
}

export interface WireServer {
  /** `http://127.0.0.1:<port>` */
  origin: string
  requests: RecordedRequest[]
  /** What the vendor would have refused of the requests so far. */
  problems: string[]
  /** Sets the script of every chat from now on; a function decides for each request. */
  script(script: FakeScript | ((request: RecordedRequest) => FakeScript)): void
  /** Resolves to the next request. */
  nextRequest(): Promise<RecordedRequest>
  models: readonly string[]
  close(): Promise<void>
}

interface ServerState extends Pick<WireServer, 'requests' | 'problems' | 'models'> {
  scriptOf: (request: RecordedRequest) => FakeScript
  waiting: ((request: RecordedRequest) => void)[]
}

/** The caller closes it. */
export async function startWireServer(format: FakeFormat): Promise<WireServer> {
  const state: ServerState = {
    requests: [],
    problems: [],
    models: [],
    scriptOf: () => 'hang',
    waiting: [],
  }
  const server = createServer((request, response) => {
    handle({ request, response }, { format, state }).catch((error: unknown) => {
      state.problems.push(`the fake failed: ${String(error)}`)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    origin: `http://127.0.0.1:${port}`,
    script: (script: Parameters<WireServer['script']>[0]) => {
      state.scriptOf = typeof script === 'function' ? script : () => script
    },
    nextRequest: () =>
      new Promise<RecordedRequest>((resolve) => {
        state.waiting.push(resolve)
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

interface Fake {
  format: FakeFormat
  state: ServerState
}

async function handle(exchange: Exchange, { format, state }: Fake): Promise<void> {
  const { response } = exchange
  const request = await record(exchange)
  state.requests.push(request)
  state.problems.push(...format.problems(request))
  for (const wake of state.waiting.splice(0)) wake(request)
  const route = format.route(request)
  if (route === null) return send(response, { status: 404, headers: {}, body: '{}' })
  if (route === 'models') return send(response, format.models(state.models, request))
  const script = state.scriptOf(request)
  if (script === 'hang') return
  if ('reply' in script) return send(response, script.reply)
  if ('raw' in script) {
    return script.raw(exchange.request.socket, goodAnswer(format, script.answer, request))
  }
  if (route === 'whole') return send(response, format.whole(script.answer, request))
  const { headers, events } = format.stream(script.answer, request)
  response.writeHead(200, headers)
  await sendEvents(response, events, script)
}

async function record({ request, response }: Exchange): Promise<RecordedRequest> {
  const aborted = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  const { method = '', url: path = '', headers } = request
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { method, path, headers, body, text, aborted }
}

function goodAnswer(
  format: FakeFormat,
  answer: AnswerMeaning,
  request: RecordedRequest,
): GoodAnswer {
  if (format.route(request) === 'stream') {
    const { headers, events } = format.stream(answer, request)
    const [beginning = Buffer.of()] = events
    return { contentType: headers['content-type'] ?? '', body: Buffer.concat(events), beginning }
  }
  const { headers, body } = format.whole(answer, request)
  const bytes = Buffer.from(body)
  return { contentType: headers['content-type'] ?? '', body: bytes, beginning: bytes }
}

function send(response: ServerResponse, { status, headers, body }: FakeReply): void {
  response.writeHead(status, headers).end(body)
}

async function sendEvents(
  response: ServerResponse,
  events: readonly Buffer[],
  { cut = (bytes) => [bytes], pauseMs = 0, break: broken }: ScriptedAnswer,
): Promise<void> {
  const how = broken?.how ?? 'truncate'
  const sent = Buffer.concat(events.slice(0, broken?.afterEvents))
  for (const piece of cut(sent)) {
    response.write(piece)
    // Twice, so that the client has read this piece before the next one is written.
    await nextIteration()
    await nextIteration()
    if (pauseMs > 0) await delay(pauseMs)
    if (response.destroyed) return
  }
  if (typeof how === 'object') response.end(how.insert)
  else if (how === 'truncate') response.end()
  else if (how === 'reset') response.socket?.resetAndDestroy()
}

export function inPieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}
