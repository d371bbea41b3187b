/** Requests to a raw upstream over a pool of ours, and what becomes of them. */
import { buildConnector } from 'undici'
import { onTestFinished } from 'vitest'
import { ConnectionPool, type PoolOptions } from '../src/service/providers/http/connection-pool.ts'
import type { Exchange, UpstreamRequest } from '../src/service/providers/http/exchange.ts'
import type { RawRequest, RawUpstream } from './raw-upstream.ts'

export interface Asked {
  exchange: Exchange
  /** `status body`, or `error CODE`. */
  outcome: Promise<string>
  /** What was told so far, call by call. */
  told: string[]
}

export const question: UpstreamRequest = { path: '/', method: 'POST', headers: {}, body: '{}' }

/** Asks, and notes what it is told. */
export function ask(pool: ConnectionPool, more: Partial<UpstreamRequest> = {}): Asked {
  const told: string[] = []
  let resolve: (outcome: string) => void = () => {}
  const outcome = new Promise<string>((settle) => {
    resolve = settle
  })
  let answer = ''
  const exchange = pool.dispatch(
    { ...question, ...more },
    {
      onHead(status) {
        told.push('head')
        answer = `${status} `
      },
      onData(piece) {
        told.push('data')
        answer += piece.toString()
      },
      onEnd() {
        told.push('end')
        resolve(answer)
      },
      onError(error) {
        told.push('error')
        resolve(`error ${'code' in error ? String(error.code) : error.name}`)
      },
    },
  )
  return { exchange, outcome, told }
}

/** Ends with the test. */
export function poolOf(
  { origin }: Pick<RawUpstream, 'origin'>,
  { connect = buildConnector({}), maxConnections = 8 }: Partial<PoolOptions> = {},
): ConnectionPool {
  const pool = new ConnectionPool({ origin, connect, maxConnections })
  onTestFinished(() => pool.destroy())
  return pool
}

/** A whole answer of ASCII. */
export const answerOf = (body: string, ...headers: string[]): string =>
  ['HTTP/1.1 200 OK', `content-length: ${body.length}`, ...headers, '', body].join('\r\n')

/** Answers with the number of the connection and of the request on it. */
export const tell = ({ socket, connection, nth }: RawRequest): void =>
  void socket.write(answerOf(`${connection}.${nth}`))
