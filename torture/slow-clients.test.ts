/** Clients that hold connections without completing a request, while another client uses the service. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTcp, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { quantile } from '../bench/quantile.ts'
import { row } from '../bench/row.ts'
import { dial } from '../test/http/raw-client.ts'
import { hello, startTestService, type TestService } from '../test/test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'

const perKind = amount({ quick: 5, full: 200 })
/** The documented limit for a request's head, and the interval in which it is checked. */
const headersMs = 10_000
const checkMs = 1_500

/** How a slow client spends its connection. Each sends a byte per second at most. */
const kinds: Record<string, (running: TestService) => Promise<Socket>> = {
  'sends nothing': (running) => openTcp(running),
  'sends half of the TLS greeting': async (running) => {
    const socket = await openTcp(running)
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]))
    return socket
  },
  'sends half of its headers': async (running) => {
    const socket = await dial(running)
    socket.write('POST /api/router/x/chat/completions HTTP/1.1\r\nhost: localhost\r\n')
    return socket
  },
  'sends a header byte by byte': async (running) => {
    const socket = await dial(running)
    socket.write('GET /healthz HTTP/1.1\r\nx-slow: ')
    drip(socket)
    return socket
  },
  'sends nothing after its handshake': (running) => dial(running),
}

async function openTcp({ origin }: TestService): Promise<Socket> {
  const socket = connectTcp({ host: '127.0.0.1', port: Number(new URL(origin).port) })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 1_000)
  socket.once('close', () => clearInterval(timer))
}

/** @returns the ms until the service closes the connection */
async function closedAfter(socket: Socket): Promise<number> {
  const openedAt = performance.now()
  socket.on('data', () => {}).on('end', () => socket.end())
  if (!socket.closed) await once(socket, 'close')
  return performance.now() - openedAt
}

test(
  'slow clients are disconnected, and another client is answered meanwhile',
  { timeout: tortureTimeoutMs },
  async () => {
    const running = await startTestService({ router: { tier: 'enterprise' } })
    const closing: Promise<readonly [kind: string, tookMs: number]>[] = []
    for (const [kind, open] of Object.entries(kinds)) {
      const sockets = await Promise.all(Array.from({ length: perKind }, () => open(running)))
      closing.push(...sockets.map(async (socket) => [kind, await closedAfter(socket)] as const))
    }
    const answersMs: number[] = []
    const closed = Promise.all(closing)
    const isOver = closed.then(() => true)
    while (!(await Promise.race([isOver, pause(50, false)]))) {
      const startedAt = performance.now()
      const answer = await running.post('chat/completions', hello)
      expect(answer.status).toBe(200)
      await answer.text()
      answersMs.push(performance.now() - startedAt)
    }
    const byKind = Map.groupBy(await closed, ([kind]) => kind)
    const target = { atMost: headersMs + checkMs }
    expectMeasured([
      row('slow connections', [closing.length, ''], { target: { atLeast: 5 * perKind } }),
      ...[...byKind].map(([kind, ended]) =>
        row(
          `a client that ${kind}: closed after`,
          [Math.max(...ended.map(([, tookMs]) => tookMs)), 'ms'],
          { target },
        ),
      ),
      row('answers to another client', [answersMs.length, ''], { target: { atLeast: 10 } }),
      row('another client’s answer, p99', [quantile(answersMs, 0.99), 'ms'], {
        target: { atMost: 250 },
      }),
    ])
  },
)
