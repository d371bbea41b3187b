/** Requests while the service stops, and the service when a part of it fails. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../src/service/data-folder/log.ts'
import { startService, type Service } from '../../src/service/service.ts'
import { asLateAsSockets } from './as-late-as-sockets.ts'
import type { FakeModel } from '../fake-provider.ts'
import { chatRequest, dial } from './raw-client.ts'
import { hello, startTestService } from '../test-service.ts'

const streamed = { ...hello, stream: true }

function rowsOf(dataDir: string): unknown[] {
  const db = new Sqlite(join(dataDir, 'modelport.db'), { readonly: true })
  onTestFinished(() => void db.close())
  return db.prepare('SELECT status, error_code FROM requests').all()
}

test('an answer that ends during the drain is completed, and a new request is refused', async () => {
  const slow: FakeModel = { text: 'one two three', chunks: 10, chunkDelayMs: 100 }
  const running = await startTestService({ models: { slow } })
  const idle = await dial(running)
  const answer = await running.post('chat/completions', streamed)

  const closed = running.service.close()
  idle.write(chatRequest(running, JSON.stringify(hello)))
  const late = await text(idle)

  expect(late).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n.*"code":"overloaded"/s)
  expect(await answer.text()).toMatch(/"finish_reason":"stop".*data: \[DONE\]\n\n$/s)
  await closed
  expect(rowsOf(running.dataDir)).toEqual([{ status: 200, error_code: null }])
})

test('an answer that outlasts the drain ends with an error and is in the ledger', async () => {
  const endless: FakeModel = { text: 'x'.repeat(1_000), chunks: 1_000, chunkDelayMs: 100 }
  const { service, post, dataDir, fake } = await startTestService({
    models: { endless, mute: { firstByteDelayMs: 30_000 } },
  })
  const stream = await post('chat/completions', streamed)
  const whole = post('chat/completions', { ...hello, model: 'fake:mute' })
  await expect.poll(() => fake.requestCount()).toBe(2)

  const closed = service.close()
  const [body, answer] = await Promise.all([stream.text(), whole])
  await closed

  expect(body).toMatch(/"code":"overloaded"\}\}\n\ndata: \[DONE\]\n\n$/)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: 'overloaded' } })
  expect(rowsOf(dataDir)).toEqual([
    { status: 503, error_code: 'overloaded' },
    { status: 503, error_code: 'overloaded' },
  ])
})

test('every connection is closed, in any state', async () => {
  const running = await startTestService()
  const port = Number(new URL(running.origin).port)
  const inHandshake = connect(port, '127.0.0.1')
  onTestFinished(() => void inHandshake.destroy())
  // An unfinished TLS record.
  inHandshake.on('error', () => {}).write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
  const idle = await dial(running)
  const used = await dial(running)
  const general = await dial(running)
  used.write(chatRequest(running, JSON.stringify(hello)))
  general.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await Promise.all([used, general].map((socket) => once(socket, 'data')))
  const closed = [inHandshake, idle, used, general].map((socket) => once(socket.resume(), 'close'))

  // A connection that nobody closes ends after ten seconds.
  const tooLate = asLateAsSockets(5_000).then(() => 'five seconds have passed')
  await running.service.close()
  expect(await Promise.race([Promise.all(closed), tooLate])).toHaveLength(4)
})

async function startAt(dataDir: string): Promise<Service> {
  return await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    env: {},
    holder: 'serve',
    port: 0,
  })
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a paused service completes its answers and refuses new requests until it is resumed', async () => {
  const slow: FakeModel = { text: 'one two three', chunks: 10, chunkDelayMs: 20 }
  const { service, post } = await startTestService({ models: { slow } })
  const answer = await post('chat/completions', streamed)

  service.setPaused(true)
  const refused = await post('chat/completions', hello)

  expect(refused.status).toBe(503)
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refused.json()).toMatchObject({
    error: {
      type: 'service_unavailable_error',
      code: 'overloaded',
      message: 'Modelport is paused. Resume serving in its window.',
    },
  })
  expect(await answer.text()).toMatch(/"finish_reason":"stop".*data: \[DONE\]\n\n$/s)
  service.setPaused(false)
  expect((await post('chat/completions', hello)).status).toBe(200)
})

test('stops completely even if the last uses of keys cannot be stored', async () => {
  const { service, post, dataDir } = await startTestService()
  await (await post('chat/completions', hello)).text()
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  db.exec('DROP TABLE api_keys')
  db.close()

  await service.close()

  // The folder is released, and the endpoint is closed.
  await expect(post('chat/completions', hello)).rejects.toThrow('fetch failed')
})

test('a failed start releases the folder and its database', async () => {
  const dataDir = await temporaryFolder()
  await (await startAt(dataDir)).close()
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  db.exec("UPDATE routers SET models = '{}'")

  await expect(startAt(dataDir)).rejects.toThrow('Invalid input')

  // In this mode SQLite needs exclusive access to the file, so any open connection would be an error.
  expect(db.pragma('journal_mode = DELETE', { simple: true })).toBe('delete')
  db.close()
})

test('an event listener that throws does not affect the request', async () => {
  const { service, post, ledger } = await startTestService()
  service.on('request:finished', () => {
    throw new Error('the window is gone')
  })

  const answer = await post('chat/completions', hello)

  expect(answer.status).toBe(200)
  expect(await ledger(1)).toHaveLength(1)
})

test('two simultaneous calls of listen give one working endpoint', async () => {
  const { service, get, origin } = await startTestService()
  const port = Number(new URL(origin).port)

  const states = await Promise.all([service.listen(port), service.listen(port)])

  expect(states.map(({ status }) => status)).toEqual(['listening', 'listening'])
  expect(service.endpoint().status).toBe('listening')
  expect((await get('/healthz')).status).toBe(204)
})

test('a full disk under the log does not end the program', async () => {
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'logs'))
  await symlink('/dev/full', join(dataDir, 'logs', 'modelport.log'))
  const log = openLog(dataDir)

  log.failed('a part', new Error('first'))
  // An error of the file arrives later, as an event that would end the process.
  await sleep(100)

  expect(() => log.failed('a part', new Error('second'))).not.toThrow()
  await log.close()
  expect(() => log.failed('a part', new Error('after the end'))).not.toThrow()
})
