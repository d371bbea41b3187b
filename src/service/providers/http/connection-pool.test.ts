/** The pool against servers that answer well, late, twice, or not at all. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  ask,
  answerOf,
  poolOf,
  question,
  answerWithNumbers,
} from '../../../../test/providers/pooled-request.ts'
import { startRawUpstream } from '../../../../test/providers/raw-upstream.ts'
import type { UpstreamRequest } from './exchange.ts'

/** The system's error, or undici's message for it. */
const broken = /^error (ECONNRESET|UND_ERR_SOCKET)$/

describe('a connection', () => {
  test('is used again', async () => {
    const pool = poolOf(await startRawUpstream(answerWithNumbers))

    expect(await ask(pool).outcome).toBe('200 1.1')
    expect(await ask(pool).outcome).toBe('200 1.2')
  })

  test.each([
    ['a second', ['keep-alive: timeout=1'], '200 2.1'],
    ['no time', ['keep-alive: timeout=0'], '200 2.1'],
    ['a minute', ['keep-alive: timeout=60'], '200 1.2'],
    ['only this answer', ['connection: close'], '200 2.1'],
  ])('of a server that keeps it for %s is used for that time', async (_name, headers, expected) => {
    const upstream = await startRawUpstream(({ socket, connection, nth }) => {
      socket.write(answerOf(`${connection}.${nth}`, ...headers))
    })
    const pool = poolOf(upstream)

    await ask(pool).outcome

    expect(await ask(pool).outcome).toBe(expected)
  })

  test('is not used in the last second of the server’s keep-alive time', async () => {
    const upstream = await startRawUpstream(({ socket, connection, nth }) => {
      socket.write(answerOf(`${connection}.${nth}`, 'keep-alive: timeout=2'))
    })
    const pool = poolOf(upstream)
    await ask(pool).outcome
    // Between two rounds of the timer that closes old connections.
    await sleep(500)
    await ask(pool).outcome
    await sleep(1_050)

    // The first request of a new connection. On a busy machine, the second request has opened one, too.
    expect(await ask(pool).outcome).toMatch(/^200 \d\.1$/)
  })

  test('is closed when it is unused for the server’s keep-alive time', async () => {
    const upstream = await startRawUpstream(({ socket }) => {
      socket.write(answerOf('x', 'keep-alive: timeout=2'))
    })
    const pool = poolOf(upstream)
    const askedAtMs = performance.now()
    let closedAfterMs: number | null = null
    await ask(pool).outcome
    upstream.sockets[0]?.on('close', () => {
      closedAfterMs = performance.now() - askedAtMs
    })

    await expect.poll(() => closedAfterMs).toBeGreaterThan(600)
  })

  test('is closed by an unsolicited byte, which reaches no request', async () => {
    const upstream = await startRawUpstream((request) => {
      answerWithNumbers(request)
      if (request.connection === 1) setTimeout(() => request.socket.write(answerOf('stale')), 20)
    })
    const pool = poolOf(upstream)

    expect(await ask(pool).outcome).toBe('200 1.1')
    await expect.poll(() => upstream.sockets[0]?.closed).toBe(true)
    expect(await ask(pool).outcome).toBe('200 2.1')
  })

  test('is closed when a second answer comes with the first', async () => {
    const upstream = await startRawUpstream(({ socket, connection, nth }) => {
      const answer = answerOf(`${connection}.${nth}`)
      socket.write(connection === 1 ? answer + answerOf('stale') : answer)
    })
    const pool = poolOf(upstream)

    expect(await ask(pool).outcome).toBe('200 1.1')
    expect(await ask(pool).outcome).toBe('200 2.1')
  })

  test('takes no request after the server has ended it', async () => {
    const upstream = await startRawUpstream((request) => {
      answerWithNumbers(request)
      if (request.connection === 1) setTimeout(() => request.socket.end(), 10)
    })
    const pool = poolOf(upstream)
    await ask(pool).outcome
    await expect.poll(() => upstream.sockets[0]?.closed).toBe(true)

    expect(await ask(pool).outcome).toBe('200 2.1')
    expect(upstream.requests).toHaveLength(2)
  })
})

describe('a request on a kept connection that closes', () => {
  test.each([
    ['before any byte of the answer', (socket: Socket) => void socket.destroy()],
    ['by a reset', (socket: Socket) => void socket.resetAndDestroy()],
    ['after its first bytes', (socket: Socket) => void socket.end('HTTP')],
    ['after a second', (socket: Socket) => void setTimeout(() => socket.destroy(), 1_100)],
  ])('%s fails and is never sent again', async (_name, close) => {
    const upstream = await startRawUpstream((request) => {
      if (request.nth === 1) answerWithNumbers(request)
      else close(request.socket)
    })
    const pool = poolOf(upstream)
    await ask(pool).outcome

    expect(await ask(pool).outcome).toMatch(broken)
    expect(upstream.requests).toHaveLength(2)
  })
})

