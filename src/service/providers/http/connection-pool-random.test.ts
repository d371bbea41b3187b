/**
 * Hundreds of requests, many of them aborted, to a server that answers well, badly or not at all, with a fixed seed.
 * An unsolicited answer sent when another one is due is left out, because no client can notice it.
 */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answerOf, ask, poolOf } from '../../../../test/providers/pooled-request.ts'
import { startRawUpstream, type RawRequest } from '../../../../test/providers/raw-upstream.ts'

/** The same numbers on each run; random enough for choosing. */
function chooser(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 0x80_00_00_00) * below)
  }
}

const maxConnections = 4

test('each request ends with its own answer or an error', async () => {
  const choose = chooser(20_261_121)
  let open = 0
  let mostOpen = 0
  const onConnection = (socket: Socket) => {
    mostOpen = Math.max(mostOpen, (open += 1))
    socket.on('close', () => (open -= 1))
  }
  const answer = ({ socket, text }: RawRequest) => {
    const path = text.split(' ')[1] ?? ''
    const chunked = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${path.length.toString(16)}\r\n${path}`
    const ways: (() => unknown)[] = [
      () => socket.write(answerOf(path)),
      () => socket.end(answerOf(path)),
      () => socket.write(answerOf(path, 'connection: close')),
      () => socket.write(answerOf(path) + answerOf('/of-nobody')),
      () => {
        socket.write(chunked)
        setTimeout(() => socket.write('\r\n0\r\n\r\n'), 2)
      },
      () => socket.end(chunked),
      () => socket.resetAndDestroy(),
      () => socket.end(),
    ]
    // The server usually behaves well.
    const way = ways[choose(3) > 0 ? 0 : choose(ways.length)]
    setTimeout(() => way?.(), choose(4))
  }
  const pool = poolOf(await startRawUpstream(answer, { onConnection }), { maxConnections })
  const ends = Array.from({ length: 600 }, async (_value, position) => {
    await sleep(choose(400))
    const path = `/${position}`
    const { exchange, outcome, calls } = ask(pool, { path })
    if (choose(5) > 0) return { path, outcome: await outcome }
    await sleep(choose(6))
    exchange.abort()
    const before = calls.length
    await sleep(50)
    return { path, outcome: calls.length === before ? 'aborted' : 'calls after the abort' }
  })

  const all = await Promise.all(ends)
  const answered = all.filter(({ path, outcome }) => outcome === `200 ${path}`)
  const others = all.filter(({ path, outcome }) => outcome !== `200 ${path}`)

  expect(
    others.filter(({ outcome }) => !/^(error (ECONNRESET|UND_ERR_SOCKET)|aborted)$/.test(outcome)),
  ).toEqual([])
  expect(answered.length).toBeGreaterThan(300)
  // A connection that the server ended may still be open when the next one opens.
  expect(mostOpen).toBeLessThanOrEqual(maxConnections * 2)
})
