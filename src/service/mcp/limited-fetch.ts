/** `fetch` for one server: where its requests and those of its sign-in may go, and how much may come back. */
import { isIP } from 'node:net'
import { limits } from './limits.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** @param privateNetwork  whether addresses of the user's own network are allowed */
export type CreateFetch = (options: { privateNetwork: boolean }) => Fetch

/** A server sent more than is read. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'

  constructor() {
    super('The server sent a message that is too long.')
  }
}

/** A server named an address that its requests may not go to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** @param onTooLong  called before the answer fails */
export function createLimitedFetch(
  server: URL,
  createFetch: CreateFetch,
  onTooLong: () => void,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const own = createFetch({ privateNetwork: isPrivateName(server.hostname) })
  // Where a server sends the sign-in is its own word, so it may lead to no other place of the user's network.
  const foreign = createFetch({ privateNetwork: false })
  return async (address, init = {}) => {
    const url = new URL(address)
    if (url.origin !== server.origin) refuse(url, server)
    const send = url.origin === server.origin ? own : foreign
    const answer = await send(url.href, init)
    return limited(answer, onTooLong)
  }
}

/** @throws AddressRefused */
function refuse(url: URL, server: URL): void {
  const isHere = isLoopbackName(server.hostname) && isLoopbackName(url.hostname)
  if (isHere) return
  if (url.protocol !== 'https:') throw new AddressRefused(`${url.origin} does not use https.`)
  if (isPrivateName(url.hostname)) {
    throw new AddressRefused(`${url.origin} is in a private network, and ${server.origin} is not.`)
  }
}

function limited(answer: Response, onTooLong: () => void): Response {
  if (answer.body === null) return answer
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lineEnd = isStream ? chunk.lastIndexOf(10) : -1
      bytes = lineEnd === -1 ? bytes + chunk.length : chunk.length - lineEnd
      if (bytes <= limits.messageBytes) return controller.enqueue(chunk)
      onTooLong()
      controller.error(new AnswerTooLong())
    },
  })
  const { status, statusText, headers } = answer
  const body = answer.body.pipeThrough(count)
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', {
    value: answer.url,
  })
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname)
}

/** Whether a name or address leads into the user's own network by its form. */
function isPrivateName(hostname: string): boolean {
  if (isLoopbackName(hostname)) return true
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0)
    return !bare.includes('.') || /\.(local|lan|internal|home\.arpa)$/i.test(bare)
  return (
    /^(10\.|192\.168\.|169\.254\.|0\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
      bare,
    ) || /^(::|f[cd]|fe[89ab])/i.test(bare)
  )
}