describe('a server that accepts every connection', () => {
  /** Requests: as many as there may be connections, and two that wait. */
  const overload = 4
  const maxConnections = 2

  describe.each<[string, (socket: Socket) => void]>([
    ['and greets in another protocol', (socket) => void socket.write('220 ready\r\n')],
    ['and closes it at once', (socket) => void socket.end()],
    ['and resets it at once', (socket) => void socket.resetAndDestroy()],
  ])('%s', (_name, onConnection) => {
    test.each([1, maxConnections, overload])(
      'fails each of %i concurrent requests at once',
      async (count) => {
        const upstream = await startRawUpstream(() => {}, { onConnection })
        const pool = poolOf(upstream, { maxConnections })

        const asked = Array.from({ length: count }, () => ask(pool))
        const outcomes = await Promise.all(asked.map(({ outcome }) => outcome))

        for (const outcome of outcomes) expect(outcome).toMatch(/^error /)
        // Each request opens its own connection, and one more when it was not sent on the first.
        expect(upstream.sockets.length).toBeGreaterThanOrEqual(count)
        expect(upstream.sockets.length).toBeLessThanOrEqual(count * 2)
      },
    )
  })
})

describe('an answer', () => {
  test('that breaks off is an error', async () => {
    const upstream = await startRawUpstream(({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
    })

    expect(await ask(poolOf(upstream)).outcome).toMatch(broken)
  })

  test('that ends with its connection is complete', async () => {
    const upstream = await startRawUpstream(({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\n\r\nall'),
    )

    expect(await ask(poolOf(upstream)).outcome).toBe('200 all')
  })

  test('that is not HTTP is an error, and its connection is closed', async () => {
    const closed = vi.fn<() => void>()
    const upstream = await startRawUpstream(({ socket }) => {
      socket.on('close', closed).write('SSH-2.0-OpenSSH_9.6\r\n\r\n')
    })

    expect(await ask(poolOf(upstream)).outcome).toBe('error InvalidResponse')
    await expect.poll(() => closed).toHaveBeenCalled()
  })

  test('whose handler throws fails with that error, and its connection is closed', async () => {
    const upstream = await startRawUpstream(answerWithNumbers)
    const pool = poolOf(upstream)
    const failure = new Error('of the reader')

    const error = await new Promise((resolve) => {
      const onData = () => {
        throw failure
      }
      pool.dispatch(question, { onHead: () => {}, onData, onEnd: () => {}, onError: resolve })
    })

    expect(error).toBe(failure)
    expect(await ask(pool).outcome).toBe('200 2.1')
  })
})

test('a request is sent as given, with its length in bytes', async () => {
  const upstream = await startRawUpstream(answerWithNumbers)
  const body = '{"content":"Grüße 🙂"}'
  await ask(poolOf(upstream), { path: '/v1/x?y', headers: { accept: 'a/b' }, body }).outcome

  expect(upstream.requests[0]?.text).toBe(
    [
      'POST /v1/x?y HTTP/1.1',
      `host: ${new URL(upstream.origin).host}`,
      'connection: keep-alive',
      'accept: a/b',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      Buffer.from(body).toString('latin1'),
    ].join('\r\n'),
  )
})

test.each<[string, Partial<UpstreamRequest>]>([
  ['a line end in a header', { headers: { authorization: 'Bearer sk-1\r\nhost: evil' } }],
  ['a line feed in a header', { headers: { authorization: 'Bearer sk-1\n' } }],
  ['a zero in a header', { headers: { authorization: 'Bearer sk-1\0' } }],
  ['a character that is not a byte', { headers: { authorization: 'Bearer sk-1–' } }],
  ['a line end in the path', { path: '/ HTTP/1.1\r\nhost: evil\r\n\r\nsk-1' }],
  ['a space in the path', { path: '/ sk-1' }],
])('a request with %s is refused before a connection is opened', async (_name, more) => {
  const upstream = await startRawUpstream(answerWithNumbers)
  const pool = poolOf(upstream)

  expect(() => ask(pool, more)).toThrow(/holds characters that cannot be sent/)
  expect(() => ask(pool, more)).not.toThrow(/sk-1/)
  expect(upstream.sockets).toEqual([])
})

test('a server is reached by its IPv6 address', async () => {
  const upstream = await startRawUpstream(answerWithNumbers, { host: '::1' })

  expect(await ask(poolOf(upstream)).outcome).toBe('200 1.1')
  expect(upstream.requests[0]?.text).toContain(`host: ${new URL(upstream.origin).host}\r\n`)
})
