/** The instance that is attacked, and raw connections to it. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { openConnection } from '../../../shared/app/open-connection.ts'

export interface SecurityTarget {
  dataDir: string
  /** The HTTPS port. */
  port: number
  /** The instance's own authority, PEM. */
  ca: string
  /** Whether the operator opened the endpoint to the network, with a certificate of their own. */
  isOnNetwork: boolean
  /** Host names that the user allowed. */
  allowedHosts: readonly string[]
  /** A well-formed API key that does not exist. It must not be found in any file afterwards. */
  canaryKey: string
  /** How long a client that sends nothing more may stay connected. */
  slowLimitMs: number
}

const exchangeMs = 10_000

export function openTls({ port, ca }: SecurityTarget): Socket {
  const options = { port, host: '127.0.0.1', servername: 'localhost', ca }
  return openConnection('ownPort', null, () => connectTls(options))
}

export function openTcp({ port }: SecurityTarget): Socket {
  return openConnection('ownPort', null, () => connectTcp({ port, host: '127.0.0.1' }))
}

/** Sends bytes and reads until the end. Empty when the connection breaks or nothing comes. */
export function exchange(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(end, exchangeMs)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => (answer += text))
    socket.on('end', end).on('close', end).on('error', end)
    socket.write(request, 'latin1')
  })
}

/** @returns null when there was no HTTP answer */
export function statusOf(answer: string): number | null {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]
  return status === undefined ? null : Number(status)
}

/** A request that closes its connection. @param headers  without `host` if it is in `lines` */
export function requestText(line: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`content-length: ${body.length}`]
  return `${[`${line} HTTP/1.1`, ...headers, ...length, 'connection: close'].join('\r\n')}\r\n\r\n${body}`
}

/** `403 × 5, 400 × 1`; a dash stands for no answer. */
export function countStatuses(statuses: readonly (number | null)[]): string {
  const counts = new Map<string, number>()
  for (const status of statuses) {
    const name = String(status ?? '—')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([status, count]) => `${status} × ${count}`).join(', ')
}
