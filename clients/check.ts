/** What clients are checked for, and the results. */

/** The forms of requests that clients send. */
export type Door = 'chat' | 'responses' | 'messages'

/** What a client is checked for, in the order of the table's columns. */
export const capabilities = [
  'plain',
  'stream',
  'abort',
  'tools',
  'structured',
  'errors',
  'turn',
] as const
export type Capability = (typeof capabilities)[number]

/** Upstreams, each with its own router. `mixed` changes the vendor between the steps of a conversation. */
export const upstreamNames = ['built-in', 'OpenAI', 'Anthropic', 'mixed'] as const
export type UpstreamName = (typeof upstreamNames)[number]

export interface Check {
  capability: Capability
  door: Door
  /** The upstream, or the status of an error. */
  on: string
  /** What went wrong, in a sentence; null if it passed. */
  problem: string | null
}

/** The client's own error types by status. */
export type ErrorTypes = Readonly<Record<'401' | '404' | '429' | '503', string>>
