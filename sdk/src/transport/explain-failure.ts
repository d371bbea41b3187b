/** Says what to do about a connection that failed before an answer. */

interface Attempt {
  origin: string
  /** Path where the authority's certificate is expected. */
  file: string
  /** Whether the file was read. */
  isTrusted: boolean
}

/**
 * An error with a sentence for the two failures that a user can fix: Modelport does not run, and its certificate is
 * not trusted. Any other error is returned as it is. OpenAI's SDK throws it as the `cause` of APIConnectionError.
 */
export function explainFailure(error: unknown, attempt: Attempt): unknown {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') {
    const message = `Nothing listens at ${attempt.origin}. Start Modelport, or run “modelport serve”.`
    return Object.assign(new Error(message, { cause: error }), { code })
  }
  if (code !== null && isCertificateCode(code)) {
    return Object.assign(new Error(certificateMessage(attempt), { cause: error }), { code })
  }
  return error
}

function certificateMessage({ origin, file, isTrusted }: Attempt): string {
  return isTrusted
    ? `The certificate of ${origin} is not signed by the authority in ${file}. Another Modelport may listen there: pass caFile with its tls/ca.pem.`
    : `The certificate of ${origin} is not trusted, and the authority's file ${file} cannot be read. Pass caFile with the path of Modelport's tls/ca.pem.`
}

/** Code of the error, of its cause, or of the first of several attempts to connect. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}

/** @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
function isCertificateCode(code: string): boolean {
  return /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_|UNKNOWN_CERTIFICATE_|INVALID_CA$)/.test(
    code,
  )
}
