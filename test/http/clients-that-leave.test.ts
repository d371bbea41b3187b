/** Clients that disconnect, stall or stop reading, at every point of a request. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import Sqlite from 'better-sqlite3'
import { asLateAsSockets } from './as-late-as-sockets.ts'
import type { FakeModel } from '../fake-provider.ts'
import { chatRequest, dial } from './raw-client.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const streamed = { ...hello, stream: true }
/** An answer larger than a socket's buffers. */
const endless: FakeModel = { text: 'x'.repeat(30_000_000), chunks: 300, chunkDelayMs: 1 }

async function logOf({ dataDir, service }: TestService): Promise<string> {
  // Closing writes the rest of the log.
  await service.close()
  return await readFile(join(dataDir, 'logs', 'modelport.log'), 'utf8')
}

test.each([true, false])(
  'a client that disconnects before the first part is not reported as a bug (stream: %s)',
  async (stream) => {
    const running = await startTestService({ models: { slow: { firstByteDelayMs: 5_000 } } })
    const socket = await dial(running)

    socket.write(chatRequest(running, JSON.stringify({ ...hello, stream })))
    await expect.poll(() => running.fake.requestCount()).toBe(1)
    socket.destroy()

    expect(await running.ledger(1)).toMatchObject([{ status: 499, errorCode: 'client_closed' }])
    expect(await logOf(running)).toBe('')
  },
)

test('an upload that breaks off is not reported as a bug', async () => {
  const running = await startTestService()
  const socket = await dial(running)

  socket.write(chatRequest(running, '{"messages":', 1_000))
  await asLateAsSockets(50)
  socket.destroy()
  await asLateAsSockets(50)

  expect(await logOf(running)).toBe('')
})

test('a client that disconnects while its request waits for the daily limit is not charged', async () => {
  const running = await startTestService()
  const db = new Sqlite(join(running.dataDir, 'modelport.db'))
  onTestFinished(() => void db.close())
  const socket = await dial(running)

  db.exec('BEGIN IMMEDIATE')
  socket.write(chatRequest(running, JSON.stringify(hello)))
  await asLateAsSockets(100)
  socket.destroy()
  await asLateAsSockets(100)
  db.exec('ROLLBACK')

  expect(await running.ledger(1)).toMatchObject([{ status: 499, costNanoUsd: 0 }])
  expect(running.fake.requestCount()).toBe(0)
})

test('a stalled reader is disconnected when its key is revoked', async () => {
  const running = await startTestService({ models: { endless } })
  const [key] = await running.service.dashboard.apiKeys()
  const socket = await dial(running)
  socket.pause()

  socket.write(chatRequest(running, JSON.stringify(streamed)))
  await expect.poll(() => running.fake.requestCount()).toBe(1)
  await sleep(1_000)
  await running.service.dashboard.revokeApiKey(key?.id ?? '')

  expect(await running.ledger(1)).toMatchObject([{ status: 401, errorCode: 'invalid_api_key' }])
  socket.resume()
  await expect.poll(() => socket.closed).toBe(true)
})

test('a reader that stalls too long is disconnected, and pays for the generated part', async () => {
  const running = await startTestService({ models: { endless }, service: { stallMs: 300 } })
  const socket = await dial(running)
  socket.pause()

  socket.write(chatRequest(running, JSON.stringify(streamed)))

  const [row] = await running.ledger(1)
  expect(row).toMatchObject({ status: 499, errorCode: 'client_closed' })
  expect(row?.costNanoUsd).toBeGreaterThan(0)
  await expect.poll(() => running.fake.requests[0]?.abortedAtMs).toEqual(expect.any(Number))
})

test('a reader that pauses for less time stays connected', async () => {
  const running = await startTestService({ models: { endless }, service: { stallMs: 10_000 } })
  const socket = await dial(running)
  socket.write(chatRequest(running, JSON.stringify(streamed)))
  socket.pause()
  await sleep(1_000)

  let received = ''
  socket.on('data', (piece: Buffer) => {
    received = received.slice(-60) + piece.toString('latin1')
  })
  socket.resume()
  await expect.poll(() => received).toContain('data: [DONE]')

  expect(await running.ledger(1)).toMatchObject([{ status: 200 }])
})

test('a slow reader gets every byte, and no listeners remain', async () => {
  const warnings: string[] = []
  const warn = ({ name }: Error) => warnings.push(name)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const text = 'é'.repeat(3_000_000)
  const { post } = await startTestService({ models: { long: { text, chunks: 30 } } })

  const answer = await post('chat/completions', streamed)
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body ?? []) {
    pieces.push(piece as Uint8Array)
    await sleep(1)
  }

  expect(Buffer.concat(pieces).toString().match(/é/g)).toHaveLength(3_000_000)
  expect(warnings).toEqual([])
})

test.each([1, 5, 100])('survives a reset %i bytes into the TLS handshake', async (length) => {
  const { origin, get } = await startTestService()
  const socket = connectTcp({ port: Number(new URL(origin).port), host: '127.0.0.1' })
  socket.on('error', () => {})

  // The head of a record that announces 512 bytes.
  const record = Buffer.alloc(512, 1)
  record.set([0x16, 0x03, 0x01, 0x02, 0x00])
  socket.write(record.subarray(0, length), () => setTimeout(() => socket.resetAndDestroy(), 50))
  await expect.poll(() => socket.destroyed).toBe(true)

  expect((await get('/healthz')).status).toBe(204)
})

test('a client that stalls in the TLS handshake is disconnected', async () => {
  const { origin } = await startTestService()
  const socket = connectTcp({ port: Number(new URL(origin).port), host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  // The byte was never read, so the end can arrive as a reset.
  socket.on('error', () => {})

  socket.write(Buffer.from([0x16]))

  await expect.poll(() => socket.closed).toBe(true)
})
