/**
 * The trust stores of each operating system, with the commands that add our authority and remove it. Firefox and
 * Chromium on Linux have stores of their own; on macOS and Windows they use the system's.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Authority } from './authority.ts'

export interface Command {
  program: string
  args: readonly string[]
}

/** The parts of an authority by which a store knows it. */
export type AuthorityFingerprints = Pick<Authority, 'fingerprint' | 'sha1'>

export interface TrustStore {
  id: string
  name: string
  needsAdministrator: boolean
  needsCertutil: boolean
  trust(authority: Authority): Command[]
  /** Removes an authority, also one that was replaced. */
  untrust(authority: AuthorityFingerprints): Command[]
  isTrusted(authority: Authority, run: Run): Promise<boolean>
  /** Whether the store certainly does not hold this authority; false if its programs fail. */
  isAbsent(authority: AuthorityFingerprints, run: Run): Promise<boolean>
}

/** Runs a program. @returns its exit code, null when it could not be started, and its output */
export type Run = (
  command: Command,
) => Promise<{ code: number | null; stdout: string; stderr: string }>

export interface FindStoresOptions {
  home: string
  platform: NodeJS.Platform
  /** The root of the file system, for tests. */
  root?: string | undefined
}

export function findStores({ home, platform, root = '/' }: FindStoresOptions): TrustStore[] {
  if (platform === 'darwin') return [keychainOf(home)]
  if (platform === 'win32') return [windowsStore]
  const system = linuxSystems.find(({ updater }) => existsSync(join(root, updater)))
  return [...(system ? [systemStore(system, root)] : []), ...nssStores(home)]
}

const keychainOf = (home: string): TrustStore => {
  const keychain = join(home, 'Library', 'Keychains', 'login.keychain-db')
  return {
    id: 'system',
    name: 'Your login keychain',
    needsAdministrator: false,
    needsCertutil: false,
    trust: ({ file }) => [
      { program: 'security', args: ['add-trusted-cert', '-r', 'trustRoot', '-k', keychain, file] },
    ],
    untrust: ({ sha1 }) => [
      { program: 'security', args: ['delete-certificate', '-t', '-Z', sha1, keychain] },
    ],
    isTrusted: ({ file }, run) =>
      succeeds(run, { program: 'security', args: ['verify-cert', '-c', file] }),
    async isAbsent({ sha1 }, run) {
      const args = ['find-certificate', '-a', '-Z', keychain]
      const { code, stdout } = await run({ program: 'security', args })
      return code === 0 && !stdout.toUpperCase().includes(sha1)
    },
  }
}

const windowsStore: TrustStore = {
  id: 'system',
  name: 'Trusted Root Certification Authorities (your user)',
  needsAdministrator: false,
  needsCertutil: false,
  trust: ({ file }) => [{ program: 'certutil', args: ['-user', '-addstore', 'Root', file] }],
  untrust: ({ sha1 }) => [{ program: 'certutil', args: ['-user', '-delstore', 'Root', sha1] }],
  isTrusted: ({ sha1 }, run) =>
    succeeds(run, { program: 'certutil', args: ['-user', '-verifystore', 'Root', sha1] }),
  async isAbsent({ sha1 }, run) {
    const args = ['-user', '-verifystore', 'Root', sha1]
    const { code } = await run({ program: 'certutil', args })
    return code !== null && code !== 0
  },
}

interface LinuxSystem {
  updater: string
  updateArgs: readonly string[]
  folder: string
  extension: string
  /** All trusted certificates, which the updater writes. */
  bundle: string
}

const linuxSystems: readonly LinuxSystem[] = [
  {
    updater: '/usr/sbin/update-ca-certificates',
    updateArgs: [],
    folder: '/usr/local/share/ca-certificates',
    extension: '.crt',
    bundle: '/etc/ssl/certs/ca-certificates.crt',
  },
  {
    updater: '/usr/bin/update-ca-trust',
    updateArgs: ['extract'],
    folder: '/etc/pki/ca-trust/source/anchors',
    extension: '.pem',
    bundle: '/etc/pki/tls/certs/ca-bundle.crt',
  },
]

