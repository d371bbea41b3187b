/** What every check returns. */

export interface Grade {
  /** 1 is right, 0 wrong. Only required facts give fractions. */
  score: number
  /** A plain sentence. It quotes at most a few words of the answer. */
  reason: string
}

export function right(reason: string): Grade {
  return { score: 1, reason }
}

export function wrong(reason: string): Grade {
  return { score: 0, reason }
}

const longestQuote = 60

/** Part of an answer for a reason: short, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longestQuote ? `"${line.slice(0, longestQuote)}…"` : `"${line}"`
}
