/** Answers that are no valid HTTP, or not the answer that was asked for. Each fault comes before any output. */
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { ProviderErrorKind } from '../../src/service/providers/provider.ts'
import type { FirstLimits } from './ask-in-turn.ts'
import type { GoodAnswer } from './wire-server.ts'

export interface HttpFault {
  /** Continues "a server that …". */
  name: string
  kind: ProviderErrorKind
  send: (socket: Socket, answer: GoodAnswer) => unknown
  limits?: FirstLimits
}

/** Limits long enough for a busy machine to open the connection and to send the request, which the suite counts. */
const short: FirstLimits = { firstTokenMs: 300, totalMs: 300 }
const late: Pick<HttpFault, 'kind' | 'limits'> = { kind: 'timeout', limits: short }

/** The status line and the headers, without the empty line that ends them. */
const headOf = ({ contentType }: GoodAnswer, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${contentType}\r\n`

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** A complete answer with another body or other headers, after which the server closes the connection. */
function reply(
  socket: Socket,
  answer: GoodAnswer,
  { status = '200 OK', headers = '', body }: { status?: string; headers?: string; body: Buffer },
): void {
  socket.write(`${headOf(answer, status)}${headers}content-length: ${body.length}\r\n\r\n`)
  socket.end(body)
}

export function writeGood(socket: Socket, answer: GoodAnswer): void {
  socket.write(`${headOf(answer)}content-length: ${answer.body.length}\r\n\r\n`)
  socket.write(answer.body)
}

async function trickle(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    if (socket.destroyed) return
    socket.write(Buffer.of(byte))
    await wait(5)
  }
}

/** Writes `piece` again and again, as fast as it is read, until the client closes the connection. */
export async function pour(
  socket: Socket,
  piece: Buffer,
  { bytes, onWritten = () => {} }: { bytes: number; onWritten?: () => void },
): Promise<void> {
  let goOn = () => {}
  // A client that closes the connection early resets it, which is no failure here.
  socket.on('drain', () => goOn()).on('error', () => {})
  socket.once('close', () => goOn())
  for (let written = 0; written < bytes && !socket.destroyed; written += piece.length) {
    if (!socket.write(piece)) {
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    }
    onWritten()
  }
}

const html = Buffer.from('<!doctype html><title>Welcome</title><p>Please sign in.</p>')
const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
const bomb = gzipSync(Buffer.alloc(64 << 20))
const network = 'network'
const invalid = 'invalid_response'

export const httpFaults: readonly HttpFault[] = [
  { name: 'closes the connection', kind: network, send: (socket) => socket.end() },
  { name: 'resets the connection', kind: network, send: (socket) => socket.resetAndDestroy() },
  { name: 'never answers', ...late, send: () => {} },
  {
    name: 'closes the connection within its headers',
    kind: network,
    send: (socket, answer) => socket.end(headOf(answer)),
  },
  {
    name: 'stops within its headers',
    ...late,
    send: (socket, answer) => socket.write(headOf(answer)),
  },
  {
    name: 'sends its headers byte by byte',
    ...late,
    send: (socket, answer) => trickle(socket, Buffer.from(headOf(answer))),
  },
  {
    name: 'stops after its headers',
    ...late,
    send: (socket, answer) => socket.write(`${headOf(answer)}transfer-encoding: chunked\r\n\r\n`),
  },
  {
    name: 'stops between two bytes of its body',
    ...late,
    send: (socket, answer) => {
      socket.write(`${headOf(answer)}content-length: ${answer.body.length}\r\n\r\n`)
      socket.write(answer.body.subarray(0, 9))
    },
  },
  {
    name: 'sends its body byte by byte',
    ...late,
    send: (socket, answer) => {
      socket.write(`${headOf(answer)}content-length: ${answer.body.length}\r\n\r\n`)
      return trickle(socket, answer.body.subarray(0, 40))
    },
  },
  {
    name: 'closes the connection before its content length',
    kind: network,
    send: (socket, answer) => {
      socket.write(`${headOf(answer)}content-length: ${answer.body.length}\r\n\r\n`)
      socket.end(answer.body.subarray(0, 9))
    },
  },
  {
    name: 'sends more than its content length',
    kind: invalid,
    send: (socket, answer) => {
      socket.write(`${headOf(answer)}content-length: 9\r\n\r\n`)
      socket.write(answer.body)
    },
  },
  {
    name: 'sends two content lengths',
    kind: invalid,
    send: (socket, answer) =>
      reply(socket, answer, { headers: 'content-length: 9\r\n', body: answer.body }),
  },
  {
    name: 'sends a content length with a chunked body',
    kind: invalid,
    send: (socket, answer) =>
      reply(socket, answer, { headers: 'transfer-encoding: chunked\r\n', body: answer.body }),
  },
  {
    name: 'closes the connection within a chunk',
    kind: network,
    send: (socket, answer) =>
      socket.end(`${headOf(answer)}transfer-encoding: chunked\r\n\r\nffff\r\n\r\n`),
  },
  {
    name: 'sends a chunk without a size',
    kind: invalid,
    send: (socket, answer) =>
      socket.write(`${headOf(answer)}transfer-encoding: chunked\r\n\r\nsize\r\n`),
  },
  {
    name: 'sends a chunk that is longer than its size',
    kind: invalid,
    send: (socket, answer) =>
      socket.write(`${headOf(answer)}transfer-encoding: chunked\r\n\r\n2\r\nlonger`),
  },
  {
    name: 'ends a chunked body early',
    kind: invalid,
    send: (socket, answer) =>
      socket.end(
        Buffer.concat([
          Buffer.from(`${headOf(answer)}transfer-encoding: chunked\r\n\r\n`),
          chunk(answer.body.subarray(0, 9)),
          Buffer.from('0\r\n\r\n'),
        ]),
      ),
  },
  ...(
    [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const
  ).map(([encoding, compress]): HttpFault => ({
    name: `compresses its answer with ${encoding}`,
    kind: invalid,
    send: (socket, answer) =>
      reply(socket, answer, {
        headers: `content-encoding: ${encoding}\r\n`,
        body: compress(answer.body),
      }),
  })),
  {
    name: 'sends 64 MiB compressed to a few kilobytes',
    kind: invalid,
    send: (socket, answer) =>
      reply(socket, answer, { headers: 'content-encoding: gzip\r\n', body: bomb }),
  },
  {
    name: 'sends an HTML page',
    kind: invalid,
    send: (socket, answer) =>
      reply(socket, { ...answer, contentType: 'text/html' }, { body: html }),
  },
  {
    name: 'sends an HTML page as its usual type',
    kind: invalid,
    send: (socket, answer) => reply(socket, answer, { body: html }),
  },
  {
    name: 'sends an empty body',
    kind: invalid,
    send: (socket, answer) => reply(socket, answer, { body: Buffer.of() }),
  },
  {
    name: 'sends bytes that are no UTF-8',
    kind: invalid,
    send: (socket, answer) => reply(socket, answer, { body: Buffer.alloc(999, 0xff) }),
  },
  ...['201 Created', '204 No Content', '206 Partial Content', '304 Not Modified'].map(
    (status): HttpFault => ({
      name: `answers ${status}`,
      kind: invalid,
      send: (socket, answer) => socket.end(`${headOf(answer, status)}content-length: 0\r\n\r\n`),
    }),
  ),
  ...['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'].map(
    (status): HttpFault => ({
      name: `redirects with ${status}`,
      kind: invalid,
      send: (socket, answer) =>
        reply(socket, answer, { status, headers: 'location: /\r\n', body: answer.body }),
    }),
  ),
  {
    name: 'switches the protocol',
    kind: invalid,
    send: (socket, answer) =>
      socket.write(`${headOf(answer, '101 Switching Protocols')}upgrade: h2c\r\n\r\n`),
  },
  {
    name: 'sends informational answers without end',
    kind: invalid,
    send: (socket) => pour(socket, Buffer.from(hint.repeat(100)), { bytes: 1 << 20 }),
  },
  {
    name: 'sends headers without end',
    kind: invalid,
    send: (socket, answer) => {
      socket.write(headOf(answer))
      return pour(socket, Buffer.from('x-more: yes\r\n'.repeat(100)), { bytes: 1 << 20 })
    },
  },
  {
    name: 'sends a header that never ends',
    kind: invalid,
    send: (socket, answer) => {
      socket.write(`${headOf(answer)}x-long: `)
      return pour(socket, Buffer.alloc(4_096, 'x'), { bytes: 1 << 20 })
    },
  },
  {
    name: 'folds a header',
    kind: invalid,
    send: (socket, answer) => socket.write(`${headOf(answer)} folded: yes\r\n\r\n`),
  },
  {
    name: 'speaks another protocol',
    kind: invalid,
    send: (socket) => socket.write('220 mail.example ESMTP\r\n'),
  },
  {
    name: 'speaks HTTP/2',
    kind: invalid,
    send: (socket) => socket.write(Buffer.from('00001204000000000000030000006400', 'hex')),
  },
]
