/** The endpoint's addresses and protocols (contract section 1). */
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
let ports: { https: number; http: number }

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({ service: { httpPort: 0 } }, atEnd)
  const endpoint = running.service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')
  const portOf = (url: string) => Number(new URL(url).port)
  ports = { https: portOf(endpoint.url), http: portOf(endpoint.httpUrl ?? '') }
})

/** @returns the protocol that the handshake negotiated, or the code of its failure */
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
  // OpenSSL itself supports it only at its lowest security level.
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const

  expect(await shakeHands(old)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
})

test('negotiates HTTP/1.1 with a client that prefers HTTP/2', async () => {
  expect(await shakeHands({ ALPNProtocols: ['h2', 'http/1.1'] })).toBe('TLSv1.3 http/1.1')
})

test('refuses a client that supports only HTTP/2', async () => {
  expect(await shakeHands({ ALPNProtocols: ['h2'] })).toMatch(/NO_APPLICATION_PROTOCOL$/)
})

// Linux answers on all of 127.0.0.0/8, so a server that listens on every interface is reachable at 127.0.0.2.
test.runIf(process.platform === 'linux').each(['https', 'http'] as const)(
  'cannot be reached over %s at other addresses of this computer',
  async (protocol) => {
    const socket = connectTcp({ port: ports[protocol], host: '127.0.0.2' })

    await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  },
)
