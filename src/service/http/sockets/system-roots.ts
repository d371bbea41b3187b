/** The certificate authorities that this computer trusts, for clients whose trust store our bundle replaces. */
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'
import { isOurAuthority } from './certificates.ts'

/** The files with all roots on Debian, Fedora, openSUSE, and Alpine or macOS. */
const distributionBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The system's roots as one PEM text, each once, without Modelport's own authorities: otherwise a `SSL_CERT_FILE`
 * that points at our bundle would make the bundle grow. Node before 22.15 cannot list the system's roots; there the
 * distribution's file is read, and without one, Node's built-in roots are used.
 */
export async function systemRoots(): Promise<string> {
  const roots = new Set((await readRoots()).map((pem) => pem.trim()))
  return [...roots]
    .filter((pem) => !isOurAuthority(pem))
    .map((pem) => `${pem}\n`)
    .join('')
}

async function readRoots(): Promise<readonly string[]> {
  // The type declarations include it, but Electron 33's Node 20 does not have it.
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
