import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { der } from './certificates.ts'
import { makeAuthority, makeLeaf } from './make-certificates.ts'
import { openCertificates, type Certificates } from './tls.ts'

const run = promisify(execFile)
const dayMs = 86_400_000
let dataDir: string
let nowMs: number
const { cert: strangersCert } = await makeAuthority(['localhost'], Date.now())

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'modelport-tls-'))
  nowMs = Date.now()
})
afterEach(() => rm(dataDir, { recursive: true }))

function openThem(hosts: string[] = []): Promise<Certificates> {
  return openCertificates({ dataDir, hosts, now: () => nowMs })
}

/** The output of `openssl verify` for a leaf and an authority, with the strictest checks of RFC 5280. */
async function verify(ca: string, leaf: string): Promise<string> {
  await writeFile(join(dataDir, 'verify-ca.pem'), ca)
  await writeFile(join(dataDir, 'verify-leaf.pem'), leaf)
  const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'verify-ca.pem']
  args.push('-attime', String(Math.floor(nowMs / 1000)), 'verify-leaf.pem')
  const { stdout, stderr } = await run('openssl', args, { cwd: dataDir }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  return stdout + stderr
}

async function serve(identity: { cert: string; key: string }): Promise<[https.Server, number]> {
  const server = https.createServer(identity, (_request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a listening TCP server is never a pipe name.
  return [server, (server.address() as AddressInfo).port]
}

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8)
}

function peer({ cert }: Certificates): tls.PeerCertificate {
  const { subject, subjectaltname } = new X509Certificate(cert).toLegacyObject()
  // The identity check reads only these two fields of a peer's certificate.
  return { subject, subjectaltname } as tls.PeerCertificate
}

function get(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    https
      .get(
        url,
        {
          ca,
          agent: false,
          lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
        },
        (response) => {
          response.setEncoding('utf8')
          response.on('data', resolve)
        },
      )
      .on('error', reject)
  })
}

test('openssl accepts the leaf with its strictest checks', async () => {
  const { cert, caFile } = await openThem()

  expect(await verify(await readFile(caFile, 'utf8'), cert)).toBe('verify-leaf.pem: OK\n')
})

test.each([
  ['another host', 'example.com'],
  ['an address outside the loopback', '10.0.0.1'],
  ['an IPv6 address outside the loopback', '::2'],
])('openssl rejects a leaf for %s signed with our own authority', async (_what, name) => {
  const authority = await makeAuthority(['localhost'], nowMs)
  const forged = await makeLeaf(authority, ['localhost', name], nowMs)

  expect(await verify(authority.cert, forged.cert)).toContain('permitted subtree violation')
})

test('the authority is critical in its constraints, basic constraints and key usage', async () => {
  const addresses = [
    '192.168.1.5',
    'fd00::1',
    '2001:db8:1:2:3:4:5:6',
    '::ffff:10.1.2.3',
    'fe80::2%lo',
  ]
  const { caFile } = await openThem(['host.docker.internal', ...addresses])

  const { stdout } = await run('openssl', ['x509', '-in', caFile, '-noout', '-text'])

  expect(stdout).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/)
  expect(stdout).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
  expect(stdout).toMatch(/Name Constraints: critical\s+Permitted:\s+DNS:localhost\s/)
  expect(stdout).toContain('IP:127.0.0.0/255.0.0.0\n')
  expect(stdout).toContain('IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF\n')
  expect(stdout).toContain('DNS:host.docker.internal\n')
  expect(stdout).toContain('IP:192.168.1.5/255.255.255.255\n')
  expect(stdout).toContain('IP:FD00:0:0:0:0:0:0:1/FFFF')
  expect(stdout).toContain('IP:FE80:0:0:0:0:0:0:2/FFFF')
  expect(stdout).toContain('IP:2001:DB8:1:2:3:4:5:6/FFFF')
  expect(stdout).toContain('IP:0:0:0:0:0:FFFF:A01:203/FFFF')
  expect(stdout).toContain('Subject Key Identifier')
  expect(stdout).not.toContain('Excluded')
})

