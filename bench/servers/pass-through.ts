/**
 * The minimum work of a Node process between a TLS client and an upstream. Nothing is checked, counted or parsed;
 * bytes are passed through.
 */
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { Pool, type Dispatcher } from 'undici'
import { tellReady } from './ready.mjs'

const { BENCH_UPSTREAM = '', BENCH_CERT = '', BENCH_KEY = '' } = process.env
const pool = new Pool(BENCH_UPSTREAM, { connections: 512 })

const path = '/v1/chat/completions'
const headers = { 'content-type': 'application/json' }

const server = createServer({ cert: BENCH_CERT, key: BENCH_KEY }, (request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body = Buffer.concat(pieces)
    pool.dispatch({ path, method: 'POST', headers, body }, passOn(response))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => tellReady(server))

/** `dispatch` is undici's fastest interface, about a fifth faster than `request` and `stream`. */
function passOn(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    // undici recognizes its newer form of handlers by this method.
    onRequestStart: () => {},
    onResponseStart: (_controller, status, { 'content-type': type, 'content-length': length }) => {
      response.writeHead(status, {
        'content-type': String(type),
        // A stream has none.
        ...(length === undefined ? {} : { 'content-length': String(length) }),
      })
    },
    onResponseData: (_controller, bytes) => void response.write(bytes),
    onResponseEnd: () => void response.end(),
    onResponseError: () => void response.destroy(),
  }
}
