/** The address of a database: encrypted connections, and what prevents its use. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresUrl, startPostgres, type Engine } from '../../../../test/engines/postgres.ts'
import { ordinaryUser } from '../../../../test/engines/server-process.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openPostgresStorage } from './open-postgres-storage.ts'

let server: Engine
beforeAll(async () => {
  server = await startPostgres({ durable: false })
})
afterAll(() => server.remove())

/** @returns the certificate's file; it is valid for localhost only */
function createCertificate(): { cert: string; key: string } {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', ...kind, ...files, ...subject, '-days', '2'], { stdio: 'pipe' })
  if (ordinaryUser) chownSync(key, ordinaryUser.uid, ordinaryUser.gid)
  return { cert, key }
}

async function run(...statements: string[]): Promise<void> {
  const client = new Client(postgresUrl(server.port))
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function canOpen(url: string): Promise<boolean> {
  try {
    const storage = await openPostgresStorage({ url })
    await storage.close()
    return true
  } catch {
    return false
  }
}

test('verify-full accepts the authority’s server by its name, and no other', async () => {
  const { cert, key } = createCertificate()
  await run(
    `ALTER SYSTEM SET ssl_cert_file = '${cert}'`,
    `ALTER SYSTEM SET ssl_key_file = '${key}'`,
    'ALTER SYSTEM SET ssl = on',
    'SELECT pg_reload_conf()',
  )
  const url = (host: string, ca: string) =>
    `postgres://modelport@${host}:${server.port}/postgres?sslmode=verify-full&sslrootcert=${ca}`

  // The server reads its settings a moment after the reload.
  await expect.poll(() => canOpen(url('localhost', cert))).toBe(true)
  await expect(openPostgresStorage({ url: url('127.0.0.1', cert) })).rejects.toMatchObject({
    name: 'StorageUnavailable',
    message: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\/postgres: .*altnames/),
  })
  const other = createCertificate().cert
  await expect(openPostgresStorage({ url: url('localhost', other) })).rejects.toMatchObject({
    name: 'StorageUnavailable',
    message: expect.stringMatching(/self-signed certificate/),
  })
})

test('a role that may not create tables gets an error with the server’s name', async () => {
  await run('CREATE ROLE reader LOGIN', 'CREATE DATABASE locked')

  const url = `postgres://reader@127.0.0.1:${server.port}/locked`

  await expect(openPostgresStorage({ url })).rejects.toMatchObject({
    name: 'StorageUnavailable',
    message: `PostgreSQL at 127.0.0.1:${server.port}/locked: permission denied for schema public`,
  })
})
