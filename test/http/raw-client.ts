/** A connection to the endpoint that the test controls: when it reads and when it ends. */
import { readFile } from 'node:fs/promises'
import { connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { TestService } from '../test-service.ts'

/** Resolves after the handshake. The socket is closed at the end of the test at the latest. */
export async function dial({ service }: TestService): Promise<TLSSocket> {
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')
  const socket = connect({
    port: Number(new URL(endpoint.url).port),
    host: '127.0.0.1',
    servername: 'localhost',
    ca: await readFile(endpoint.caFile),
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => {
    socket.once('secureConnect', resolve)
  })
  return socket
}

/** The bytes of a chat request. @param length  a `content-length` other than the real one */
export function chatRequest(
  { routerId, origin, apiKey }: TestService,
  body: string,
  length = body.length,
): string {
  return [
    `POST /api/router/${routerId}/chat/completions HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    `authorization: Bearer ${apiKey}`,
    'content-type: application/json',
    `content-length: ${length}`,
    '',
    body,
  ].join('\r\n')
}
