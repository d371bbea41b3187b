import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { examineCertificate, examineCertificateFile } from './certificate.ts'
import { openCertificates } from '../http/sockets/tls.ts'

const madeAtMs = Date.UTC(2026, 10, 21)
const dayMs = 86_400_000

async function made(): Promise<string> {
  const dataDir = temporaryFolder()
  await openCertificates({ dataDir, hosts: [], now: () => madeAtMs })
  return dataDir
}

test.each([
  [0, false, 'ok', /90 more days/],
  [80, false, 'ok', /10 more days/],
  [100, false, 'warn', /expired 10 days ago/],
  [100, true, 'fail', /expired 10 days ago/],
  [-2, false, 'fail', /not valid before/],
] as const)('%i days on, served: %s, it is %s', async (days, isServed, status, message) => {
  const nowMs = madeAtMs + days * dayMs
  const found = examineCertificate({ dataDir: await made(), nowMs, isServed })
  expect(found).toMatchObject({ status, message: expect.stringMatching(message) })
})

test.each([
  ['cut off', (text: string) => text.slice(0, 300)],
  ['no certificate', () => 'hello'],
  ['one byte changed', (text: string) => text.replace(/(?<=CERTIFICATE-----\n.{40})./, '*')],
])('fails when a file is damaged: %s', async (_name, damage) => {
  const dataDir = await made()
  const file = join(dataDir, 'tls', 'server.pem')
  writeFileSync(file, damage(readFileSync(file, 'utf8')))
  const found = examineCertificate({ dataDir, nowMs: madeAtMs, isServed: false })
  expect(found).toMatchObject({ status: 'fail', message: 'A file in tls/ is damaged.' })
})

test('fails when the certificate is another authority’s', async () => {
  const [dataDir, other] = [await made(), await made()]
  writeFileSync(join(dataDir, 'tls', 'named.pem'), readFileSync(join(other, 'tls', 'named.pem')))
  const found = examineCertificate({ dataDir, nowMs: madeAtMs, isServed: false })
  expect(found).toMatchObject({ status: 'fail' })
})

test.each([
  [0, 'ok', /90 more days/],
  [80, 'warn', /10 more days/],
  [100, 'fail', /expired 10 days ago/],
] as const)('the operator’s certificate is, %i days on, %s', async (days, status, message) => {
  const file = join(await made(), 'tls', 'server.pem')
  const found = examineCertificateFile(file, madeAtMs + days * dayMs)
  expect(found).toMatchObject({ status, message: expect.stringMatching(message) })
})

test('an operator’s certificate that is damaged or missing is named', async () => {
  const file = join(temporaryFolder(), 'tls.crt')
  const missing = examineCertificateFile(file, madeAtMs)
  writeFileSync(file, 'hello')
  const damaged = examineCertificateFile(file, madeAtMs)
  expect(missing).toMatchObject({ status: 'fail', wayOut: expect.stringContaining(file) })
  expect(damaged).toMatchObject({ message: `The file ${file} has no certificate.` })
})
