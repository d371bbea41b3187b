/** The connection to Valkey: lost, slow, restarted empty, with a wrong password, over TLS. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTestCertificate } from '../fake-provider/certificate.ts'
import { freePort } from '../engines/server-process.ts'
import { startRedis } from '../engines/redis.ts'
import { connectNode, openNode } from './nodes.ts'

const entry = { value: Buffer.from('a copy'), ttlMs: 60_000 }

/** The reason why a new node could not connect; null if it could. Half a second can be too short for a busy machine. */
async function reasonAt(url: string): Promise<string | null> {
  const status = (await openNode(url)).state.status()
  return status.kind === 'disconnected' ? status.reason : null
}

test('two nodes hear each other’s messages and read each other’s copies', async () => {
  const { url } = await startRedis()
  const [one, two] = [await connectNode(url), await connectNode(url)]
  const heard = vi.fn<(message: unknown) => void>()
  const ownHeard = vi.fn<(message: unknown) => void>()
  one.state.subscribe('rate', ownHeard)
  two.state.subscribe('rate', heard)

  one.state.publish('rate', { a: 1 })
  one.state.write('conversation', 'id', entry)

  await expect.poll(() => heard.mock.calls).toEqual([[{ a: 1 }]])
  expect(ownHeard).not.toHaveBeenCalled()
  await expect.poll(() => two.state.read('conversation', 'id')).toEqual(entry.value)
  expect(await two.state.read('conversation', 'other')).toBeNull()
  await expect.poll(() => one.state.status()).toEqual({ kind: 'connected', nodes: 2 })
})

test('every key has the prefix, an expiry, and no readable content', async () => {
  const { url, cli } = await startRedis()
  const { state } = await connectNode(url)
  const record = {
    id: 'id',
    apiKeyId: 'key_a',
    routerId: 'router_a',
    bodySha256: 'a'.repeat(64),
    isFirstAttempt: false,
  }
  state.write('conversation', 'id', entry)
  state.write('answer', 'id', entry)
  await state.idempotency.begin(record)
  await state.idempotency.finish(record, { isStreamed: false, body: entry.value, headers: {} })

  await expect.poll(() => cli('DBSIZE')).toBe('3')
  for (const key of cli('KEYS', '*').split('\n')) {
    expect(key).toMatch(/^modelport:1:/)
    expect(Number(cli('PTTL', key))).toBeGreaterThan(0)
    expect(cli('GET', key)).not.toContain('a copy')
  }
})

test('nodes with different sealing keys do not hear or read each other', async () => {
  const { url } = await startRedis()
  const [one, two] = [await connectNode(url), await connectNode(url, { sealingKey: null })]
  one.state.write('conversation', 'id', entry)
  await expect.poll(() => one.state.read('conversation', 'id')).toEqual(entry.value)
  expect(await two.state.read('conversation', 'id')).toBeNull()
  expect(two.state.canSeal).toBe(false)
})

test('a killed server is reported once, and once more when it is back, empty', async () => {
  const redis = await startRedis()
  const { state, reported } = await connectNode(redis.url)
  state.write('conversation', 'id', entry)
  await expect.poll(() => state.read('conversation', 'id')).toEqual(entry.value)

  await redis.kill()
  await expect.poll(() => state.status().kind).toBe('disconnected')
  expect(await state.read('conversation', 'id')).toBeNull()
  // More than are written together, so that they are dropped at once.
  for (let nth = 0; nth < 200; nth += 1) state.write('conversation', 'id', entry)
  await redis.restart()
  await expect.poll(() => state.status().kind).toBe('connected')

  expect(reported.map(({ kind }) => kind)).toEqual(['disconnected', 'connected'])
  // What was written during the outage was dropped, not queued.
  expect(await state.read('conversation', 'id')).toBeNull()
  state.write('conversation', 'id', entry)
  await expect.poll(() => state.read('conversation', 'id')).toEqual(entry.value)
})

test('while a server does not answer, one read waits 20 ms and the next ones do not wait', async () => {
  const redis = await startRedis()
  const { state, reported } = await connectNode(redis.url)
  redis.signal('SIGSTOP')
  onTestFinished(() => redis.signal('SIGCONT'))

  expect(await state.read('conversation', 'id')).toBeNull()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  expect(await state.read('conversation', 'id')).toBeNull()
  expect(timers).not.toHaveBeenCalled()
  timers.mockRestore()
  await expect.poll(() => reported.map(({ kind }) => kind)).toEqual(['disconnected'])
  expect(reported[0]).toMatchObject({ reason: 'it did not answer' })

  redis.signal('SIGCONT')
  await expect.poll(() => state.status().kind).toBe('connected')
})

test('a node starts without a server, and joins when there is one', async () => {
  const redis = await startRedis()
  await redis.kill()
  await expect.poll(() => reasonAt(redis.url)).toContain('ECONNREFUSED')
  const { state, reported } = await openNode(redis.url)
  expect(state.status()).toMatchObject({ kind: 'disconnected', nodes: 1 })
  expect(reported).toHaveLength(1)
  await redis.restart()
  await expect.poll(() => state.status().kind).toBe('connected')
})

test('an address that accepts connections and says nothing is unreachable', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  silent.on('connection', (socket) => onTestFinished(() => void socket.destroy()))
  const { port } = silent.address() as AddressInfo

  const { state } = await openNode(`valkey://127.0.0.1:${port}`)

  expect(state.status()).toMatchObject({ kind: 'disconnected', reason: 'it did not answer' })
})

test('a wrong password is the reason, and the right one connects', async () => {
  const { port } = await startRedis(['--requirepass', 'right'])
  await expect.poll(() => reasonAt(`redis://:wrong@127.0.0.1:${port}`)).toContain('WRONGPASS')
  const { state } = await connectNode(`redis://:right@127.0.0.1:${port}`)
  expect(state.status()).toMatchObject({ kind: 'connected' })
})

test('TLS needs a trusted certificate', async () => {
  const { ca, cert, key } = await makeTestCertificate()
  const folder = mkdtempSync(join(tmpdir(), 'modelport-redis-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const port = await freePort()
  const certificates = ['--tls-cert-file', files.cert, '--tls-key-file', files.key]
  await startRedis(['--tls-port', String(port), ...certificates, '--tls-auth-clients', 'no'])

  const { state } = await connectNode(`rediss://localhost:${port}`, { ca: [ca] })
  expect(state.status()).toMatchObject({ kind: 'connected' })
  await expect.poll(() => reasonAt(`rediss://localhost:${port}`)).toContain('certificate')
})

test('errors that follow the end of a connection do not end the process', async () => {
  const { url } = await startRedis()
  const created = vi.spyOn(net, 'createConnection')
  onTestFinished(() => created.mockRestore())
  const { state } = await connectNode(url)
  const sockets = created.mock.results.flatMap(({ type, value }) =>
    type === 'return' ? [value] : [],
  )
  expect(sockets.length).toBeGreaterThan(1)

  await state.close()

  // As the TLS alert that answers an unfinished handshake. Without a listener, `emit` throws.
  const late = new Error('late')
  for (const socket of sockets)
    expect(() => [1, 2, 3].map(() => socket.emit('error', late))).not.toThrow()
})
