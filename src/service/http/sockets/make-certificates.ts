/**
 * Creates the two certificates of the HTTPS endpoint: a certificate authority limited to this computer's own names,
 * and the leaf it signs. This file does not access the disk, and is loaded only when a certificate is due.
 *
 * Users are asked to trust the authority, so a stolen one must be useless: its critical name constraints permit `localhost`,
 * 127.0.0.0/8, ::1 and the names the user added. mkcert and similar tools install an unconstrained root instead, which could
 * impersonate any site.
 */
// x509 registers its algorithms with tsyringe, which refuses to load without this polyfill.
import 'reflect-metadata'
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import {
  der,
  permittedSubtrees,
  subjectAltName,
  subjectPrefix,
  type Identity,
} from './certificates.ts'

const dayMs = 86_400_000
/** How long an authority is valid. */
export const authorityLifetimeMs = 730 * dayMs
/** How long a leaf is valid. */
export const leafLifetimeMs = 90 * dayMs
/** A new leaf is valid for clients whose clock is this much behind (a container, a VM). */
const clockSlackMs = 3_600_000

const nameConstraintsOid = '2.5.29.30'
const subjectAltNameOid = '2.5.29.17'
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

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
        new x509.Extension(subjectAltNameOid, false, subjectAltName(names)),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return toIdentity(leaf, keys.privateKey)
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

/** DER of NameConstraints (RFC 5280, 4.2.1.10); x509 has no class for it. */
function nameConstraints(names: readonly string[]): Buffer {
  return der(0x30, der(0xa0, ...permittedSubtrees(names)))
}
