/** A throw-away certificate authority and a server certificate below it, both valid for a day. */
// @peculiar/x509 resolves its parts through tsyringe, which needs this polyfill before it loads.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 60 * 60 * 1000

const localNames: x509.JsonGeneralNames = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
]

/** PEM texts: the authority that a client trusts, and the server's certificate and key. */
export interface TestCertificate {
  ca: string
  cert: string
  key: string
}

interface CertificateOptions {
  /** Unix milliseconds; a day from now by default. */
  notAfterMs?: number
  /** Replaces localhost, 127.0.0.1 and ::1. */
  host?: string
  /** The certificate signs itself, in place of an authority. */
  isSelfSigned?: boolean
}

/** Creates a new pair for localhost, 127.0.0.1 and ::1. */
export async function makeTestCertificate({
  notAfterMs,
  host,
  isSelfSigned = false,
}: CertificateOptions = {}): Promise<TestCertificate> {
  const validity = {
    notBefore: new Date(Date.now() - dayMs / 24),
    notAfter: new Date(Date.now() + dayMs),
  }
  const caKeys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Modelport fake provider CA',
    keys: caKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const leaf = await x509.X509CertificateGenerator.create({
    ...(notAfterMs === undefined
      ? validity
      : { notBefore: new Date(notAfterMs - dayMs), notAfter: new Date(notAfterMs) }),
    subject: 'CN=localhost',
    issuer: isSelfSigned ? 'CN=localhost' : ca.subject,
    publicKey: keys.publicKey,
    signingKey: isSelfSigned ? keys.privateKey : caKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        host === undefined ? localNames : [{ type: 'dns', value: host }],
      ),
      await x509.AuthorityKeyIdentifierExtension.create(
        isSelfSigned ? keys.publicKey : caKeys.publicKey,
      ),
    ],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    ca: ca.toString('pem'),
    cert: leaf.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
  }
}
