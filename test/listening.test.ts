/** Where the endpoint listens, and in which protocols (contract section 1). */
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from './test-service.ts'

let running: TestService
let ports: { https: number; http: number }

beforeAll(async () => {
  running = await startTestService({ service: { httpPort: 0 } }, afterAll)
  const endpoint = running.service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')
  const portOf = (url: string) => Number(new URL(url).port)
  ports = { https: portOf(endpoint.url), http: portOf(endpoint.httpUrl ?? '') }
})

/** @returns what the handshake agreed on, or the code it failed with */
async function shakeHands(options: ConnectionOptions): Promise<string> {
  const endpoint = running.service.endpoint()
  const caFile = endpoint.status === 'listening' ? endpoint.caFile : ''
  const ca = await readFile(caFile)
  const socket = connectTls({ port: ports.https, host: '127.0.0.1', ca, ...options })
  try {
    await once(socket, 'secureConnect')
    return `${socket.getProtocol()} ${socket.alpnProtocol}`
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  } finally {
    socket.destroy()
  }
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
  const handshake = await shakeHands({ minVersion: version, maxVersion: version })

  expect(handshake).toBe(`${version} false`)
})

test('refuses TLS 1.1', async () => {
  // OpenSSL itself speaks it only at its lowest level.
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const

  expect(await shakeHands(old)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
})

test('agrees on HTTP/1.1 with a client that would rather have HTTP/2', async () => {
  expect(await shakeHands({ ALPNProtocols: ['h2', 'http/1.1'] })).toBe('TLSv1.3 http/1.1')
})

test('agrees on nothing with a client that only has HTTP/2', async () => {
  expect(await shakeHands({ ALPNProtocols: ['h2'] })).toMatch(/NO_APPLICATION_PROTOCOL$/)
})

// Linux answers on all of 127.0.0.0/8: who listens on every interface is found on 127.0.0.2.
test.runIf(process.platform === 'linux').each(['https', 'http'] as const)(
  'is reached over %s at no other address of this computer',
  async (protocol) => {
    const socket = connectTcp({ port: ports[protocol], host: '127.0.0.2' })

    await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  },
)
