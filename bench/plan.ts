/**
 * How a bench tells its upstream what to do: by words in the prompt, because these come through every
 * gateway alike.
 */

export interface Plan {
  /** Pieces of a streamed answer. */
  pieces: number
  /** Between two pieces, and before a whole answer; 0 sends a stream at once, and no account of it. */
  everyMs: number
  /** Names the request in the upstream's account of it; null: no account is wanted. */
  tag: string | null
}

/** What became of a tagged request, told by the upstream when its connection closed or all was sent. */
export interface Account {
  tag: string
  /** `sharedNowMs()` of each piece that was sent; an answer in one piece is one. */
  sentAtMs: number[]
  /** Whether all was sent. */
  isWhole: boolean
  /** `sharedNowMs()` when all was sent or the connection closed. */
  endedAtMs: number
}

/** Checked boundary: a message of our own upstream. */
export function isAccount(message: unknown): message is Account {
  return typeof message === 'object' && message !== null && 'sentAtMs' in message
}

/** The words. They hold no character that JSON would escape. */
export function planWords({ pieces, everyMs, tag }: Plan): string {
  return `(bench pieces=${pieces} everyMs=${everyMs} tag=${tag ?? '-'})`
}

/** @returns null where the text has no plan in it */
export function readPlan(text: string): Plan | null {
  const found = /\(bench pieces=(\d+) everyMs=(\d+) tag=([\w-]+)\)/.exec(text)
  if (!found) return null
  const [, pieces, everyMs, tag = '-'] = found
  return { pieces: Number(pieces), everyMs: Number(everyMs), tag: tag === '-' ? null : tag }
}

/** Milliseconds of the one monotonic clock that all processes of a computer read alike. */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}
