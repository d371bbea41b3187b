/**
 * The load: connections that each send a request, read its answer and send the next. It uses Node's TLS and only the
 * HTTP it needs, because it shares the cores with the measured server.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'

/** A server under load. */
export interface Target {
  port: number
  /** PEM of the certificate authority to trust; null for plain HTTP. */
  ca: string | null
  /** The id of the measured process. */
  pid: number
  path: string
  headers: Readonly<Record<string, string>>
  /** A text in every expected answer, which proves that the answer is the right one. */
  marker: string
  /** The form of requests and answers; absent: OpenAI's chat form. */
  form?: 'messages'
}

export interface Load {
  /** The time of every request, in ms. */
  latenciesMs: number[]
  requestsPerSecond: number
  /** Processor time of the server's process with all threads; null if the system does not report it. */
  cpuUsPerRequest: number | null
}

/** Connections that pause between an answer and their next request. */
interface PausingConnections {
  count: number
  /** Mean pause: at random from 0 to twice as long, so that connections do not fall into step. */
  pauseMs: number
}

const usualBody = {
  model: 'auto',
  messages: [
    { role: 'system', content: 'You answer in one sentence.' },
    { role: 'user', content: 'How long is a request of a usual length, when nobody counts?' },
  ],
}

/** @param body  in OpenAI's chat form, of which Anthropic's needs one more field */
export function bodyOf({ form }: Pick<Target, 'form'>, body: object): string {
  return JSON.stringify(form === 'messages' ? { ...body, max_tokens: 1024 } : body)
}

/** @throws Error when an answer is not a 200 that contains the marker */
export async function loadWith(
  target: Target,
  connections: number | PausingConnections,
  durationMs: number,
): Promise<Load> {
  const { count, pauseMs } =
    typeof connections === 'number' ? { count: connections, pauseMs: 0 } : connections
  const request = requestBytes(target, bodyOf(target, usualBody))
  const reconnect = async () => newExchange(await open(target), request, target.marker)
  const exchanges = await Promise.all(Array.from({ length: count }, reconnect))
  const latenciesMs: number[] = []
  const cpuBefore = cpuUs(target.pid)
  const startedAt = performance.now()
  const deadline = startedAt + durationMs
  await Promise.all(
    exchanges.map(async (first) => {
      let exchange = first
      while (performance.now() < deadline) {
        if (exchange.isOver()) exchange = await reconnect()
        latenciesMs.push(await exchange.ask())
        if (pauseMs > 0) await pause(Math.random() * 2 * pauseMs)
      }
      exchange.end()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const cpuAfter = cpuUs(target.pid)
  const requests = latenciesMs.length
  return {
    latenciesMs,
    requestsPerSecond: requests / seconds,
    cpuUsPerRequest:
      cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests,
  }
}

/** A connection that is ready to send. */
export async function open({ port, ca }: Target): Promise<Socket> {
  const host = '127.0.0.1'
  if (ca === null) {
    const socket = connectPlain({ host, port, noDelay: true })
    await once(socket, 'connect')
    return socket
  }
  const socket = connect({ host, port, ca, servername: 'localhost' })
  await once(socket.setNoDelay(), 'secureConnect')
  return socket
}

/** A request as sent on the wire. @param body  JSON */
export function requestBytes({ port, path, headers }: Target, body: string): Buffer {
  const fields = {
    host: `localhost:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** One connection that sends the same request again and again. */
export interface Exchange<Answered> {
  /** Sends the request, and resolves when its whole answer arrived. */
  ask(): Promise<Answered>
  /** Whether the last answer said `connection: close`, as after 10,000 requests: the next one needs a new connection. */
  isOver(): boolean
  end(): void
}

/** Whether an answer's head ends the connection. */
export function saysClose(answer: string): boolean {
  return answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase().includes('\r\nconnection: close')
}

/** @returns an exchange that resolves to the ms until the whole answer arrived */
function newExchange(socket: Socket, request: Buffer, marker: string): Exchange<number> {
  let received = ''
  let isOver = false
  let settle: { resolve(latencyMs: number): void; reject(error: Error): void } | null = null
  let sentAt = 0
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    if (!isWhole(received)) return
    const latencyMs = performance.now() - sentAt
    const isRight = received.startsWith('HTTP/1.1 200') && received.includes(marker)
    isOver = saysClose(received)
    if (isRight) settle?.resolve(latencyMs)
    else settle?.reject(new Error(`not the answer meant: ${received.slice(0, 500)}`))
    received = ''
  })
  socket.on('close', () => settle?.reject(new Error('the server closed the connection')))
  socket.on('error', (error: Error) => settle?.reject(error))
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        sentAt = performance.now()
        socket.write(request)
      }),
    isOver: () => isOver,
    end: () => void socket.destroy(),
  }
}

function isWhole(answer: string): boolean {
  const headersEnd = answer.indexOf('\r\n\r\n')
  if (headersEnd === -1) return false
  const length = /^content-length: *(\d+)/im.exec(answer.slice(0, headersEnd))?.[1]
  return length !== undefined && answer.length >= headersEnd + 4 + Number(length)
}

/** Processor time so far, in µs. Linux counts in hundredths of a second; `utime` and `stime` are fields 14 and 15. */
export function cpuUs(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field, the name, may contain spaces and ends at the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
