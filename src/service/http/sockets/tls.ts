/**
 * The endpoint's certificates on disk: created at the first start, reused later, renewed when due.
 *
 * `<dataDir>/tls/` (0700) holds `ca-key.pem`, `server.pem` and `named.pem`, each a key and its certificate in
 * one file, so that no crash can separate them, and two files for clients: `ca.pem`, our authority alone, and
 * `ca-bundle.pem`, the system's roots and ours. All are 0600 and replaced as a whole.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { hasNames, leafNames, permitsNames, type Identity } from './certificates.ts'
import { readIfThere, removeDrafts, replaceFile } from '../../data-folder/durable-file.ts'
import { asFileProblem } from '../../data-folder/file-errors.ts'
import { makeFolder } from '../../data-folder/folder-owner.ts'
import { systemRoots } from './system-roots.ts'

/** The endpoint's certificates, and what clients need to trust them. */
export interface Certificates {
  /** The leaf and its key, PEM: `tls.createServer`, `server.setSecureContext`. */
  cert: string
  key: string
  /**
   * The leaf for clients that send a server name (`SNICallback`), without addresses. BoringSSL, and so every Node
   * inside Electron (for example VS Code's extensions), refuses a chain with both an address and a constraint on
   * addresses: "unsupported name constraint type". Clients that connect to an address send no name.
   */
  named: Identity
  notAfterMs: number
  /** Time from which `openCertificates` creates a new leaf: after 60 of 90 days. */
  renewAtMs: number
  /** Our authority alone: `NODE_EXTRA_CA_CERTS`, `curl --cacert`. */
  caFile: string
  /** The system's roots and ours: `SSL_CERT_FILE`, `REQUESTS_CA_BUNDLE`. */
  caBundleFile: string
  /** SHA-256 of our authority, as trust stores show it: `AB:CD:…`. */
  caFingerprint: string
  caNotAfterMs: number
  /** Time from which `openCertificates` creates a new authority. */
  caReplacedAtMs: number
  /** This call created the authority: clients that trusted an earlier one must trust this one. */
  isNewAuthority: boolean
}

interface Options {
  dataDir: string
  /** Names and addresses besides localhost, 127.0.0.1 and ::1; a name that is not permitted yet needs a new authority. */
  hosts: readonly string[]
  /** Unix ms. */
  now: () => number
}

const dayMs = 86_400_000
const leafRenewalMs = 60 * dayMs
/** An authority is replaced this long before it expires, so that every leaf gets its full lifetime. */
const authorityReserveMs = 90 * dayMs

/**
 * Opens the certificates, and creates those that are missing, damaged, due or not valid for these hosts. Call it
 * again at `renewAtMs` (an earlier call changes nothing) and pass the new leaf to `server.setSecureContext`; open
 * connections continue.
 * @throws ServiceError invalid_parameter for a host that is neither a name nor an address
 * @throws FileProblem when the folder or a file in it cannot be read or written
 */
export async function openCertificates({ dataDir, hosts, now }: Options): Promise<Certificates> {
  const folder = join(dataDir, 'tls')
  const names = leafNames(hosts)
  const nowMs = now()
  await openFolder(folder)

  const storedAuthority = await readIdentity(join(folder, 'ca-key.pem'))
  const isNewAuthority = !storedAuthority || !isUsableAuthority(storedAuthority, names, nowMs)
  const authority = isNewAuthority ? await newAuthority(names, nowMs) : storedAuthority
  if (isNewAuthority) await writeIdentity(join(folder, 'ca-key.pem'), authority)

  const dnsNames = names.filter((name) => isIP(name) === 0)
  const leaf = await openLeaf(join(folder, 'server.pem'), { authority, names, nowMs })
  const named = await openLeaf(join(folder, 'named.pem'), { authority, names: dnsNames, nowMs })

  const caFile = join(folder, 'ca.pem')
  const caBundleFile = join(folder, 'ca-bundle.pem')
  await replaceIfChanged(caFile, authority.cert)
  await replaceIfChanged(caBundleFile, (await systemRoots()) + authority.cert)

  const madeAtMs = Math.min(validity(leaf).notBeforeMs, validity(named).notBeforeMs)
  return {
    ...leaf,
    named,
    notAfterMs: validity(leaf).notAfterMs,
    renewAtMs: madeAtMs + leafRenewalMs,
    caFile,
    caBundleFile,
    caFingerprint: new X509Certificate(authority.cert).fingerprint256,
    caNotAfterMs: validity(authority).notAfterMs,
    caReplacedAtMs: validity(authority).notAfterMs - authorityReserveMs,
    isNewAuthority,
  }
}

async function openFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await chmod(folder, 0o700)
    await removeDrafts(folder)
  } catch (error) {
    throw asFileProblem(error, folder)
  }
}

async function newAuthority(names: readonly string[], nowMs: number): Promise<Identity> {
  const { makeAuthority } = await import('./make-certificates.ts')
  return await makeAuthority(names, nowMs)
}

/** Whether an authority can be used. It stays valid if the clock was set back: users would have to trust a new one. */
function isUsableAuthority(authority: Identity, names: readonly string[], nowMs: number): boolean {
  const { notAfterMs } = validity(authority)
  return nowMs < notAfterMs - authorityReserveMs && permitsNames(authority.cert, names)
}

interface LeafDemands {
  authority: Identity
  names: readonly string[]
  nowMs: number
}

async function openLeaf(file: string, demands: LeafDemands): Promise<Identity> {
  const stored = await readIdentity(file)
  if (stored && isUsableLeaf(stored, demands)) return stored
  const { makeLeaf } = await import('./make-certificates.ts')
  const leaf = await makeLeaf(demands.authority, demands.names, demands.nowMs)
  await writeIdentity(file, leaf)
  return leaf
}

function isUsableLeaf(leaf: Identity, { authority, names, nowMs }: LeafDemands): boolean {
  const { notBeforeMs } = validity(leaf)
  return (
    nowMs >= notBeforeMs &&
    nowMs < notBeforeMs + leafRenewalMs &&
    hasNames(leaf.cert, names) &&
    new X509Certificate(leaf.cert).verify(new X509Certificate(authority.cert).publicKey)
  )
}

function validity({ cert }: Identity): { notBeforeMs: number; notAfterMs: number } {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { notBeforeMs: Date.parse(validFrom), notAfterMs: Date.parse(validTo) }
}

/** The key and certificate in `file`, or null when it is missing, damaged, or the two do not match. */
async function readIdentity(file: string): Promise<Identity | null> {
  const text = await readIfThere(file)
  if (text === null) return null
  await chmod(file, 0o600)
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/.exec(text)?.[0]
  const cert = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/.exec(text)?.[0]
  if (key === undefined || cert === undefined || !isPair(key, cert)) return null
  return { key, cert }
}

function isPair(key: string, cert: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    // Not DER: damaged, so it is created again like a missing file.
    return false
  }
}

function writeIdentity(file: string, { key, cert }: Identity): Promise<void> {
  return replaceIfChanged(file, key + cert)
}

/** Replaces a file, unless it already has this content: tools may watch it. */
async function replaceIfChanged(file: string, content: string): Promise<void> {
  if ((await readIfThere(file)) !== content) await replaceFile(file, content)
}
