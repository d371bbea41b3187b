/**
 * The fake upstreams behind servers that compare each request with the vendor's OpenAPI document. Steady does it, and a
 * JSON schema validator, because Steady does not look into every choice.
 */
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { installDocument, readSpecification, type CheckBody, type Vendor } from './specification.ts'
import { startSteady, type SentRequest, type Steady } from './steady.ts'
import { startUpstreams, type Upstreams } from './upstreams.ts'

export interface SpecifiedUpstreams {
  upstreams: Upstreams
  /** Checks by upstream. */
  checks: Readonly<Record<'chat' | 'responses' | 'messages', SpecificationChecks>>
}

export interface SpecificationChecks {
  requests: number
  /** Requests that fit the document but that Steady refuses for a fault of its own. */
  steadyFaults: number
  refused: { method: string; path: string; body: string; problems: readonly string[] }[]
}

/** Steady 0.22.2 refuses two messages with content parts in one `input` with this, whatever is in them. */
const steadyFault = 'body.input: Expected type string, got array'

/** The caller closes the upstreams. */
export async function startSpecifiedUpstreams(cacheDir: string): Promise<SpecifiedUpstreams> {
  const openai = await startJudge('openai', cacheDir)
  const anthropic = await startJudge('anthropic', cacheDir)
  const upstreams = await startUpstreams()
  const chat = await startGuard(upstreams.chat.origin, openai)
  const responses = await startGuard(upstreams.responses.origin, openai)
  const messages = await startGuard(upstreams.messages.origin, anthropic)
  const close = async () => {
    await Promise.all([chat, responses, messages].map((guard) => guard.close()))
    await Promise.all([openai.steady.close(), anthropic.steady.close(), upstreams.close()])
  }
  return {
    upstreams: {
      ...upstreams,
      chat: { ...upstreams.chat, origin: chat.origin },
      responses: { ...upstreams.responses, origin: responses.origin },
      messages: { ...upstreams.messages, origin: messages.origin },
      close,
    },
    checks: { chat: chat.checks, responses: responses.checks, messages: messages.checks },
  }
}

interface Judge {
  steady: Steady
  checkBody: CheckBody
  /** The document's name of a path. */
  pathOf(path: string): string
}

/** @throws Error when a check accepts a wrong request */
async function startJudge(vendor: Vendor, cacheDir: string): Promise<Judge> {
  const document = await installDocument(vendor, cacheDir)
  const checkBody = await readSpecification(document)
  const steady = await startSteady(document, cacheDir)
  const [path, body] = [wrongPaths[vendor], Buffer.from('{"model":7}')]
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk' }
  const refusals = await steady.refusals({ method: 'POST', path, headers, body })
  if (refusals.length === 0 || checkBody('POST', path, body.toString()).length === 0) {
    await steady.close()
    throw new Error(`The check of ${vendor} accepts a wrong request.`)
  }
  // OpenAI's document has the version in the server's address, which Steady does not use.
  const pathOf = (sent: string) => (vendor === 'openai' ? sent.replace(/^\/v1/, '') : sent)
  return { steady, checkBody, pathOf }
}

const wrongPaths = { openai: '/chat/completions', anthropic: '/v1/messages' } as const

interface Guard {
  /** `http://127.0.0.1:<port>` */
  origin: string
  checks: SpecificationChecks
  close(): Promise<void>
}

async function startGuard(upstream: string, judge: Judge): Promise<Guard> {
  const checks: SpecificationChecks = { requests: 0, steadyFaults: 0, refused: [] }
  const server = createServer((request, response) => {
    relay({ request, response, upstream, judge, checks }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    checks,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Relay {
  request: IncomingMessage
  response: ServerResponse
  upstream: string
  judge: Judge
  checks: SpecificationChecks
}

async function relay({ request, response, upstream, judge, checks }: Relay): Promise<void> {
  const body = Buffer.concat(await request.toArray())
  const { method = '', url: path = '', headers } = request
  const problems = await problemsOf({ method, path, headers, body }, judge, checks)
  if (problems.length > 0) checks.refused.push({ method, path, body: body.toString(), problems })
  await pass({ method, path, headers, body }, upstream, response)
}

async function problemsOf(
  request: SentRequest,
  { steady, checkBody, pathOf }: Judge,
  checks: SpecificationChecks,
): Promise<readonly string[]> {
  const path = pathOf(request.path)
  const violations = checkBody(request.method, path, request.body.toString())
  const refusals = await steady.refusals({ ...request, path })
  checks.requests += 1
  const isFault = violations.length === 0 && refusals.length === 1 && refusals[0] === steadyFault
  if (isFault) checks.steadyFaults += 1
  return isFault ? [] : [...violations, ...refusals]
}

async function pass(
  { method, path, headers, body }: SentRequest,
  upstream: string,
  response: ServerResponse,
): Promise<void> {
  const passed = send(`${upstream}${path}`, { method, headers })
  response.once('close', () => passed.destroy())
  passed.end(body)
  // The first argument of this event.
  const [answer] = (await once(passed, 'response')) as [IncomingMessage]
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  await pipeline(answer, response)
}
