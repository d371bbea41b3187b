/** Requests that wait for a connection, are aborted, or end with their pool; and answers that wait for a reader. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  ask,
  answerOf,
  poolOf,
  question,
  answerWithNumbers,
  type PooledRequest,
} from '../../../../test/providers/pooled-request.ts'
import {
  startRawUpstream,
  type RawRequest,
  type RawUpstream,
} from '../../../../test/providers/raw-upstream.ts'
import type { Connector } from '../outbound.ts'
import { UpstreamAnswer } from '../upstream-answer.ts'

/** Opens connections only when the test says so. */
function heldBack(): { connect: Connector; open: () => void } {
  const connect = buildConnector({})
  const waiting: (() => void)[] = []
  return {
    connect: (target, callback) => void waiting.push(() => connect(target, callback)),
    open: () => waiting.shift()?.(),
  }
}

/** Records the client's side of each connection. */
function recorded(): { connect: Connector; sockets: Socket[] } {
  const open = buildConnector({})
  const sockets: Socket[] = []
  const connect: Connector = (target, callback) =>
    open(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      sockets.push(socket)
      callback(null, socket)
    })
  return { connect, sockets }
}

/** Answers each request when the test says so, with the request's position in the order of arrival. */
async function patient(): Promise<RawUpstream & { answer: (position: number) => void }> {
  const upstream = await startRawUpstream(() => {})
  const answer = (position: number) => {
    upstream.requests[position]?.socket.write(answerOf(String(position)))
  }
  return { ...upstream, answer }
}

describe('more requests than connections', () => {
  test('are sent in the order they were made, as connections become free', async () => {
    const upstream = await patient()
    const pool = poolOf(upstream, { maxConnections: 2 })
    const asked = [ask(pool), ask(pool), ask(pool), ask(pool)]
    await expect.poll(() => upstream.requests).toHaveLength(2)

    for (const position of [1, 2, 3, 0]) {
      await expect.poll(() => upstream.requests.length).toBeGreaterThan(position)
      upstream.answer(position)
    }
    const outcomes = await Promise.all(asked.slice(2).map(({ outcome }) => outcome))

    expect(outcomes).toEqual(['200 2', '200 3'])
    expect(upstream.sockets).toHaveLength(2)
  })

  test('get a new connection after one is lost', async () => {
    const upstream = await startRawUpstream((request) => {
      if (request.connection === 1) request.socket.destroy()
      else answerWithNumbers(request)
    })
    const pool = poolOf(upstream, { maxConnections: 1 })
    const asked = [ask(pool), ask(pool)]

    expect(await asked[0]?.outcome).toBe('error ECONNRESET')
    expect(await asked[1]?.outcome).toBe('200 2.1')
  })

  test('keep their order when a connection closes before its request is written', async () => {
    const upstream = await startRawUpstream(({ socket, text }) => {
      if (!text.includes('/running')) socket.write(answerOf('x'))
    })
    const { connect, sockets } = recorded()
    const pool = poolOf(upstream, { connect, maxConnections: 2 })
    const running = ask(pool, { path: '/running' })
    // Leaves the second connection open and idle.
    await ask(pool).outcome

    const asked = ['/1', '/2', '/3'].map((path) => ask(pool, { path }))
    sockets[1]?.destroy()
    await Promise.all(asked.map(({ outcome }) => outcome))

    const paths = upstream.requests.map(({ text }) => text.split(' ')[1])
    expect(paths).toEqual(['/running', '/', '/1', '/2', '/3'])
    running.exchange.abort()
  })

  test('are sent before a request that is made when a connection cannot be opened', async () => {
    const upstream = await startRawUpstream(answerWithNumbers)
    const opening = heldBack()
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    let isFirst = true
    const connect: Connector = (target, callback) => {
      if (!isFirst) return opening.connect(target, callback)
      isFirst = false
      setImmediate(() => callback(refused, null))
    }
    const pool = poolOf(upstream, { connect, maxConnections: 1 })
    const late = new Promise<PooledRequest>((resolve) => {
      const onError = () => resolve(ask(pool, { path: '/late' }))
      pool.dispatch(question, { onHead: () => {}, onData: () => {}, onEnd: () => {}, onError })
    })
    const waiting = ask(pool, { path: '/waiting' })
    const { outcome } = await late
    opening.open()
    await Promise.all([waiting.outcome, outcome])

    const paths = upstream.requests.map(({ text }) => text.split(' ')[1])
    expect(paths).toEqual(['/waiting', '/late'])
  })

  test('all end when each connection closes before the pool receives it', async () => {
    const upstream = await startRawUpstream(() => {}, { onConnection: (socket) => socket.end() })
    const open = buildConnector({})
    const connect: Connector = (target, callback) =>
      open(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        socket.on('close', () => callback(null, socket)).resume()
      })
    const pool = poolOf(upstream, { connect, maxConnections: 1 })

    const outcomes = await Promise.all([ask(pool), ask(pool)].map(({ outcome }) => outcome))

    expect(outcomes).toEqual(['error ECONNRESET', 'error ECONNRESET'])
  })

  test('are tried one after the other when no connection can be opened', async () => {
    const upstream = await startRawUpstream(answerWithNumbers)
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const connect: Connector = (_target, callback) => setImmediate(() => callback(refused, null))
    const pool = poolOf(upstream, { maxConnections: 1, connect })

    const outcomes = await Promise.all([ask(pool), ask(pool)].map(({ outcome }) => outcome))

    expect(outcomes).toEqual(['error ECONNREFUSED', 'error ECONNREFUSED'])
  })
})

