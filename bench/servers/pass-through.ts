/**
 * The floor: the least a Node process can do between a client over TLS and an upstream. Nothing is
 * checked, counted or parsed; bytes go through.
 */
import { createServer } from 'node:https'
import { Pool } from 'undici'
import { tellReady } from './ready.ts'

const { BENCH_UPSTREAM = '', BENCH_CERT = '', BENCH_KEY = '' } = process.env
const pool = new Pool(BENCH_UPSTREAM, { connections: 512 })

const server = createServer({ cert: BENCH_CERT, key: BENCH_KEY }, (request, response) => {
  void pool.stream(
    {
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
      opaque: response,
    },
    ({ statusCode, headers }) => {
      response.writeHead(statusCode, {
        'content-type': String(headers['content-type']),
        'content-length': String(headers['content-length']),
      })
      return response
    },
  )
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => tellReady(server))
