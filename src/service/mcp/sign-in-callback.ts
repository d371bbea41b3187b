/** Where the browser returns to after a sign-in: an address of this computer that is open for this one sign-in. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const path = '/signed-in'

export interface SignInCallback {
  redirectUrl: string
  /** The parameters of the first return. @throws when the signal comes first */
  parameters: Promise<URLSearchParams>
  close(): void
}

/** What the browser shows afterwards, as plain text. */
export interface SignInPages {
  done: string
  refused: string
}

export async function openSignInCallback(
  pages: SignInPages,
  signal: AbortSignal,
): Promise<SignInCallback> {
  const returned = Promise.withResolvers<URLSearchParams>()
  // Nobody may wait for it.
  returned.promise.catch(() => {})
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isRefused = url.searchParams.has('error')
    const isReturn =
      request.method === 'GET' &&
      url.pathname === path &&
      (isRefused || url.searchParams.has('code'))
    response.writeHead(isReturn ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    })
    response.end(isReturn ? pages[isRefused ? 'refused' : 'done'] : '')
    if (isReturn) returned.resolve(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const stop = () =>
    returned.reject(new Error('The sign-in was not finished in time. Sign in again.'))
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