describe('a cancelled request', () => {
  test('is not sent if it was still waiting', async () => {
    const upstream = await patient()
    const pool = poolOf(upstream, { maxConnections: 1 })
    const [first, left, last] = [ask(pool), ask(pool, { path: '/left' }), ask(pool)]
    await expect.poll(() => upstream.requests).toHaveLength(1)

    left.exchange.abort()
    upstream.answer(0)
    await first.outcome
    await expect.poll(() => upstream.requests).toHaveLength(2)
    upstream.answer(1)

    expect(await last.outcome).toBe('200 1')
    expect(left.calls).toEqual([])
  })

  test('is never sent if its connection is still opening', async () => {
    const upstream = await startRawUpstream(answerWithNumbers)
    const { connect, open } = heldBack()
    const pool = poolOf(upstream, { connect })
    const left = ask(pool, { path: '/left' })
    left.exchange.abort()
    open()
    await expect.poll(() => upstream.sockets).toHaveLength(1)
    const next = ask(pool)
    open()

    expect(await next.outcome).toMatch(/^200 /)
    expect([left.calls, upstream.requests.length]).toEqual([[], 1])
  })

  test('that waits behind a lost connection does not fail the next one', async () => {
    const upstream = await startRawUpstream((request) => {
      if (request.connection === 1) request.socket.destroy()
      else answerWithNumbers(request)
    })
    const pool = poolOf(upstream, { maxConnections: 1 })
    const [first, left, last] = [ask(pool), ask(pool, { path: '/left' }), ask(pool)]
    left.exchange.abort()
    await first.outcome

    expect(await last.outcome).toMatch(/^200 /)
    expect(upstream.requests.filter(({ text }) => text.includes('/left'))).toEqual([])
  })

  test('that is running closes its connection, and no further handler is called', async () => {
    const closed = vi.fn<() => void>()
    const upstream = await startRawUpstream(({ socket }) => {
      socket.on('close', closed).write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel')
    })
    const left = ask(poolOf(upstream))
    await expect.poll(() => left.calls).toEqual(['head', 'data'])

    left.exchange.abort()

    await expect.poll(() => closed).toHaveBeenCalled()
    expect(left.calls).toEqual(['head', 'data'])
  })

  test('is never sent if it is cancelled in the same loop iteration', async () => {
    const upstream = await patient()
    const pool = poolOf(upstream)
    const running = ask(pool)
    const kept = ask(pool)
    await expect.poll(() => upstream.requests).toHaveLength(2)
    upstream.answer(1)
    await Promise.race([kept.outcome, running.outcome])

    ask(pool, { path: '/left' }).exchange.abort()
    await sleep(30)

    expect(upstream.requests).toHaveLength(2)
  })

  test('ignores a second cancellation and one after its end', async () => {
    const pool = poolOf(await startRawUpstream(answerWithNumbers))
    const { exchange, outcome, calls } = ask(pool)
    await outcome
    exchange.abort()
    exchange.abort()

    expect(await ask(pool).outcome).toBe('200 1.2')
    expect(calls).toEqual(['head', 'data', 'end'])
  })
})

test('bytes that arrive before a request is sent are not its answer', async () => {
  const upstream = await startRawUpstream((request) => {
    if (request.connection > 2 || request.text.includes('/warm')) answerWithNumbers(request)
  })
  const pool = poolOf(upstream)
  const warm = [ask(pool, { path: '/warm' }), ask(pool, { path: '/warm' })]
  for (const { outcome } of warm) await outcome
  const asked: PooledRequest[] = []
  const running = pool.dispatch(question, {
    // The other connection has bytes to read in this very iteration.
    onHead: () => void asked.push(ask(pool)),
    onData: () => {},
    onEnd: () => {},
    onError: () => {},
  })
  await expect.poll(() => upstream.requests).toHaveLength(3)
  const busy = upstream.requests[2]?.socket
  const other = upstream.sockets.find((socket) => socket !== busy)
  busy?.write('HTTP/1.1 200 OK\r\n\r\n')
  other?.write(answerOf('not asked for'))
  await expect.poll(() => asked).toHaveLength(1)

  expect(await asked[0]?.outcome).toBe('200 3.1')
  running.abort()
})

