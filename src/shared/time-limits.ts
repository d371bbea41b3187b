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

const ms = z.int('a number is needed').min(100, 'a tenth of a second at the least')
/** What takes longer has stopped, whatever it says. */
const waitMs = ms.max(3_600_000, 'an hour at the most').optional()

/** A router's own limits; what it leaves out has its default. */
export const timeLimitsSchema = z.strictObject({
  connectMs: ms.max(60_000, 'a minute at the most').optional(),
  firstTokenMs: waitMs,
  betweenChunksMs: waitMs,
  totalMs: waitMs,
})
export type OwnTimeLimits = z.output<typeof timeLimitsSchema>
