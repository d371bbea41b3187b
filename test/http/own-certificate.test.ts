/** A certificate of the operator, for a name that clients reach over the network. */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Identity } from '../../src/service/http/sockets/certificates.ts'
import { makeAuthority, makeLeaf } from '../../src/service/http/sockets/make-certificates.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const name = 'models.example.com'
const dayMs = 86_400_000
const files = { certFile: '', keyFile: '' }
let authority: Identity
let running: TestService

async function install({ cert, key }: Identity): Promise<void> {
  await writeFile(files.certFile, cert)
  await writeFile(files.keyFile, key)
}

const atEnd = endOfGroup()
beforeAll(async () => {
  const folder = temporaryFolder(atEnd)
  files.certFile = join(folder, 'tls.crt')
  files.keyFile = join(folder, 'tls.key')
  authority = await makeAuthority([name], Date.now())
  await install(await makeLeaf(authority, [name], Date.now()))
  const network = { certificateFiles: files, certificateCheckMs: 20 }
  running = await startTestService({ service: { hosts: [name], network } }, atEnd)
})

async function shakeHands(servername: string, ca: string): Promise<TLSSocket> {
  const port = Number(new URL(running.origin).port)
  const socket = connect({ port, host: '127.0.0.1', servername, ca })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  return socket
}

async function serialNumber(): Promise<string> {
  return (await shakeHands(name, authority.cert)).getPeerCertificate().serialNumber
}

async function health(socket: TLSSocket): Promise<string> {
  socket.write(`GET /healthz HTTP/1.1\r\nhost: ${name}:${new URL(running.origin).port}\r\n\r\n`)
  const [bytes] = await once(socket, 'data')
  return String(bytes).split('\r\n', 1)[0] ?? ''
}

test('the operator’s certificate is served for its name, and the local one for localhost', async () => {
  const endpoint = running.service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')

  const own = await shakeHands(name, authority.cert)
  await shakeHands('localhost', await readFile(endpoint.caFile, 'utf8'))

  expect(await health(own)).toBe('HTTP/1.1 204 No Content')
})

test('a renewed certificate is served to new connections, and open ones continue', async () => {
  const open = await shakeHands(name, authority.cert)
  const before = await serialNumber()
  const renewed = await makeLeaf(authority, [name], Date.now() - 10 * dayMs)

  await install(renewed)

  await expect.poll(() => serialNumber()).not.toBe(before)
  expect(await health(open)).toBe('HTTP/1.1 204 No Content')
  const { valid_to: end } = (await shakeHands(name, authority.cert)).getPeerCertificate()
  expect(running.service.certificateEnds().leafMs).toBe(Date.parse(end))
})

test('a broken new certificate is logged, and the one before stays in use', async () => {
  const before = await serialNumber()
  const other = await makeLeaf(authority, [name], Date.now())

  await writeFile(files.keyFile, other.key)

  const log = join(running.dataDir, 'logs', 'modelport.log')
  await expect
    .poll(() => readFile(log, 'utf8'))
    .toContain(
      `The key in ${files.keyFile} is not the key of the certificate in ${files.certFile}.`,
    )
  expect(await serialNumber()).toBe(before)
  await writeFile(files.certFile, other.cert)
  await expect.poll(() => serialNumber()).not.toBe(before)
})
