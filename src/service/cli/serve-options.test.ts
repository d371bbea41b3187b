import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

test.each([
  [['--bind', '0.0.0.0'], 'give a certificate that clients trust: --tls-cert and --tls-key'],
  [['--http-bind', '0.0.0.0', '--http-port', '0'], 'name the proxies'],
  [['--http-bind', '0.0.0.0', '--trusted-proxy', '10.0.0.0/8'], 'give the port: --http-port'],
  [['--tls-cert', 'a.pem'], 'Give both --tls-cert and --tls-key.'],
  [['--trusted-proxy', 'proxy.example'], 'Expected an address such as 10.0.0.5'],
  [['--bind', 'localhost'], 'Expected an address such as 0.0.0.0 or 10.0.0.5.'],
  [['--drain-delay', '5'], 'Expected a duration such as 500ms, 5s or 2m.'],
])('serve %j is wrong usage, and says what is missing', async (args, words) => {
  const { code, stderr } = await newModelport().run(['serve', ...args])

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
})

test('a variable counts like its option, which overrides it', async () => {
  const { run } = newModelport()
  const env = { MODELPORT_BIND: '0.0.0.0', MODELPORT_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' }

  const { stdout } = await run(['serve', '--trusted-proxy', '192.0.2.1', '--help'], { env })
  const { stderr } = await run(['serve'], { env })
  const invalid = await run(['serve'], { env: { MODELPORT_DRAIN_DELAY: 'soon' } })

  expect(stdout).toMatch(
    /\(MODELPORT_TRUSTED_PROXIES\) \(default:\s+\["10.0.0.0\/8","fd00::\/8"\]\)/,
  )
  expect(stderr).toContain('For --bind')
  expect(invalid).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('MODELPORT_DRAIN_DELAY:'),
  })
})

test('a certificate that cannot be used ends serve with the name of its file', async () => {
  const { run, dataDir } = newModelport()
  const [cert, key] = [join(dataDir, 'tls.crt'), join(dataDir, 'tls.key')]
  await writeFile(cert, randomBytes(40).toString('base64'))
  await writeFile(key, '')

  const damaged = await run(['serve', '--port', '0', '--tls-cert', cert, '--tls-key', key])
  const missing = await run(['serve', '--port', '0', '--tls-cert', '/no/cert', '--tls-key', key])

  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining(`${cert} has no`) })
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('/no/cert cannot be') })
})
