/** Clients that are too slow, too large, too old, or on another computer. */
import type { Socket } from 'node:net'
import { connect as connectTcp } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect as connectTls, type SecureVersion } from 'node:tls'
import { openConnection } from '../../../shared/app/open-connection.ts'
import type { SecurityCheck } from '../../../shared/app/security-check.ts'
import {
  countStatuses,
  exchange,
  openTcp,
  openTls,
  requestText,
  statusOf,
  type SecurityTarget,
} from './attack.ts'

/** Slowloris: connections that are opened and never used. */
export async function trySlowClients(target: SecurityTarget): Promise<SecurityCheck> {
  const { slowLimitMs } = target
  const unfinished = openTls(target)
  unfinished.write('POST /api/router/router_0000000000000000/chat/completions HTTP/1.1\r\nhost: ')
  const silent = [openTcp(target), openTls(target)]
  const times = await Promise.all(
    [unfinished, ...silent].map((socket) => timeUntilClosed(socket, slowLimitMs)),
  )
  const closed = times.filter((time) => time !== null)
  const slowest = Math.max(0, ...closed)
  const seconds = (slowLimitMs / 1000).toFixed(0)
  return {
    check: 'Slow client',
    tried: `a connection that sends nothing, one without a request, and one with half a request, for ${seconds} s`,
    seen: `${closed.length} of ${times.length} were closed${closed.length > 0 ? `, the last after ${(slowest / 1000).toFixed(1)} s` : ''}`,
    status: closed.length === times.length ? 'ok' : 'failed',
  }
}

/** @returns null when the connection is still open after the limit */
function timeUntilClosed(socket: Socket, limitMs: number): Promise<number | null> {
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(null)
      socket.destroy()
    }, limitMs)
    socket.resume().on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(performance.now() - startedMs)
    })
  })
}

export async function tryOversize(target: SecurityTarget): Promise<SecurityCheck> {
  const host = `host: localhost:${target.port}`
  const path = '/api/router/router_0000000000000000/chat/completions'
  const longHeader = requestText('GET /healthz', [host, `x-long: ${'x'.repeat(20_000)}`])
  const longBody = requestText(`POST ${path}`, [
    host,
    `authorization: Bearer ${target.canaryKey}`,
    'content-type: application/json',
    `content-length: ${2 ** 31}`,
  ])
  const [header, body] = await Promise.all(
    [longHeader, longBody].map(async (text) => statusOf(await exchange(openTls(target), text))),
  )
  return {
    check: 'Oversize request',
    tried: 'headers of 20 kB, and 2 GiB of body with a wrong key',
    seen: countStatuses([header ?? null, body ?? null]),
    status: header === 431 && body === 401 ? 'ok' : 'failed',
  }
}

const versions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']

export async function tryTlsVersions(target: SecurityTarget): Promise<SecurityCheck> {
  const accepted: SecureVersion[] = []
  for (const version of versions) if (await accepts(target, version)) accepted.push(version)
  return {
    check: 'TLS versions',
    tried: versions.join(', '),
    seen: `accepts ${accepted.join(' and ') || 'none'}`,
    status: accepted.join() === 'TLSv1.2,TLSv1.3' ? 'ok' : 'failed',
  }
}

function accepts({ port, ca }: SecurityTarget, version: SecureVersion): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', servername: 'localhost', ca, timeout: 5_000 }
    const socket = openConnection('ownPort', null, () =>
      connectTls({ ...options, minVersion: version, maxVersion: version }),
    )
    const end = (isAccepted: boolean) => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('secureConnect', () => end(true))
    socket.once('timeout', () => end(false)).once('error', () => end(false))
  })
}

const reachMs = 1_500

export async function tryOtherAddresses({
  port,
  isOnNetwork,
}: SecurityTarget): Promise<SecurityCheck> {
  const check = 'Other addresses'
  if (isOnNetwork) {
    const seen = 'the service is open to the network with a certificate of its own'
    return { check, tried: 'nothing', seen, status: 'not_applicable' }
  }
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal }) => !internal).map(({ address, scopeid }) => ({ address, scopeid })),
  )
  // A link-local address needs its interface; the same interface's other addresses are tried.
  const tried = addresses.filter(({ scopeid }) => !scopeid).map(({ address }) => address)
  const found = await Promise.all(
    tried.map(async (address) => ((await reaches(address, port)) ? [address] : [])),
  )
  const reached = found.flat()
  return {
    check,
    tried: `${tried.length} network addresses of this computer`,
    seen: reached.length === 0 ? 'none accepts a connection' : `reached ${reached.join(', ')}`,
    status: tried.length === 0 ? 'not_applicable' : reached.length === 0 ? 'ok' : 'failed',
  }
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openConnection('ownPort', null, () =>
      connectTcp({ host, port, timeout: reachMs }),
    )
    const end = (isReached: boolean) => {
      socket.destroy()
      resolve(isReached)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false)).once('error', () => end(false))
  })
}