test.each([
  [0x7f, '307f'],
  [0x80, '308180'],
  [0xff, '3081ff'],
  [0x100, '30820100'],
])('a value of %i bytes begins with the shortest length', (length, header) => {
  expect(der(0x30, Buffer.alloc(length)).toString('hex')).toBe(`${header}${'00'.repeat(length)}`)
})

test('openssl reads constraints with many long host names', async () => {
  const hosts = Array.from({ length: 12 }, (_, index) => `machine-${index}.a-long-domain.example`)

  const { cert, caFile } = await openThem(hosts)

  expect(await verify(await readFile(caFile, 'utf8'), cert)).toBe('verify-leaf.pem: OK\n')
})

test.each(['localhost', '127.0.0.1'])('Node connects to %s with ca.pem alone', async (host) => {
  const certificates = await openThem()
  const [server, port] = await serve(certificates)

  const ca = await readFile(certificates.caFile, 'utf8')

  expect(await get(`https://${host}:${port}/`, ca)).toBe('hello')
  server.close()
})

test('Node refuses a host name that the leaf does not contain', async () => {
  const certificates = await openThem()
  const [server, port] = await serve(certificates)
  const ca = await readFile(certificates.caFile, 'utf8')

  await expect(get(`https://evil.example:${port}/`, ca)).rejects.toThrow(/altnames/)
  server.close()
})

test.each(['localhost', '127.0.0.1'])(
  'Python connects to %s with the bundle, strictly checked',
  async (host) => {
    const certificates = await openThem()
    const [server, port] = await serve(certificates)
    const script = `
import socket, ssl, sys
host, port, bundle = sys.argv[1], int(sys.argv[2]), sys.argv[3]
context = ssl.create_default_context(cafile=bundle)
context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
with socket.create_connection(('127.0.0.1', port)) as raw:
    with context.wrap_socket(raw, server_hostname=host) as secure:
        print(secure.version())
`
    const args = ['-c', script, host, String(port), certificates.caBundleFile]

    expect((await run('python3', args)).stdout).toBe('TLSv1.3\n')
    server.close()
  },
)

test('the leaf for clients that send a server name contains no address', async () => {
  const { named, caFile } = await openThem(['host.docker.internal', '192.168.1.5'])

  expect(await verify(await readFile(caFile, 'utf8'), named.cert)).toBe('verify-leaf.pem: OK\n')
  expect(new X509Certificate(named.cert).subjectAltName).toBe(
    'DNS:localhost, DNS:host.docker.internal',
  )
})

test('the bundle contains the system roots and ours, each once', async () => {
  const { caFile, caBundleFile } = await openThem()
  const bundle = (await readFile(caBundleFile, 'utf8')).split(/(?<=-----END CERTIFICATE-----\n)/)

  expect(bundle.at(-1)).toBe(await readFile(caFile, 'utf8'))
  expect(bundle.length).toBeGreaterThan(50)
  expect(new Set(bundle).size).toBe(bundle.length)
  expect(() => tls.createSecureContext({ ca: bundle })).not.toThrow()
})

test.each([[[]], [['models.example.com', '192.168.1.5', '::ffff:10.1.2.3', 'fe80::2%lo']]])(
  'a second open for %j reuses authority and leaf and writes nothing',
  async (hosts) => {
    const first = await openThem(hosts)
    const written = await stat(first.caBundleFile)

    const second = await openThem(hosts)

    expect(first.isNewAuthority).toBe(true)
    expect(second).toEqual({ ...first, isNewAuthority: false })
    expect((await stat(first.caBundleFile)).mtimeMs).toBe(written.mtimeMs)
  },
)

