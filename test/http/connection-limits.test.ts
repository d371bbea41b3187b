/** Too many connections, and too many wrong keys from one address. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Duplex } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chatRequest, dial } from './raw-client.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const closing = (running: TestService) =>
  chatRequest(running, JSON.stringify(hello)).replace('\r\n', '\r\nconnection: close\r\n')

async function answerOn(socket: Duplex, running: TestService): Promise<string> {
  socket.write(closing(running))
  return await text(socket)
}

function dialHttp({ service }: TestService): Socket {
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening' || endpoint.httpUrl === null) throw new Error('no HTTP')
  const socket = connect({ port: Number(new URL(endpoint.httpUrl).port), host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  return socket
}

describe('a connection above the limit', () => {
  test('gets a 503 and is closed, and is served once another one ended', async () => {
    const running = await startTestService({ service: { connectionLimit: 2 } })
    const first = await dial(running)
    await dial(running)

    const refused = await answerOn(await dial(running), running)
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 2\r\n[^]*"code":"overloaded"/)
    expect(refused).toContain('connection: close')

    first.destroy()
    await once(first, 'close')
    await expect
      .poll(async () => await answerOn(await dial(running), running))
      .toMatch(/^HTTP\/1\.1 200 /)
  })

  test('gets a 503 over plain HTTP, too', async () => {
    const running = await startTestService({ service: { connectionLimit: 1, httpPort: 0 } })
    await dial(running)

    expect(await answerOn(dialHttp(running), running)).toMatch(/^HTTP\/1\.1 [^]*"overloaded"/)
  })
})

test.each([true, false])(
  'a connection ends with its 10,000th answer (fast lane: %s)',
  async (fastLane) => {
    const running = await startTestService()
    await running.service.dashboard.setSetting('fastLane', fastLane)
    const socket = await dial(running)
    const answered = text(socket)
    const alive = `GET /healthz HTTP/1.1\r\nhost: ${new URL(running.origin).host}\r\n\r\n`
    socket.write(chatRequest(running, JSON.stringify(hello)))
    await once(socket, 'data')
    socket.write(alive.repeat(9_999))

    const answers = (await answered).split(/(?=HTTP\/1\.1 )/)
    expect(answers).toHaveLength(10_000)
    expect(answers.filter((each) => /^connection: close\r$/im.test(each))).toEqual(
      answers.slice(-1),
    )
    expect(answers.filter((each) => each.startsWith('HTTP/1.1 503'))).toEqual([])
  },
)

describe('wrong keys', () => {
  const unknownKey = 'mp_0000000000000000000000000000002C8GjS'
  const wrong = { headers: { authorization: `Bearer ${unknownKey}` } }

  test('are answered late after 20 in a minute; a right key is not', async () => {
    const running = await startTestService({ service: { wrongKeyDelayMs: 3_600_000 } })
    for (let count = 0; count < 20; count += 1) {
      expect((await running.get('v1/models', wrong)).status).toBe(401)
    }
    const left = new AbortController()
    let isAnswered = false
    const late = running.get('v1/models', { ...wrong, signal: left.signal }).then(
      () => (isAnswered = true),
      () => {},
    )

    expect((await running.post('chat/completions', hello)).status).toBe(200)
    expect((await running.get('v1/models')).status).toBe(200)
    expect(isAnswered).toBe(false)
    left.abort()
    await late
  })

  test('get the same answer late as at once', async () => {
    const running = await startTestService({ service: { wrongKeyDelayMs: 1 } })
    const answers = new Set<string>()
    for (let count = 0; count < 22; count += 1) {
      answers.add(await (await running.get('v1/models', wrong)).text())
    }

    expect(answers.size).toBe(1)
  })
})
