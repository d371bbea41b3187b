import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../test-service.ts'

test.each([
  ['no address for a client that sends a host name', 'localhost', 'DNS:localhost'],
  [
    'the addresses for a client that uses an address',
    '',
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  ],
])('the certificate contains %s', async (_what, servername, names) => {
  const { service, origin } = await startTestService()
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('the endpoint does not listen')
  const ca = await readFile(endpoint.caFile, 'utf8')

  const socket = tls.connect({
    host: '127.0.0.1',
    port: Number(new URL(origin).port),
    servername,
    ca,
  })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')

  expect(socket.getPeerCertificate().subjectaltname).toBe(names)
})
