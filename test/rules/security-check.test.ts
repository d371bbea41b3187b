/** `modelport doctor --security`: each attack notices an instance that is not protected. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SecurityCheck } from '../../src/shared/app/security-check.ts'
import { examineSecurity } from '../../src/service/doctor/security/examine-security.ts'
import { checkFuses } from '../../src/service/doctor/security/fuses.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'

/** The endpoint disconnects slow clients after ten seconds; the tests do not wait for that. */
const slowLimitMs = 100

async function attack({ dataDir, origin }: TestService, url = origin) {
  const checks = await examineSecurity({ dataDir, url, allowedHosts: [], slowLimitMs })
  const named = (status: SecurityCheck['status']) =>
    checks.filter((one) => one.status === status).map(({ check }) => check)
  return { checks, named }
}

test('a new instance passes all attacks', async () => {
  const running = await startTestService()

  const { checks, named } = await attack(running)

  expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
    { check: 'Slow client', seen: '0 of 3 were closed' },
  ])
  expect(named('ok')).toEqual(
    expect.arrayContaining(['DNS rebinding', 'Foreign origin', 'File modes', 'Keys in files']),
  )
  expect(checks[0]).toMatchObject({ tried: '40 requests under other host names' })
})

test('a service that its operator opened to the network may be reached there', async () => {
  const { dataDir, origin: url } = await startTestService()

  const checks = await examineSecurity({
    dataDir,
    url,
    allowedHosts: [],
    isOnNetwork: true,
    slowLimitMs,
  })

  expect(checks.find(({ check }) => check === 'Other addresses')).toMatchObject({
    status: 'not_applicable',
  })
})

test('a database that others can read is found', async () => {
  const running = await startTestService()
  chmodSync(join(running.dataDir, 'modelport.db'), 0o644)

  const { checks } = await attack(running)

  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'File modes',
      status: 'failed',
      seen: expect.stringContaining('modelport.db'),
    }),
  )
})

/** Answers everything with 200 and writes it to a file of the data folder. */
async function startCareless({ dataDir }: TestService): Promise<string> {
  const pem = readFileSync(join(dataDir, 'tls', 'named.pem'), 'utf8')
  const log = join(dataDir, 'careless.log')
  const answer = (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      writeFileSync(log, bytes, { flag: 'a', mode: 0o600 })
      socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\nconnection: close\r\n\r\n')
    })
  }
  const tls = createServer({ cert: pem, key: pem }, answer)
  tls.on('tlsClientError', () => {})
  const server = createTcpServer((socket) => {
    socket.once('readable', () => {
      const bytes: unknown = socket.read()
      if (!Buffer.isBuffer(bytes)) return
      socket.unshift(bytes)
      if (bytes[0] === 0x16) tls.emit('connection', socket)
      else answer(socket)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

test('an instance without protection fails the attacks', async () => {
  const running = await startTestService()

  const { named } = await attack(running, await startCareless(running))

  expect(named('failed')).toEqual([
    'DNS rebinding',
    'Foreign origin',
    'No API key',
    'Wrong API key',
    'API key in the address',
    'Plain HTTP',
    'Slow client',
    'Oversize request',
    'Keys in files',
  ])
})

describe('fuses', () => {
  const marker = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
  const binaryWith = (fuses: string) => {
    const file = join(temporaryFolder(), 'program')
    const filling = Buffer.alloc(5_000_000, 7)
    const wire = Buffer.concat([
      Buffer.from(marker),
      Buffer.from([1, fuses.length]),
      Buffer.from(fuses),
    ])
    writeFileSync(file, Buffer.concat([filling, wire, filling]))
    return file
  }

  test.each([
    ['01001100', 'ok', 'all as configured'],
    ['010011001', 'ok', 'all as configured'],
    ['11001100', 'failed', 'not as configured: RunAsNode'],
    ['0100110', 'failed', 'not as configured: GrantFileProtocolExtraPrivileges'],
    ['010011000', 'failed', 'not as configured: WasmTrapHandlers'],
    ['0100110010', 'failed', 'not as configured: 1 that Modelport does not know'],
  ] as const)('%s is %s', async (fuses, status, seen) => {
    expect(await checkFuses(binaryWith(fuses))).toMatchObject({ status, seen })
  })

  test('a program without them fails, and another program than the app has none', async () => {
    const file = join(temporaryFolder(), 'program')
    writeFileSync(file, 'nothing')

    expect(await checkFuses(file)).toMatchObject({ status: 'failed' })
    expect(await checkFuses(null)).toMatchObject({ status: 'not_applicable' })
  })
})
