/** What a fake model does: plain data, so that a test reads as the situation it is about. */

/** OpenAI's usage object; only what a test is about need be given. */
export interface FakeUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: { cached_tokens?: number }
  completion_tokens_details?: { reasoning_tokens?: number }
}

/** One tool call as it is streamed; a missing `index` or `id` is missing on the wire too. */
export interface FakeToolCall {
  index?: number
  id?: string
  name: string
  /** Each piece is one delta. */
  argumentPieces: readonly string[]
}

/** An HTTP answer sent as it is, in place of a completion. */
export interface FakeReply {
  status: number
  headers?: Readonly<Record<string, string>>
  body: string
}

/**
 * Where and how an answer breaks. `afterEvents` counts the events that are sent before: 0 breaks
 * before the headers, 1 after the role-only chunk. An answer that is not streamed breaks before its
 * headers (0) or in the middle of its body.
 */
export interface FakeFault {
  /** `truncate` ends the body in good order but too early; `error-event` sends an error object first. */
  kind: 'hang' | 'reset' | 'truncate' | 'error-event'
  afterEvents: number
}

/** How the events are put on the wire. */
export interface FakeFraming {
  lineEnd?: '\n' | '\r\n'
  /** A comment line before every event. */
  comments?: boolean
  /** Cuts the byte stream into writes of this size, through events and characters alike. */
  sliceBytes?: number
  /** Leaves the `data: [DONE]` out. */
  withoutDone?: boolean
}

/** One model's script. Without anything it answers a fixed text at once, in four chunks. */
export interface FakeModel {
  text?: string
  /** Into how many content chunks the text is cut. */
  chunks?: number
  /** Reasoning text, streamed before the answer as `reasoning_content`. */
  reasoning?: string
  toolCalls?: readonly FakeToolCall[]
  finishReason?: string
  /** Before the status line. */
  firstByteDelayMs?: number
  /** Between two events. */
  chunkDelayMs?: number
  /** `none`: never reported, whatever the request asked for. */
  usage?: FakeUsage | 'none'
  fault?: FakeFault
  reply?: FakeReply
  framing?: FakeFraming
  /** Put on the body, and on every chunk: for fields an upstream might smuggle in, such as `_meta`. */
  extraFields?: Readonly<Record<string, unknown>>
  /** Replaces the generated events; each is sent as one `data:` line. */
  events?: readonly string[]
}

/** The error body and status OpenAI's API answers with. `retryAfterSeconds` sets the header. */
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

/** A 200 with a page in it, as captive portals and wrong base URLs give. */
export const htmlReply: FakeReply = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Welcome</title><p>Please sign in.</p>',
}

/** A 200 that says it is JSON and is not. */
export const invalidJsonReply: FakeReply = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"id": "chatcmpl-fake", "choices": [',
}
