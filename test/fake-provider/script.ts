/** The behaviour of a fake model as plain data, so that a test shows its situation. */

/** OpenAI's usage object; a test sets only the fields it needs. */
export interface FakeUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: { cached_tokens?: number }
  completion_tokens_details?: { reasoning_tokens?: number }
}

/** One streamed tool call; a missing `index` or `id` is also missing on the wire. */
export interface FakeToolCall {
  index?: number
  id?: string
  name: string
  /** Each piece is one delta. */
  argumentPieces: readonly string[]
}

/** An HTTP answer sent unchanged, in place of a completion. */
export interface FakeReply {
  status: number
  headers?: Readonly<Record<string, string>>
  body: string
}

/**
 * Breaks an answer. `afterEvents` is the number of events sent first: 0 breaks before the headers, 1 after the
 * role-only chunk. An answer that is not streamed breaks before its headers (0) or in the middle of its body.
 */
export interface FakeFault {
  /** `truncate` ends the body cleanly but too early; `error-event` sends an error object first. */
  kind: 'hang' | 'reset' | 'truncate' | 'error-event'
  afterEvents: number
}

/** How the events are written to the wire. */
export interface FakeFraming {
  lineEnd?: '\n' | '\r\n'
  /** A comment line before every event. */
  comments?: boolean
  /** Cuts the byte stream into writes of this size, regardless of events and characters. */
  sliceBytes?: number
  /** Omits the `data: [DONE]`. */
  withoutDone?: boolean
}

/** One model's script. An empty script answers a fixed text at once, in four chunks. */
export interface FakeModel {
  text?: string
  /** The number of content chunks. */
  chunks?: number
  /** Reasoning text, streamed before the answer as `reasoning_content`. */
  reasoning?: string
  toolCalls?: readonly FakeToolCall[]
  finishReason?: string
  /** Delay before the status line. */
  firstByteDelayMs?: number
  /** Delay between two events. */
  chunkDelayMs?: number
  /** `none`: never reported, even if requested. */
  usage?: FakeUsage | 'none'
  fault?: FakeFault
  reply?: FakeReply
  framing?: FakeFraming
  /** Fields added to the body and to every chunk, to test fields such as `_meta` from an upstream. */
  extraFields?: Readonly<Record<string, unknown>>
  /** Numbers of a vector, for embeddings; 4 by default. */
  dimensions?: number
  /** Replaces the generated events; each is sent as one `data:` line. */
  events?: readonly string[]
}

/** OpenAI's error body and status. `retryAfterSeconds` sets the header. */
export function errorReply(
  status: number,
  error: { message?: string; code?: string; retryAfterSeconds?: number } = {},
): FakeReply {
  const { message = `fake error ${status}`, code = null, retryAfterSeconds } = error
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: JSON.stringify({ error: { message, type: errorType(status), param: null, code } }),
  }
}

function errorType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 402) return 'insufficient_quota'
  if (status === 429) return 'requests'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** A 200 with an HTML page, as from captive portals and wrong base URLs. */
export const htmlReply: FakeReply = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Welcome</title><p>Please sign in.</p>',
}

/** A 200 with the JSON content type and a body that is not JSON. */
export const invalidJsonReply: FakeReply = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"id": "chatcmpl-fake", "choices": [',
}
