/** How long an upstream may take, in milliseconds: each wait has a limit of its own. */
import { z } from 'zod'

export interface TimeLimits {
  /** To the end of the TLS handshake, where a new connection is needed. */
  connectMs: number
  /** From dispatch to the first content, reasoning or tool delta of a stream. */
  firstTokenMs: number
  /** Between two chunks of a stream that has begun; the time a slow reader takes is not counted. */
  betweenChunksMs: number
  /** Of one attempt. The only limit of an answer in one piece: a reasoning model thinks for minutes. */
  totalMs: number
}

/** The total is what OpenAI's SDKs wait at the most before they give up themselves. */
export const defaultTimeLimits: TimeLimits = {
  connectMs: 5_000,
  firstTokenMs: 30_000,
  betweenChunksMs: 60_000,
  totalMs: 600_000,
}

export const timeLimitNames = [
  'connectMs',
  'firstTokenMs',
  'betweenChunksMs',
  'totalMs',
] as const satisfies readonly (keyof TimeLimits)[]

/** An hour: what takes longer has stopped, whatever it says. */
const waitMs = z.int().min(100).max(3_600_000).optional()

/** A router's own limits; what it leaves out has its default. */
export const timeLimitsSchema = z.strictObject({
  connectMs: z.int().min(100).max(60_000).optional(),
  firstTokenMs: waitMs,
  betweenChunksMs: waitMs,
  totalMs: waitMs,
})
export type OwnTimeLimits = z.output<typeof timeLimitsSchema>