function systemStore(system: LinuxSystem, root: string): TrustStore {
  const { updater, updateArgs, folder, extension, bundle } = system
  const update = { program: updater, args: updateArgs }
  const fileOf = (authority: AuthorityFingerprints) =>
    `${folder}/modelport-${shortName(authority)}${extension}`
  return {
    id: 'system',
    name: 'System store',
    needsAdministrator: true,
    needsCertutil: false,
    trust: (authority) => [
      { program: 'install', args: ['-m', '0644', authority.file, fileOf(authority)] },
      update,
    ],
    untrust: (authority) => [{ program: 'rm', args: ['-f', fileOf(authority)] }, update],
    isTrusted: async ({ pem }) => holds(readIfThere(join(root, bundle)), pem),
    isAbsent: async (authority) =>
      !existsSync(join(root, fileOf(authority))) &&
      !fingerprintsIn(readIfThere(join(root, bundle)) ?? '').includes(authority.fingerprint),
  }
}

function nssStores(home: string): TrustStore[] {
  const chromium = nssStore({
    id: 'chromium',
    name: 'Chromium, Chrome and Edge',
    folder: join(home, '.pki', 'nssdb'),
  })
  // The snap's own home; `current` links to the folder of the installed revision.
  const snap = join(home, 'snap', 'chromium', 'current')
  const chromiumSnap = nssStore({
    id: 'chromium-snap',
    name: 'Chromium (snap)',
    folder: join(snap, '.pki', 'nssdb'),
  })
  const roots = [
    join(home, '.mozilla', 'firefox'),
    join(home, 'snap', 'firefox', 'common', '.mozilla', 'firefox'),
    join(home, '.var', 'app', 'org.mozilla.firefox', '.mozilla', 'firefox'),
  ]
  const profiles = roots.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => existsSync(join(folder, name, 'cert9.db')))
      .map((name) =>
        nssStore({
          id: `firefox-${name}`,
          name: `Firefox, profile ${name}`,
          folder: join(folder, name),
        }),
      ),
  )
  return [chromium, ...(existsSync(snap) ? [chromiumSnap] : []), ...profiles]
}

function nssStore({ id, name, folder }: { id: string; name: string; folder: string }): TrustStore {
  const certutil = (...args: string[]): Command => ({
    program: 'certutil',
    args: ['-d', `sql:${folder}`, ...args],
  })
  const create = () =>
    existsSync(join(folder, 'cert9.db'))
      ? []
      : [{ program: 'mkdir', args: ['-p', folder] }, certutil('-N', '--empty-password')]
  return {
    id,
    name,
    needsAdministrator: false,
    needsCertutil: true,
    trust: (authority) => [
      ...create(),
      certutil('-A', '-t', 'C,,', '-n', nickname(authority), '-i', authority.file),
    ],
    untrust: (authority) => [certutil('-D', '-n', nickname(authority))],
    async isTrusted(authority, run) {
      if (!existsSync(join(folder, 'cert9.db'))) return false
      const { code, stdout } = await run(certutil('-L', '-n', nickname(authority), '-a'))
      return code === 0 && holds(stdout, authority.pem)
    },
    async isAbsent(authority, run) {
      if (!existsSync(join(folder, 'cert9.db'))) return true
      const { code, stdout } = await run(certutil('-L'))
      return code === 0 && !stdout.includes(nickname(authority))
    },
  }
}

function nickname(authority: AuthorityFingerprints): string {
  return `Modelport ${shortName(authority)}`
}

/** Two authorities of one computer, such as of two users, have different names. */
function shortName({ fingerprint }: AuthorityFingerprints): string {
  return fingerprint.replaceAll(':', '').slice(0, 8).toLowerCase()
}

async function succeeds(run: Run, command: Command): Promise<boolean> {
  return (await run(command)).code === 0
}

/** Whether a list of certificates has this one; line ends may differ. */
function holds(list: string | null, pem: string): boolean {
  const body = (text: string) => text.replaceAll(/\s/g, '')
  return list !== null && body(list).includes(body(pem))
}

/** SHA-256 of each certificate, written as `AB:CD:…`. */
function fingerprintsIn(list: string): string[] {
  const blocks = list.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END/g)
  return Array.from(blocks, ([, body = '']) => {
    const hash = createHash('sha256').update(Buffer.from(body, 'base64')).digest('hex')
    return hash.toUpperCase().match(/../g)?.join(':') ?? ''
  })
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
