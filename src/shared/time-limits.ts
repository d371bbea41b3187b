/** How long an upstream may take, in milliseconds: each wait has a limit of its own. */
export interface TimeLimits {
  /** From dispatch to the first content, reasoning or tool delta of a stream. */
  firstTokenMs: number
  /** Between two chunks of a stream that has begun; the time a slow reader takes is not counted. */
  betweenChunksMs: number
  /** Of one attempt. The only limit of an answer in one piece: a reasoning model thinks for minutes. */
  totalMs: number
}

/** To the end of the TLS handshake. */
export const connectMs = 5_000

/** The total is what OpenAI's SDKs wait at the most before they give up themselves. */
export const defaultTimeLimits: TimeLimits = {
  firstTokenMs: 30_000,
  betweenChunksMs: 60_000,
  totalMs: 600_000,
}
