/** The certificate authorities this computer trusts, for clients whose trust store we replace. */
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'
import { isOurAuthority } from './certificates.ts'

/** Where Debian, Fedora, openSUSE, and Alpine or macOS keep their roots in one file. */
const distributionBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The system's roots as one PEM text, each once, without authorities of ours: a `SSL_CERT_FILE` that
 * points at our own bundle must not make it grow. Where the system cannot be asked (Node before
 * 22.15), the distribution's file; without one, the roots Node was built with.
 */
export async function systemRoots(): Promise<string> {
  const roots = new Set((await readRoots()).map((pem) => pem.trim()))
  return [...roots]
    .filter((pem) => !isOurAuthority(pem))
    .map((pem) => `${pem}\n`)
    .join('')
}

async function readRoots(): Promise<readonly string[]> {
  // Absent from Electron 33's Node 20, whatever the type declarations say.
  const asked = 'getCACertificates' in tls ? tls.getCACertificates('system') : []
  if (asked.length > 0) return asked
  for (const file of distributionBundles) {
    const roots = splitPem(await readFile(file, 'latin1').catch(() => ''))
    if (roots.length > 0) return roots
  }
  return tls.rootCertificates
}

function splitPem(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
}
