/** The certificate authority of a data folder. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Authority {
  file: string
  pem: string
  /** SHA-256, as trust stores show it. */
  fingerprint: string
  /** SHA-1 without colons, by which macOS and Windows find a certificate. */
  sha1: string
  createdAtMs: number
}

/** Authorities begin an hour early, for clients whose clock is behind. */
const slackMs = 3_600_000

/** @returns null before the first start of the service @throws the system's error for a file that cannot be read */
export function readAuthority(dataDir: string): Authority | null {
  const file = join(dataDir, 'tls', 'ca.pem')
  const pem = readIfThere(file)
  if (pem === null) return null
  const certificate = new X509Certificate(pem)
  return {
    file,
    pem,
    fingerprint: certificate.fingerprint256,
    sha1: certificate.fingerprint.replaceAll(':', ''),
    createdAtMs: Date.parse(certificate.validFrom) + slackMs,
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
