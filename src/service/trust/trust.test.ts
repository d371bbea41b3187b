/** The trust stores of three operating systems, with a real NSS database and OpenSSL. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openCertificates } from '../http/sockets/tls.ts'
import type { Command } from './stores.ts'
import { Trust, type TrustOptions } from './trust.ts'

const dayMs = 86_400_000

async function create(options: Partial<TrustOptions> = {}) {
  const [dataDir, home, root] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const issue = async (hosts: string[]) => await openCertificates({ dataDir, hosts, now: Date.now })
  await issue([])
  const env = { PATH: process.env['PATH'] }
  const trust = new Trust({ dataDir, home, root, platform: 'linux', env, ...options })
  return { trust, dataDir, home, root, issue }
}

/** Programs that succeed and are only written down. */
function recorded() {
  const commands: string[] = []
  const trusted = new Set<string>()
  const run = async ({ program, args }: Command) => {
    commands.push([program, ...args].join(' '))
    if (/addstore|add-trusted/.test(args.join())) trusted.add('yes')
    if (/delstore|delete-cert/.test(args.join())) trusted.delete('yes')
    const isCheck = /verify/.test(args.join())
    return { code: isCheck && !trusted.has('yes') ? 1 : 0, stdout: '', stderr: '' }
  }
  return { run, commands }
}

describe('a real NSS database', () => {
  test('is created, trusts the authority, and forgets it', async () => {
    const { trust, home, dataDir } = await create()
    const list = () =>
      execFileSync('certutil', ['-d', `sql:${join(home, '.pki', 'nssdb')}`, '-L']).toString()
    const storeOf = async () => (await trust.state())?.stores.find(({ id }) => id === 'chromium')

    expect(await storeOf()).toMatchObject({ isTrusted: false, obstacle: null })
    await trust.change('chromium', true)
    expect(await storeOf()).toMatchObject({ isTrusted: true })
    expect(list()).toMatch(/Modelport [0-9a-f]{8} +C,,/)
    expect(readFileSync(join(dataDir, 'trusted-authorities.json'), 'utf8')).toContain('chromium')

    await trust.change('chromium', false)
    expect(await storeOf()).toMatchObject({ isTrusted: false })
    expect(list()).not.toContain('Modelport')
  })

  test('a new authority must be trusted again, and replaces the one before', async () => {
    const { trust, home, issue } = await create()
    await trust.change('chromium', true)
    expect(trust.mustTrustAgain()).toBe(false)

    await issue(['host.docker.internal'])
    expect(trust.mustTrustAgain()).toBe(true)
    expect(await trust.state()).toMatchObject({ mustTrustAgain: true })

    await trust.change('chromium', true)
    expect(trust.mustTrustAgain()).toBe(false)
    const database = `sql:${join(home, '.pki', 'nssdb')}`
    const list = execFileSync('certutil', ['-d', database, '-L']).toString()
    expect(list.match(/Modelport/g)).toHaveLength(1)
  })

  test('an authority that was replaced is found in the store, and removed from it', async () => {
    const { trust, issue } = await create()
    await trust.change('chromium', true)
    await issue(['host.docker.internal'])
    expect(await trust.state()).toMatchObject({
      stores: [{ id: 'chromium', isTrusted: false, hasOutdated: true }],
    })

    await trust.change('chromium', false)
    expect(trust.mustTrustAgain()).toBe(false)
    expect(await trust.state()).toMatchObject({
      mustTrustAgain: false,
      stores: [{ isTrusted: false, hasOutdated: false }],
    })
  })

  test('an authority that could not be removed stays recorded beside the new one', async () => {
    let canDelete = false
    const run = async ({ program, args }: Command) => {
      if (args.includes('-D') && !canDelete) return { code: 1, stdout: '', stderr: 'locked' }
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
      return { code: status, stdout, stderr }
    }
    const { trust, issue } = await create({ run })
    await trust.change('chromium', true)
    await issue(['host.docker.internal'])

    await trust.change('chromium', true)
    expect(await trust.state()).toMatchObject({
      mustTrustAgain: false,
      stores: [{ isTrusted: true, hasOutdated: true }],
    })
    await expect(trust.change('chromium', false)).rejects.toThrow('locked')
    canDelete = true
    await trust.change('chromium', false)
    expect((await trust.state())?.stores).toMatchObject([{ isTrusted: false, hasOutdated: false }])
  })

  test('Chromium as a snap has a store of its own', async () => {
    const { trust, home } = await create()
    mkdirSync(join(home, 'snap', 'chromium', 'current'), { recursive: true })

    await trust.change('chromium-snap', true)

    expect((await trust.state())?.stores).toMatchObject([
      { id: 'chromium', isTrusted: false },
      { id: 'chromium-snap', isTrusted: true },
    ])
    expect(existsSync(join(home, 'snap/chromium/current/.pki/nssdb/cert9.db'))).toBe(true)
  })

  test('Firefox has a store for each profile', async () => {
    const { trust, home } = await create()
    const profile = join(home, '.mozilla', 'firefox', 'abc.default')
    mkdirSync(profile, { recursive: true })
    execFileSync('certutil', ['-d', `sql:${profile}`, '-N', '--empty-password'])

    await trust.change('firefox-abc.default', true)

    expect(await trust.state()).toMatchObject({
      stores: [{ id: 'chromium' }, { id: 'firefox-abc.default', isTrusted: true }],
    })
  })
})

