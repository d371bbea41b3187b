/**
 * A real server with OpenAI's chat-completions wire format, for tests and benches. A script sets each model's
 * answers, delays and faults. The client side is not mocked, so sockets, TLS, byte boundaries and resets are
 * real.
 */
import { createServer as createHttpServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'
import { asLateAsSockets } from './http/as-late-as-sockets.ts'
import { makeTestCertificate, type TestCertificate } from './fake-provider/certificate.ts'
import { planAnswer, type Plan } from './fake-provider/plan.ts'
import { vectorReply } from './fake-provider/embeddings.ts'
import { errorReply, type FakeModel, type FakeReply } from './fake-provider/script.ts'

export { errorReply, htmlReply, invalidJsonReply } from './fake-provider/script.ts'
export type { FakeModel } from './fake-provider/script.ts'

/** One request as it arrived. Times are Unix milliseconds. */
export interface FakeRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Parsed JSON; null when there was no body. */
  body: Record<string, unknown> | null
  /** The body's `model`. */
  model: string | null
  receivedAtMs: number
  /** Time at which the client disconnected before its answer was complete; null if it did not. */
  abortedAtMs: number | null
  /** Time at which the whole answer was written to the operating system; null before. */
  answeredAtMs: number | null
}

/**
 * A model's script, or a function that returns one for each request: `nth` counts its requests from 1. A promise lets
 * a test decide when the answer begins.
 */
export type FakeModelScript =
  | FakeModel
  | ((request: FakeRequest, nth: number) => FakeModel | Promise<FakeModel>)

export interface FakeProviderOptions {
  /** Plain HTTP when false. */
  tls?: boolean
  /** Script per model name; other names get a 404. Without any model, every name gets an answer. */
  models?: Readonly<Record<string, FakeModelScript>>
  /** Requests without this bearer key get a 401. */
  apiKey?: string
}

export interface FakeProvider {
  /** The base URL for a provider: `https://127.0.0.1:<port>/v1`. */
  url: string
  /** PEM of the certificate authority to trust; null over plain HTTP. */
  ca: string | null
  /** Requests in order of arrival; the first 10,000. */
  requests: readonly FakeRequest[]
  /** The count of all requests, including those beyond the limit of `requests`. */
  requestCount(): number
  /** Empties `requests`; the count stays. */
  forgetRequests(): void
  /** Replaces a model's script from the next request on. */
  setModel(name: string, script: FakeModelScript): void
  /** Replaces the accepted key from the next request on. */
  setApiKey(apiKey: string): void
  /** Cuts every connection. */
  close(): Promise<void>
}

const maxLoggedRequests = 10_000

/** Starts on a free port of 127.0.0.1. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const certificate = options.tls === false ? null : await makeTestCertificate()
  const models = options.models && new Map(Object.entries(options.models))
  const state: ServerState = {
    models: models ?? new Map([['fake-model', {}]]),
    answersAnyName: !models,
    apiKey: options.apiKey ?? null,
    requests: [],
    requestCount: 0,
    countOfModel: new Map(),
    rawSockets: new Map(),
  }
  const server = makeServer(certificate, state)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A listening TCP server's address is an AddressInfo; string and null are for pipes and closed ones.
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    ca: certificate?.ca ?? null,
    requests: state.requests,
    requestCount: () => state.requestCount,
    forgetRequests: () => void (state.requests.length = 0),
    setModel: (name, script) => void state.models.set(name, script),
    setApiKey: (apiKey) => void (state.apiKey = apiKey),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of state.rawSockets.values()) socket.destroy()
      }),
  }
}

interface ServerState {
  models: Map<string, FakeModelScript>
  answersAnyName: boolean
  apiKey: string | null
  requests: FakeRequest[]
  requestCount: number
  countOfModel: Map<string, number>
  /** Sockets by the client's port. A TLS socket cannot send a RST; the TCP socket below it can. */
  rawSockets: Map<number, Socket>
}

function makeServer(certificate: TestCertificate | null, state: ServerState): Server {
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response, state).catch((error: unknown) => {
      // A bug in this file or in a script: the client sees a closed connection, the test run sees the error.
      response.destroy()
      queueMicrotask(() => {
        throw error
      })
    })
  }
  const server = certificate
    ? createHttpsServer({ cert: certificate.cert, key: certificate.key }, listener)
    : createHttpServer(listener)
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0
    // An https server emits `connection` for the TCP socket and again for the TLS socket above it.
    if (state.rawSockets.has(port)) return
    state.rawSockets.set(port, socket)
    socket.on('close', () => state.rawSockets.delete(port))
    socket.on('error', () => {})
  })
  return server
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  state: ServerState,
): Promise<void> {
  const logged = await logRequest(request, state)
  if (logged === null) return
  response.on('finish', () => void (logged.answeredAtMs = Date.now()))
  response.on('close', () => {
    if (!response.writableFinished) logged.abortedAtMs ??= Date.now()
  })
  const model = await route(logged, state)
  await answer(response, planFor(model, logged), state)
}

