/**
 * Creates the two certificates of the HTTPS endpoint: a certificate authority limited to this computer's own names,
 * and the leaf it signs. This file does not access the disk.
 *
 * Users are asked to trust the authority, so a stolen one must be useless: its critical name constraints permit `localhost`, 127.0.0.0/8, ::1 and the names the user added. mkcert and
 * similar tools install an unconstrained root instead, which could impersonate any site.
 */
// x509 registers its algorithms with tsyringe, which refuses to load without this polyfill.
import 'reflect-metadata'
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import * as x509 from '@peculiar/x509'
import { ServiceError } from '../../errors.ts'

/** A certificate and its private key (PKCS #8), both as PEM. */
export interface Identity {
  cert: string
  key: string
}

/** Names that every leaf has. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '::1']

const dayMs = 86_400_000
/** How long an authority is valid. */
export const authorityLifetimeMs = 730 * dayMs
/** How long a leaf is valid. */
export const leafLifetimeMs = 90 * dayMs
/** A new leaf is valid for clients whose clock is this much behind (a container, a VM). */
const clockSlackMs = 3_600_000

const subjectPrefix = 'Modelport local CA'
const nameConstraintsOid = '2.5.29.30'
const subjectAltNameOid = '2.5.29.17'
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * The leaf's names: those of the loopback interface and the given ones, in lower case, without duplicates.
 * @param hosts  DNS names or IP addresses, without a port
 * @throws ServiceError invalid_parameter when one is neither
 */
export function leafNames(hosts: readonly string[]): string[] {
  const names = new Set(loopbackNames)
  for (const host of hosts) {
    const name = host.toLowerCase()
    if (isIP(name) === 0 && !isDnsName(name)) {
      throw new ServiceError(
        'invalid_parameter',
        `"${host}" is neither a host name nor an address`,
        {
          param: 'hosts',
        },
      )
    }
    names.add(name)
  }
  return [...names]
}

/** Creates an authority (P-256) that may sign only for `names`. */
export async function makeAuthority(names: readonly string[], nowMs: number): Promise<Identity> {
  const keys = await generateKeys()
  const authority = await x509.X509CertificateGenerator.createSelfSigned(
    {
      // The suffix distinguishes a replaced authority from its successor in a trust store.
      name: `CN=${subjectPrefix} ${randomBytes(3).toString('hex')}, O=Modelport`,
      notBefore: new Date(nowMs - clockSlackMs),
      notAfter: new Date(nowMs + authorityLifetimeMs),
      signingAlgorithm: p256,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
        new x509.Extension(nameConstraintsOid, true, nameConstraints(names)),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return toIdentity(authority, keys.privateKey)
}

/** Creates the endpoint's certificate, signed by `authority`; it never expires after it. */
export async function makeLeaf(
  authority: Identity,
  names: readonly string[],
  nowMs: number,
): Promise<Identity> {
  const issuer = new x509.X509Certificate(authority.cert)
  const keys = await generateKeys()
  const leaf = await x509.X509CertificateGenerator.create(
    {
      subject: 'CN=localhost, O=Modelport',
      issuer: issuer.subjectName,
      notBefore: new Date(nowMs - clockSlackMs),
      notAfter: new Date(Math.min(nowMs + leafLifetimeMs, issuer.notAfter.getTime())),
      signingAlgorithm: p256,
      publicKey: keys.publicKey,
      signingKey: await importSigningKey(authority.key),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        subjectAltName(names),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return toIdentity(leaf, keys.privateKey)
}

/** Whether the authority's constraints permit every one of `names`; it may permit more. */
export function permitsNames(authorityCert: string, names: readonly string[]): boolean {
  const constraints = new x509.X509Certificate(authorityCert).getExtension(nameConstraintsOid)
  if (constraints === null) return false
  // A subtree is a complete DER value, so the extension contains it exactly if it contains its bytes.
  const permitted = Buffer.from(constraints.value)
  return permittedSubtrees(names).every((subtree) => permitted.includes(subtree))
}

/** Whether the leaf is for exactly `names`. */
export function hasNames(leafCert: string, names: readonly string[]): boolean {
  const extension = new x509.X509Certificate(leafCert).getExtension(subjectAltNameOid)
  if (extension === null) return false
  return Buffer.from(subjectAltName(names).value).equals(Buffer.from(extension.value))
}

/**
 * Whether a certificate names an authority created by Modelport, in this or another installation. It only searches
 * for the name's bytes, because system roots contain certificates that strict parsers refuse.
 */
export function isOurAuthority(pem: string): boolean {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64').includes(subjectPrefix)
}

function isDnsName(name: string): boolean {
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
  return name.length <= 253 && name.split('.').every((part) => label.test(part))
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(p256, true, ['sign', 'verify'])
}

function importSigningKey(pem: string): Promise<webcrypto.CryptoKey> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', pkcs8, p256, false, ['sign'])
}

async function toIdentity(
  certificate: x509.X509Certificate,
  privateKey: webcrypto.CryptoKey,
): Promise<Identity> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey)
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag)}\n`,
  }
}

function subjectAltName(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
  )
}

/** DER of NameConstraints (RFC 5280, 4.2.1.10); x509 has no class for it. */
function nameConstraints(names: readonly string[]): Buffer {
  return der(0x30, der(0xa0, ...permittedSubtrees(names)))
}

function permittedSubtrees(names: readonly string[]): Buffer[] {
  const added = names.filter(
    (name) => !loopbackNames.includes(name) && !(isIPv4(name) && name.startsWith('127.')),
  )
  return [
    dnsSubtree('localhost'),
    ipSubtree(Buffer.from([127, 0, 0, 0]), Buffer.from([255, 0, 0, 0])),
    hostSubtree('::1'),
    ...added.map(hostSubtree),
  ]
}

function hostSubtree(name: string): Buffer {
  if (isIP(name) === 0) return dnsSubtree(name)
  // A general name's DER is tag, length, then the address.
  const address = Buffer.from(new x509.GeneralName('ip', name).rawData).subarray(2)
  return ipSubtree(address, Buffer.alloc(address.length, 0xff))
}

function dnsSubtree(name: string): Buffer {
  return der(0x30, der(0x82, Buffer.from(name, 'latin1')))
}

function ipSubtree(address: Buffer, mask: Buffer): Buffer {
  return der(0x30, der(0x87, address, mask))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}
