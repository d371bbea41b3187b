/** Requests to a raw upstream over a pool, and their outcomes. */
import { buildConnector } from 'undici'
import { onTestFinished } from 'vitest'
import {
  ConnectionPool,
  type PoolOptions,
} from '../../src/service/providers/http/connection-pool.ts'
import type { Exchange, UpstreamRequest } from '../../src/service/providers/http/exchange.ts'
import type { RawRequest, RawUpstream } from './raw-upstream.ts'

export interface PooledRequest {
  exchange: Exchange
  /** `status body`, or `error CODE`. */
  outcome: Promise<string>
  /** The handler's calls so far. */
  calls: string[]
}

export const question: UpstreamRequest = { path: '/', method: 'POST', headers: {}, body: '{}' }

/** Sends a request and records the handler's calls. */
export function ask(pool: ConnectionPool, more: Partial<UpstreamRequest> = {}): PooledRequest {
  const calls: string[] = []
  let resolve: (outcome: string) => void = () => {}
  const outcome = new Promise<string>((settle) => {
    resolve = settle
  })
  let answer = ''
  const exchange = pool.dispatch(
    { ...question, ...more },
    {
      onHead(status) {
        calls.push('head')
        answer = `${status} `
      },
      onData(piece) {
        calls.push('data')
        answer += piece.toString()
      },
      onEnd() {
        calls.push('end')
        resolve(answer)
      },
      onError(error) {
        calls.push('error')
        resolve(`error ${codeOf(error)}`)
      },
    },
  )
  return { exchange, outcome, calls }
}

/** Destroyed at the end of the test. */
export function poolOf(
  { origin }: Pick<RawUpstream, 'origin'>,
  { connect = buildConnector({}), maxConnections = 8 }: Partial<PoolOptions> = {},
): ConnectionPool {
  const pool = new ConnectionPool({ origin, connect, maxConnections })
  onTestFinished(() => pool.destroy())
  return pool
}

/** A whole answer in ASCII. */
export const answerOf = (body: string, ...headers: string[]): string =>
  ['HTTP/1.1 200 OK', `content-length: ${body.length}`, ...headers, '', body].join('\r\n')

/** Answers with the number of the connection and of the request on it. */
export const answerWithNumbers = ({ socket, connection, nth }: RawRequest): void =>
  void socket.write(answerOf(`${connection}.${nth}`))

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
