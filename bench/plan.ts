/**
 * The bench's instructions to its upstream, as words in the prompt, because every gateway forwards these unchanged.
 */

export interface Plan {
  /** The number of pieces in a streamed answer. */
  pieces: number
  /** The pause between two pieces and before a whole answer; 0 sends a stream at once, without a report. */
  everyMs: number
  /** The request's name in the upstream's report; null for no report. */
  tag: string | null
}

/** The upstream's report on a tagged request, sent when everything was written or its connection closed. */
export interface Account {
  tag: string
  /** `sharedNowMs()` of each piece sent; a whole answer is one piece. */
  sentAtMs: number[]
  /** Whether everything was sent. */
  isWhole: boolean
  /** `sharedNowMs()` when everything was sent or the connection closed. */
  endedAtMs: number
}

/** Checked boundary: a message of our own upstream. */
export function isAccount(message: unknown): message is Account {
  return typeof message === 'object' && message !== null && 'sentAtMs' in message
}

/** The words, without characters that JSON would escape. */
export function planWords({ pieces, everyMs, tag }: Plan): string {
  return `(bench pieces=${pieces} everyMs=${everyMs} tag=${tag ?? '-'})`
}

/** @returns null if the text contains no plan */
export function readPlan(text: string): Plan | null {
  const found = /\(bench pieces=(\d+) everyMs=(\d+) tag=([\w-]+)\)/.exec(text)
  if (!found) return null
  const [, pieces, everyMs, tag = '-'] = found
  return { pieces: Number(pieces), everyMs: Number(everyMs), tag: tag === '-' ? null : tag }
}

/** Milliseconds of a monotonic clock that is the same for all processes of a computer. */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}