test('a leaf of 61 days is renewed under the same authority without dropping a connection', async () => {
  const first = await openThem()
  const ca = await readFile(first.caFile, 'utf8')
  const [server, port] = await serve(first)
  const open = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca })
  await once(open, 'secureConnect')
  expect(first.renewAtMs).toBeGreaterThan(nowMs + 59 * dayMs)
  expect(first.renewAtMs).toBeLessThanOrEqual(nowMs + 60 * dayMs)

  nowMs += 61 * dayMs
  const renewed = await openThem()
  server.setSecureContext(renewed)

  expect(renewed.cert).not.toBe(first.cert)
  expect(renewed.named.cert).not.toBe(first.named.cert)
  expect(renewed.notAfterMs).toBeGreaterThan(nowMs + 89 * dayMs)
  expect([renewed.isNewAuthority, renewed.caFingerprint]).toEqual([false, first.caFingerprint])
  open.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  const answer: unknown[] = await once(open.setEncoding('utf8'), 'data')
  expect(answer[0]).toContain('200 OK')
  server.close()
})

test('a leaf of 59 days is reused', async () => {
  const first = await openThem()

  nowMs += 59 * dayMs

  expect((await openThem()).cert).toBe(first.cert)
})

test('with a clock set back before its creation the leaf is replaced by a valid one', async () => {
  const first = await openThem()

  nowMs -= 2 * dayMs
  const second = await openThem()

  expect(second.cert).not.toBe(first.cert)
  expect(second.caFingerprint).toBe(first.caFingerprint)
})

test('an authority in its last 90 days is replaced and reported as new', async () => {
  const first = await openThem()

  nowMs += 641 * dayMs
  const second = await openThem()

  expect(second.isNewAuthority).toBe(true)
  expect(second.caFingerprint).not.toBe(first.caFingerprint)
  expect(await verify(await readFile(second.caFile, 'utf8'), second.cert)).toContain('OK')
})

test('a name outside the constraints requires a new authority, a removed name does not', async () => {
  const plain = await openThem()
  const added = await openThem(['Host.Docker.Internal'])
  const removed = await openThem()

  expect(added.isNewAuthority).toBe(true)
  expect(added.caFingerprint).not.toBe(plain.caFingerprint)
  expect(await verify(await readFile(added.caFile, 'utf8'), added.cert)).toContain('OK')
  expect(tls.checkServerIdentity('host.docker.internal', peer(added))).toBeUndefined()
  expect([removed.isNewAuthority, removed.caFingerprint]).toEqual([false, added.caFingerprint])
  expect(tls.checkServerIdentity('host.docker.internal', peer(removed))).toBeInstanceOf(Error)
})

test.each(['example.com:6778', 'https://example.com', '*.example.com', 'a b', ''])(
  'refuses %j as a host',
  async (host) => {
    await expect(openThem([host])).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'hosts',
    })
  },
)

test('the folder is 0700 and every file 0600, even if the modes were changed', async () => {
  const { caFile } = await openThem()
  const folder = join(dataDir, 'tls')
  await chmod(folder, 0o755)
  await chmod(join(folder, 'ca-key.pem'), 0o644)

  await openThem()

  const names = (await readdir(folder)).toSorted()
  expect(names).toEqual(['ca-bundle.pem', 'ca-key.pem', 'ca.pem', 'named.pem', 'server.pem'])
  expect(await modeOf(folder)).toBe('700')
  expect(await Promise.all(names.map((name) => modeOf(join(folder, name))))).toEqual(
    names.map(() => '600'),
  )
  expect(await readFile(caFile, 'utf8')).not.toContain('PRIVATE KEY')
})

test.each([
  ['cut off', (text: string) => text.slice(0, text.length / 2)],
  ['not DER inside', (text: string) => text.replaceAll('M', '!')],
  ['of two authorities', (text: string) => text.replace(/-----BEGIN CERT[^]+/, strangersCert)],
])('an authority file that is damaged (%s) is created again', async (_how, damage) => {
  const first = await openThem()
  const file = join(dataDir, 'tls', 'ca-key.pem')
  await writeFile(file, damage(await readFile(file, 'utf8')))

  const second = await openThem()

  expect(second.isNewAuthority).toBe(true)
  expect(second.caFingerprint).not.toBe(first.caFingerprint)
})
