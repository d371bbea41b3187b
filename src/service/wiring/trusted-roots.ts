/**
 * The certificate authorities trusted for connections to other computers, besides those the runtime was
 * built with: the system's store, and the files in environment variables. Electron reads neither.
 */
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * @returns PEM, one per certificate, without those of the runtime
 * @param onError  called for a file that cannot be read; its authorities are not trusted
 */
export async function readExtraRoots(
  env: Readonly<Record<string, string | undefined>>,
  onError: (error: unknown) => void,
): Promise<string[]> {
  // Loaded here, because it is large and few commands connect to other computers.
  const { systemRoots } = await import('../http/sockets/system-roots.ts')
  const texts = [await systemRoots()]
  for (const file of [env['NODE_EXTRA_CA_CERTS'], env['SSL_CERT_FILE']]) {
    if (!file) continue
    try {
      texts.push(await readFile(file, 'latin1'))
    } catch (error) {
      onError(error)
    }
  }
  const known = new Set(tls.rootCertificates.map((pem) => pem.trim()))
  return [...new Set(texts.join('\n').match(certificate) ?? [])].filter((pem) => !known.has(pem))
}