/** Resolves null when the client disconnected before its body was complete. */
async function logRequest(
  request: IncomingMessage,
  state: ServerState,
): Promise<FakeRequest | null> {
  const receivedAtMs = Date.now()
  const text = await bodyText(request)
  if (text === null) return null
  // Test traffic only: a body that is not a JSON object shows up in the failing test.
  const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>)
  const { method = '', url: path = '', headers } = request
  const model = typeof body?.model === 'string' ? body.model : null
  const outcome = { abortedAtMs: null, answeredAtMs: null }
  const logged = { method, path, headers, body, model, receivedAtMs, ...outcome }
  state.requestCount += 1
  if (state.requests.length < maxLoggedRequests) state.requests.push(logged)
  return logged
}

function bodyText(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => resolve(Buffer.concat(parts).toString()))
    request.on('close', () => resolve(null))
    request.on('error', () => resolve(null))
  })
}

async function route(request: FakeRequest, state: ServerState): Promise<FakeModel> {
  const { method, path, headers } = request
  if (state.apiKey !== null && headers.authorization !== `Bearer ${state.apiKey}`) {
    // Real servers do the same: the error contains the key that was sent.
    const message = `Incorrect API key provided: ${headers.authorization}`
    return { reply: errorReply(401, { message, code: 'invalid_api_key' }) }
  }
  if (method === 'GET' && path.endsWith('/models')) return { reply: modelList(state) }
  if (method === 'POST' && path.endsWith('/chat/completions')) return await scriptOf(request, state)
  if (method === 'POST' && path.endsWith('/embeddings')) return await embeddingsOf(request, state)
  return { reply: errorReply(404, { message: `Unknown request URL: ${method} ${path}` }) }
}

async function scriptOf(request: FakeRequest, state: ServerState): Promise<FakeModel> {
  const name = request.model ?? ''
  const script = state.models.get(name) ?? (state.answersAnyName ? anyModel : undefined)
  if (!script) return { reply: errorReply(404, { code: 'model_not_found' }) }
  const nth = (state.countOfModel.get(name) ?? 0) + 1
  state.countOfModel.set(name, nth)
  return typeof script === 'function' ? await script(request, nth) : script
}

/** The model's script, with vectors in place of its text unless the script has its own reply or fault. */
async function embeddingsOf(request: FakeRequest, state: ServerState): Promise<FakeModel> {
  const script = await scriptOf(request, state)
  if (script.reply !== undefined || script.fault !== undefined) return script
  return { ...script, reply: vectorReply(request.body ?? {}, script) }
}

const anyModel: FakeModel = {}

function modelList(state: ServerState): FakeReply {
  const data = [...state.models.keys()].map((id) => ({ id, object: 'model', owned_by: 'fake' }))
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ object: 'list', data }),
  }
}

async function answer(response: ServerResponse, plan: Plan, state: ServerState): Promise<void> {
  const { firstByteDelayMs, chunkDelayMs } = plan.delays
  if (firstByteDelayMs > 0) await delay(firstByteDelayMs)
  if (response.destroyed) return
  if (plan.sendsHeaders) await send(response, plan, chunkDelayMs)
  await finish(response, plan, state)
}

function planFor(model: FakeModel, { model: name, body }: FakeRequest): Plan {
  return planAnswer(model, {
    model: name ?? '',
    isStreamed: body?.stream === true,
    includesUsage: asksForUsage(body?.stream_options),
  })
}

function asksForUsage(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'include_usage' in options
    ? options.include_usage === true
    : false
}

async function send(response: ServerResponse, plan: Plan, chunkDelayMs: number): Promise<void> {
  response.writeHead(plan.status, plan.headers)
  for (const [index, part] of plan.parts.entries()) {
    // Without a pause, Node joins the parts into one packet, which is fast enough for a bench.
    if (index > 0 && chunkDelayMs > 0) await delay(chunkDelayMs)
    else if (index > 0 && plan.isSliced) await nextIteration()
    if (response.destroyed) return
    response.write(part)
  }
}

async function finish(response: ServerResponse, plan: Plan, state: ServerState): Promise<void> {
  if (response.destroyed) return
  switch (plan.end) {
    case 'finish':
      response.end()
      return
    case 'hang':
      if (plan.sendsHeaders) response.flushHeaders()
      return
    case 'reset':
      // The client reads earlier bytes before the reset, as from a server that crashed a moment later. A client in
      // this process reads them in the rounds that follow, even if both of them were late.
      await asLateAsSockets(resetDelayMs)
      state.rawSockets.get(response.socket?.remotePort ?? 0)?.resetAndDestroy()
  }
}

const resetDelayMs = 10
