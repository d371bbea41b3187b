/** The answers of the bench's upstream: HTTP as bytes, created once where possible. */

/** The number at the start of each piece of a stream, by which a client notices a missing piece. */
export const words = ' is the number of this piece of the answer;'

const completion = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench',
}
const body = JSON.stringify({
  ...completion,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'An answer of some length. '.repeat(25) },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 150, total_tokens: 162 },
})

/** A whole answer, about a kilobyte. */
export const wholeAnswer = [
  'HTTP/1.1 200 OK',
  'content-type: application/json',
  `content-length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n')

/** The head of a stream and its first event, which has only the role, as in OpenAI's streams. */
export const streamHead = [
  'HTTP/1.1 200 OK',
  'content-type: text/event-stream; charset=utf-8',
  'transfer-encoding: chunked',
  '',
  httpChunk(event(choice({ role: 'assistant', content: '' }, null))),
].join('\r\n')

/** A piece of the answer. @param sentAtMs  by the clock that all processes of the bench share */
export function streamPiece(number: number, sentAtMs: number): string {
  return httpChunk(event(choice({ content: pieceText(number, sentAtMs) }, null)))
}

/** The text of that piece. */
export function pieceText(number: number, sentAtMs: number): string {
  return `${number}${words} sent at ${sentAtMs.toFixed(3)} `
}

/** From the finish reason on. @param hasUsage  whether the request asked for it */
export function streamEnd(pieces: number, hasUsage: boolean): string {
  const usage = { prompt_tokens: 12, completion_tokens: pieces, total_tokens: 12 + pieces }
  const usageEvent = event({ choices: [], usage })
  return [
    httpChunk(event(choice({}, 'stop'))),
    hasUsage ? httpChunk(usageEvent) : '',
    httpChunk('data: [DONE]\n\n'),
    '0\r\n\r\n',
  ].join('')
}

function choice(delta: object, finish_reason: string | null): object {
  return { choices: [{ index: 0, delta, logprobs: null, finish_reason }] }
}

function event(fields: object): string {
  return `data: ${JSON.stringify({ ...completion, object: 'chat.completion.chunk', ...fields })}\n\n`
}

function httpChunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
