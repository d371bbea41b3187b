/** Time limits for upstream requests, in milliseconds. */
import { z } from 'zod'

export interface TimeLimits {
  /** Time until the end of the TLS handshake, when a new connection is needed. */
  connectMs: number
  /** Time from dispatch to the first content, reasoning or tool delta of a stream. */
  firstTokenMs: number
  /** Time between two chunks of a stream after its first; the time that a slow reader takes does not count. */
  betweenChunksMs: number
  /**
   * Time of one attempt. The only limit for an answer that is not streamed, because a reasoning model can think for
   * minutes.
   */
  totalMs: number
}

/** The total is the longest time that OpenAI's SDKs wait before they give up. */
export const defaultTimeLimits: TimeLimits = {
  connectMs: 5_000,
  firstTokenMs: 30_000,
  betweenChunksMs: 60_000,
  totalMs: 600_000,
}

const range = (seconds: string) => `Enter 0.1 to ${seconds} seconds`
const limitUpTo = (mostMs: number, seconds: string) =>
  z.int(range(seconds)).min(100, range(seconds)).max(mostMs, range(seconds)).optional()

/** A model without progress for an hour counts as stopped. */
const waitMs = limitUpTo(3_600_000, '3,600')

/** A router's own limits; the defaults apply to missing ones. */
export const timeLimitsSchema = z.strictObject({
  connectMs: limitUpTo(60_000, '60'),
  firstTokenMs: waitMs,
  betweenChunksMs: waitMs,
  totalMs: waitMs,
})