describe('the system’s store on Debian', () => {
  /** A root with Debian's programs, whose updater writes the bundle of its own folder. */
  async function debian(isAdministrator: boolean) {
    const root = temporaryFolder()
    for (const folder of ['usr/sbin', 'usr/local/share/ca-certificates', 'etc/ssl/certs']) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    writeFileSync(join(root, 'usr/sbin/update-ca-certificates'), '')
    const bundle = join(root, 'etc/ssl/certs/ca-certificates.crt')
    const files = new Map<string, string>()
    const run = async ({ program, args }: Command) => {
      const [, , source = '', target = ''] = args
      if (program === 'install') files.set(target, readFileSync(source, 'utf8'))
      if (program === 'rm') files.delete(args.at(-1) ?? '')
      if (program.endsWith('update-ca-certificates')) {
        writeFileSync(bundle, [...files.values()].join(''))
      }
      return { code: 0, stdout: '', stderr: '' }
    }
    return { ...(await create({ root, run, isAdministrator })), bundle }
  }

  test('is changed by an administrator, and OpenSSL accepts the certificate with it', async () => {
    const { trust, dataDir, bundle } = await debian(true)
    const leaf = join(dataDir, 'tls', 'server.pem')
    const verify = () =>
      execFileSync('openssl', ['verify', '-CAfile', bundle, leaf], { stdio: 'pipe' }).toString()

    await trust.change('system', true)
    expect(verify()).toContain('OK')

    await trust.change('system', false)
    expect(verify).toThrow('Command failed')
  })

  test('shows the commands with sudo to anybody else, and runs none', async () => {
    const { trust } = await debian(false)

    await expect(trust.change('system', true)).rejects.toThrow(
      /sudo install -m 0644 \S+ca\.pem \/usr\/local\/share\/ca-certificates\/modelport-[0-9a-f]{8}\.crt\nsudo \/usr\/sbin\/update-ca-certificates/,
    )
    expect((await trust.state())?.stores[0]).toMatchObject({ obstacle: 'administrator' })
  })
})

test('macOS uses the login keychain', async () => {
  const { run, commands } = recorded()
  const { trust, home } = await create({ platform: 'darwin', run })
  const keychain = join(home, 'Library', 'Keychains', 'login.keychain-db')

  await trust.change('system', true)
  await trust.change('system', false)

  expect(commands).toContainEqual(
    expect.stringMatching(/^security add-trusted-cert -r trustRoot -k \S+ \S+ca\.pem$/),
  )
  expect(commands).toContainEqual(
    expect.stringMatching(
      new RegExp(`^security delete-certificate -t -Z [0-9A-F]{40} ${keychain}$`),
    ),
  )
})

test('Windows uses the user’s store', async () => {
  const { run, commands } = recorded()
  const { trust } = await create({ platform: 'win32', run })

  await trust.change('system', true)
  await trust.change('system', false)

  expect(commands).toContainEqual(
    expect.stringMatching(/^certutil -user -addstore Root \S+ca\.pem$/),
  )
  expect(commands).toContainEqual(
    expect.stringMatching(/^certutil -user -delstore Root [0-9A-F]{40}$/),
  )
})

test('without certutil, the stores of browsers say what to install', async () => {
  const { trust } = await create({ env: { PATH: '/nowhere' } })

  expect((await trust.state())?.stores).toMatchObject([{ id: 'chromium', obstacle: 'no_certutil' }])
  await expect(trust.change('chromium', true)).rejects.toThrow('apt install libnss3-tools')
})

test('before the first start there is nothing to trust', async () => {
  const { trust, dataDir } = await create()
  rmSync(join(dataDir, 'tls', 'ca.pem'))

  expect(await trust.state()).toBeNull()
  expect(trust.mustTrustAgain()).toBe(false)
})

test('the authority’s day is the day of its creation', async () => {
  const { trust } = await create()

  const { createdAtMs = 0 } = (await trust.state()) ?? {}

  expect(Math.abs(createdAtMs - Date.now())).toBeLessThan(dayMs)
})
