/** When the endpoint's certificates end, and from when on the user should know. */

export interface CertificateEnds {
  /** The end of the endpoint's own certificate, which is renewed 30 days before. */
  leafMs: number
  /** Time from which the authority is replaced, and clients must trust the new one. */
  authorityMs: number
}

export interface CertificateProblem {
  /** `leaf`: the certificate was not renewed in time. `authority`: a new authority is to be trusted soon. */
  kind: 'leaf' | 'authority'
  atMs: number
}

const dayMs = 86_400_000
const leafWarningMs = 14 * dayMs
const authorityWarningMs = 30 * dayMs

/** @returns null while no certificate is near its end */
export function certificateProblem(
  { leafMs, authorityMs }: CertificateEnds,
  nowMs: number,
): CertificateProblem | null {
  if (leafMs - nowMs < leafWarningMs) return { kind: 'leaf', atMs: leafMs }
  if (authorityMs - nowMs < authorityWarningMs) return { kind: 'authority', atMs: authorityMs }
  return null
}
