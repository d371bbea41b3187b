import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openCertificates } from '../http/sockets/tls.ts'

async function newHome() {
  const modelport = newModelport()
  const HOME = temporaryFolder()
  const { dataDir } = modelport
  await openCertificates({ dataDir, hosts: [], now: Date.now })
  const replaceAuthority = () =>
    openCertificates({ dataDir, hosts: ['host.docker.internal'], now: Date.now })
  const env = { HOME }
  const run = (...args: string[]) => modelport.run(args, { env })
  return { run, replaceAuthority, database: join(HOME, '.pki', 'nssdb', 'cert9.db') }
}

test('trust shows each command and runs none with --dry-run, or without a yes', async () => {
  const { run, database } = await newHome()

  const shown = await run('trust', 'chromium', '--dry-run')
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.stderr).toMatch(/certutil -d sql:\S+ -A -t C,, -n 'Modelport \w{8}' -i \S+ca\.pem/)
  expect(await run('trust', 'chromium')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was changed'),
  })
  expect(existsSync(database)).toBe(false)
})

test('trust and untrust change a store, and say its state', async () => {
  const { run } = await newHome()

  expect(await run('trust', 'chromium', '--yes')).toMatchObject({ code: 0 })
  expect((await run('trust', '--json', '--dry-run')).stdout).toContain('"isTrusted":true')
  expect(await run('untrust', 'chromium', '--yes')).toMatchObject({ code: 0 })
  expect((await run('untrust', 'chromium', '--dry-run')).stdout).toMatch(/chromium .* not trusted/)
})

test('untrust removes an authority that was replaced', async () => {
  const { run, replaceAuthority } = await newHome()
  await run('trust', 'chromium', '--yes')
  await replaceAuthority()

  const { code, stdout, stderr } = await run('untrust', 'chromium', '--yes')
  expect(code).toBe(0)
  expect(stdout).toMatch(/chromium .* not trusted; has a replaced authority/)
  expect(stderr).toMatch(/certutil \S+ \S+ -D -n 'Modelport \w{8}'/)
  expect((await run('untrust', 'chromium', '--dry-run')).stdout).not.toContain('replaced')
})

test('a store that this computer does not have is wrong usage', async () => {
  const { run } = await newHome()

  expect(await run('trust', 'netscape')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This computer has:'),
  })
})
