/**
 * A certificate of the operator's own, for names that clients already trust. Its files are read again every few seconds,
 * and a pair that cannot be used never replaces one that can: the endpoint continues with the pair it has.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { FileProblem } from '../../data-folder/file-errors.ts'

export interface CertificateFiles {
  /** PEM: the certificate, then those that signed it. */
  certFile: string
  /** PEM, without a passphrase. */
  keyFile: string
}

export interface OwnCertificate {
  cert: string
  key: string
  notAfterMs: number
}

interface WatchOptions extends CertificateFiles {
  checkMs: number
  /** Called with each new pair. */
  onChange(certificate: OwnCertificate): void
  /** Called once for each problem of the files. */
  onProblem(message: string): void
}

/** @throws FileProblem for files that are missing, damaged or do not belong together */
export async function readCertificateFiles({
  certFile,
  keyFile,
}: CertificateFiles): Promise<OwnCertificate> {
  const [cert, key] = await Promise.all([readPem(certFile), readPem(keyFile)])
  const certificate = parse(certFile, 'certificate', () => new X509Certificate(cert))
  const privateKey = parse(keyFile, 'private key without a passphrase', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new FileProblem(`The key in ${keyFile} is not the key of the certificate in ${certFile}.`)
  }
  // Parses the rest of the chain, too.
  parse(certFile, 'chain of certificates', () => createSecureContext({ cert, key }))
  return { cert, key, notAfterMs: Date.parse(certificate.validTo) }
}

/** Reads the files again and again. @returns a function that ends it */
export function watchCertificateFiles(first: OwnCertificate, options: WatchOptions): () => void {
  let current = first
  let problem: string | null = null

  async function check(): Promise<void> {
    try {
      const next = await readCertificateFiles(options)
      problem = null
      if (next.cert === current.cert && next.key === current.key) return
      current = next
      options.onChange(next)
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      if (error.message !== problem) options.onProblem(error.message)
      problem = error.message
    }
  }

  const timer = setInterval(() => void check(), options.checkMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    throw new FileProblem(`The file ${file} cannot be read (${code}).`, { cause })
  }
}

function parse<Parsed>(file: string, what: string, read: () => Parsed): Parsed {
  try {
    return read()
  } catch (cause) {
    throw new FileProblem(`The file ${file} has no ${what} in PEM form.`, { cause })
  }
}
