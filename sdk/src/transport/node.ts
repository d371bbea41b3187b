/**
 * Node, Bun and Deno: a `fetch` that trusts Modelport's local authority, for Modelport's address only.
 *
 * The built-in `fetch` takes certificates only through undici, which would be a dependency, or through variables and
 * global agents, which would change the trust of the whole process. `node:https` takes them per agent, exists in all
 * three runtimes, streams and aborts.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import * as tls from 'node:tls'
import { defaultAuthorityFile, watchAuthority, type Authority } from './authority-file.ts'
import { explainFailure } from './explain-failure.ts'
import type { Fetch, MakeFetch } from './transport.ts'

type Init = Parameters<Fetch>[1]

export const makeFetch: MakeFetch = ({ origin, caFile }) => {
  const file = caFile ?? defaultAuthorityFile()
  const readAuthority = watchAuthority(file)
  let current: { version: string; agent: Agent } | null = null
  const agentFor = (authority: Authority): Agent => {
    if (current?.version !== authority.version) {
      current = { version: authority.version, agent: makeAgent(authority) }
    }
    return current.agent
  }
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) return await fetch(input, init)
    const authority = url.protocol === 'https:' ? readAuthority() : null
    try {
      if (authority === null || input instanceof Request) return await fetch(input, init)
      return await send(url, init, agentFor(authority))
    } catch (error) {
      throw explainFailure(error, { origin, file, isTrusted: authority !== null })
    }
  }
}

/** Trusts the process's usual authorities and Modelport's. */
function makeAgent({ pem }: Authority): Agent {
  // Node 20 has no getCACertificates.
  const usual: readonly string[] = (tls as Partial<typeof tls>).getCACertificates?.('default') ?? [
    ...tls.rootCertificates,
  ]
  // One context for all connections: reading some hundred certificates takes about 10 ms.
  const secureContext = tls.createSecureContext({ ca: [...usual, pem] })
  const options: ConstructorParameters<typeof Agent>[0] & tls.ConnectionOptions = {
    keepAlive: true,
    secureContext,
  }
  return new Agent(options)
}

async function send(url: URL, init: Init, agent: Agent): Promise<Response> {
  const { headers, bytes } = await readBody(init)
  const signal = init?.signal ?? null
  signal?.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const method = init?.method ?? 'GET'
    const request = httpsRequest(url, { agent, method, headers }, (message) => {
      abort = () => message.destroy(reasonOf(signal))
      message.once('close', () => signal?.removeEventListener('abort', onAbort))
      resolve(responseOf(message))
    })
    let abort = (): void => {
      request.destroy(reasonOf(signal))
    }
    const onAbort = (): void => abort()
    request.once('error', (error) => {
      signal?.removeEventListener('abort', onAbort)
      reject(error)
    })
    signal?.addEventListener('abort', onAbort)
    request.end(bytes)
  })
}

/** The whole body, because the service limits it to some megabytes and forms need their boundary in a header. */
async function readBody(init: Init): Promise<{ headers: OutgoingHttpHeaders; bytes: Uint8Array }> {
  const headers = new Headers(init?.headers)
  if (init?.body == null) return { headers: Object.fromEntries(headers), bytes: new Uint8Array() }
  // Response reads every kind of body that fetch takes, and knows the content type of forms.
  const body = new Response(init.body as ConstructorParameters<typeof Response>[0])
  const contentType = body.headers.get('content-type')
  if (contentType !== null && !headers.has('content-type')) headers.set('content-type', contentType)
  const bytes = new Uint8Array(await body.arrayBuffer())
  headers.set('content-length', String(bytes.byteLength))
  return { headers: Object.fromEntries(headers), bytes }
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', headersDistinct } = message
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const hasBody = ![204, 205, 304].includes(statusCode)
  if (!hasBody) message.resume()
  // Node's type of a web stream differs from the platform's in its declaration only.
  const body = hasBody ? (Readable.toWeb(message) as ReadableStream<Uint8Array>) : null
  return new Response(body, { status: statusCode, statusText: statusMessage, headers })
}

/** OpenAI's SDK recognises an abort by the name of the signal's own reason. */
function reasonOf(signal: AbortSignal | null): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error
    ? reason
    : new DOMException('The request was aborted', 'AbortError')
}
