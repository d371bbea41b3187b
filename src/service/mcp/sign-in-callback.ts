/** Where the browser returns to after a sign-in: an address of this computer that is open for this one sign-in. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const path = '/signed-in'

export interface SignInCallback {
  redirectUrl: string
  /** The parameters of the first return. @throws the signal's reason */
  parameters: Promise<URLSearchParams>
  close(): void
}

/** @param page  what the browser shows afterwards, as plain text */
export async function openSignInCallback(
  page: string,
  signal: AbortSignal,
): Promise<SignInCallback> {
  const returned = Promise.withResolvers<URLSearchParams>()
  // Nobody may wait for it.
  returned.promise.catch(() => {})
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isReturn = request.method === 'GET' && url.pathname === path
    response.writeHead(isReturn ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    })
    response.end(isReturn ? page : '')
    if (isReturn) returned.resolve(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // The reason of an abort is an error.
  const stop = () => returned.reject(signal.reason as Error)
  signal.addEventListener('abort', stop)
  // Checked boundary: a TCP server that listens has such an address.
  const { port } = server.address() as AddressInfo
  return {
    redirectUrl: `http://127.0.0.1:${port}${path}`,
    parameters: returned.promise,
    close() {
      signal.removeEventListener('abort', stop)
      server.close()
      server.closeAllConnections()
    },
  }
}