describe('a pool that is destroyed', () => {
  test('fails running, waiting and new requests', async () => {
    const upstream = await patient()
    const pool = poolOf(upstream, { maxConnections: 1 })
    const [running, waiting] = [ask(pool), ask(pool)]
    await expect.poll(() => upstream.requests).toHaveLength(1)

    pool.destroy()
    const late = ask(pool)

    for (const { outcome } of [running, waiting, late]) {
      expect(await outcome).toMatch(/^error ECONNRESET$/)
    }
    const { signal } = new AbortController()
    await expect(UpstreamAnswer.ask(pool, question, signal)).rejects.toThrow(/closed/)
    expect(upstream.sockets).toHaveLength(1)
  })

  test('closes a connection that is opening, and fails its request', async () => {
    const closed = vi.fn<() => void>()
    const onConnection = (socket: RawRequest['socket']) => void socket.on('close', closed)
    const upstream = await startRawUpstream(answerWithNumbers, { onConnection })
    const { connect, open } = heldBack()
    const pool = poolOf(upstream, { connect })
    const asked = ask(pool)

    pool.destroy()
    open()

    expect(await asked.outcome).toBe('error ECONNRESET')
    await expect.poll(() => closed).toHaveBeenCalled()
    expect(upstream.requests).toEqual([])
  })

  test('keeps no connection open', async () => {
    const closed = vi.fn<() => void>()
    const onConnection = (socket: RawRequest['socket']) => void socket.on('close', closed)
    const pool = poolOf(await startRawUpstream(answerWithNumbers, { onConnection }))
    await ask(pool).outcome

    pool.destroy()

    await expect.poll(() => closed).toHaveBeenCalled()
  })
})

describe('a slow reader', () => {
  const megabytes = 64

  test('slows its upstream down and gets every byte', async () => {
    const piece = Buffer.alloc(1_000_000, 'x')
    const upstream = await startRawUpstream(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${megabytes * piece.length}\r\n\r\n`)
      for (let sent = 0; sent < megabytes; sent += 1) socket.write(piece)
    })
    const pool = poolOf(upstream)
    const { path, method, headers, body } = question
    const answer = await UpstreamAnswer.ask(
      pool,
      { path, method, headers, body },
      new AbortController().signal,
    )
    await sleep(100)
    // The systems' buffers hold some of it; the rest waits at the server.
    const unsent = upstream.sockets[0]?.writableLength ?? 0
    let bytes = 0
    for (let next = await answer.read(); next !== null; next = await answer.read()) {
      for (const each of next) bytes += each.length
    }

    expect(unsent).toBeGreaterThan((megabytes * piece.length) / 2)
    expect(bytes).toBe(megabytes * piece.length)
  })

  test('does not use a hundred times the answer’s memory when chunks have one byte', async () => {
    const upstream = await startRawUpstream(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      socket.end(`${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`)
    })
    const { signal } = new AbortController()
    const answer = await UpstreamAnswer.ask(poolOf(upstream), question, signal)

    await expect(answer.readWhole(1_000_000)).rejects.toThrow(RangeError)
    answer.abort()
  })

  test('frees its connection for the next request', async () => {
    const long = 'x'.repeat(100_000)
    const upstream = await startRawUpstream(({ socket, nth }) => {
      socket.write(answerOf(nth === 1 ? long : String(nth)))
    })
    const pool = poolOf(upstream, { maxConnections: 1 })
    const { signal } = new AbortController()
    const answer = await UpstreamAnswer.ask(pool, question, signal)
    const whole = answer.readWhole(1_000_000)
    const next = ask(pool)

    expect((await whole).length).toBe(long.length)
    expect(await next.outcome).toBe('200 2')
  })

  test('leaves no timer after it read part of an answer that arrived whole', async () => {
    const pool = poolOf(await startRawUpstream(({ socket }) => socket.write(answerOf('no'))))
    const answer = await UpstreamAnswer.ask(pool, question, new AbortController().signal)
    const countTimers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = countTimers()

    expect(await answer.readBeginning({ maxBytes: 100, ms: 60_000 })).toBe('no')
    expect(countTimers()).toBe(before)
  })

  test('leaves no listener on its signal', async () => {
    const pool = poolOf(await startRawUpstream(answerWithNumbers))
    const { signal } = new AbortController()
    const remove = vi.spyOn(signal, 'removeEventListener')
    onTestFinished(() => remove.mockRestore())
    const answer = await UpstreamAnswer.ask(pool, question, signal)
    await answer.readWhole(100)

    expect(remove).toHaveBeenCalledOnce()
  })
})
