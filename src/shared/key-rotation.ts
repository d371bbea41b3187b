import { z } from 'zod'

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
