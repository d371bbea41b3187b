/** How long a connection without requests stays open, without TLS because it makes no difference here. */
import type { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openSocketPair } from '../../../../test/http/socket-pair.ts'
import { ActiveRequests } from '../answers/active-requests.ts'
import { openTrustedProxies } from '../sockets/trusted-proxies.ts'
import { FastConnection } from './connection.ts'

function neverAsked(): never {
  throw new Error('nothing is asked in this test')
}

async function open(firstRequestMs: number) {
  const { client, socket } = await openSocketPair()
  const closed = vi.fn<() => void>()
  client.on('close', closed)
  const leave = vi.fn<(socket: Socket) => void>()
  void new FastConnection(socket, {
    firstRequestMs,
    keepAliveMs: 60_000,
    leave,
    activeRequests: new ActiveRequests(() => ({ total: 1, perKey: 1 })),
    answerChat: { admit: neverAsked },
    configuration: neverAsked,
    hosts: neverAsked,
    proxies: openTrustedProxies([]),
    allowedOrigins: neverAsked,
    bodyLimitBytes: neverAsked,
    newRequestId: neverAsked,
    now: () => 0,
    stallMs: 60_000,
    onRefused: () => {},
    onKeyUse: () => {},
    onBug: neverAsked,
  })
  return { client, closed, leave }
}

test('a client that connects and sends nothing is disconnected', async () => {
  const { closed, leave } = await open(50)

  await expect.poll(() => closed).toHaveBeenCalledOnce()
  expect(leave).not.toHaveBeenCalled()
})

test('an unfinished request is handed to Node’s HTTP server, which has its own time limits', async () => {
  const { client, closed, leave } = await open(60_000)

  client.write('POST /api/router/')

  await expect.poll(() => leave).toHaveBeenCalledOnce()
  expect(closed).not.toHaveBeenCalled()
})
