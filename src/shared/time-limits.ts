/** Time limits for upstream requests, in milliseconds. */
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

const range = (seconds: string) => `Enter 0.1 to ${seconds} seconds`
const limitUpTo = (mostMs: number, seconds: string) =>
  z.int(range(seconds)).min(100, range(seconds)).max(mostMs, range(seconds)).optional()

/** After an hour without progress a model counts as stopped. */
const waitMs = limitUpTo(3_600_000, '3,600')

/** The custom limits of a router. Missing limits have the default. */
export const timeLimitsSchema = z.strictObject({
  connectMs: limitUpTo(60_000, '60'),
  firstTokenMs: waitMs,
  betweenChunksMs: waitMs,
  totalMs: waitMs,
})
export type OwnTimeLimits = z.output<typeof timeLimitsSchema>
