/** Fast lane connections whose client does not wait for answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { chatRequest, dial } from './raw-client.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService(
    {
      models: {
        quick: {},
        big: { text: 'word '.repeat(400_000) },
        slow: { firstByteDelayMs: 60_000 },
      },
    },
    atEnd,
  )
})

const of = (model: string, more: object = {}): string =>
  chatRequest(
    running,
    JSON.stringify({ model: `fake:${model}`, messages: [{ role: 'user', content: 'x' }], ...more }),
  )

/** Collects everything that arrives, as text. */
function collect(socket: TLSSocket): { text: string } {
  const seen = { text: '' }
  socket.on('data', (bytes: Buffer) => {
    seen.text += bytes.toString('latin1')
  })
  return seen
}

const statuses = (text: string): string[] => text.match(/HTTP\/1\.1 \d{3}/g) ?? []

/** Keeps an answer in progress: writes then wait for the end of the event-loop iteration. */
async function keepBusy(): Promise<TLSSocket> {
  const other = await dial(running)
  const before = running.fake.requestCount()
  other.write(of('slow'))
  await expect.poll(() => running.fake.requestCount()).toBe(before + 1)
  return other
}

test('an answer is sent before the refusal of the next request', async () => {
  await keepBusy()
  for (let round = 0; round < 10; round += 1) {
    const socket = await dial(running)
    const seen = collect(socket)
    socket.write(`${of('quick')}NONSENSE\r\n\r\n`)
    await expect.poll(() => statuses(seen.text)).toHaveLength(2)

    expect(statuses(seen.text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  }
})

test('a client that does not read gets no more answers than fit its buffers', async () => {
  const socket = await dial(running)
  const before = running.fake.requestCount()
  socket.pause()
  for (let round = 0; round < 40; round += 1) socket.write(of('big'))
  await sleep(1_500)

  expect(running.fake.requestCount() - before).toBeLessThan(20)
  const seen = { bytes: 0 }
  socket.on('data', (bytes: Buffer) => {
    seen.bytes += bytes.length
  })
  socket.resume()
  await expect.poll(() => seen.bytes).toBeGreaterThan(40 * 2_000_000)
})
