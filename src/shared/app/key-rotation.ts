import { z } from 'zod'
import type { ApiKey } from '../entities.ts'

export const rotationGraces = ['0', '1h', '24h'] as const
/** How long a rotated key keeps working beside its successor. */
export type RotationGrace = (typeof rotationGraces)[number]

export const graceMs: Readonly<Record<RotationGrace, number>> = {
  '0': 0,
  '1h': 3_600_000,
  '24h': 86_400_000,
}

export const keyRotationSchema = z.strictObject({
  id: z.string().min(1),
  grace: z.enum(rotationGraces),
})

/** The age at which a key should be rotated. */
export const rotateAfterMs = 90 * 86_400_000

/**
 * How a key ended; null while it works. The service ends a key for good once it has expired, so that a clock that goes
 * back does not bring it back: such a key was revoked at its expiry.
 */
export function endOfKey(
  { expiresAtMs, revokedAtMs }: Pick<ApiKey, 'expiresAtMs' | 'revokedAtMs'>,
  nowMs: number,
): 'expired' | 'revoked' | null {
  const expiryMs = expiresAtMs ?? Infinity
  if (revokedAtMs !== null && revokedAtMs < expiryMs) return 'revoked'
  return revokedAtMs !== null || expiryMs <= nowMs ? 'expired' : null
}
