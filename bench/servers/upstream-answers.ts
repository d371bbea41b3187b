/** The answers of the bench's upstream in two vendors' forms: HTTP as bytes, created once where possible. */

/** The number at the start of each piece of a stream, by which a client notices a missing piece. */
export const words = ' is the number of this piece of the answer;'

/** One vendor's form. */
export interface UpstreamForm {
  /** A whole answer, about a kilobyte. */
  wholeAnswer: string
  /** The head of a stream and its events before the first piece. */
  streamHead: string
  /** A piece of the answer. */
  streamPiece(text: string): string
  /** End of a stream from the finish reason on. @param hasUsage  whether the request asked for it */
  streamEnd(pieces: number, hasUsage: boolean): string
}

/** The text of a piece. @param sentAtMs  by the clock that all processes of the bench share */
export function pieceText(number: number, sentAtMs: number): string {
  return `${number}${words} sent at ${sentAtMs.toFixed(3)} `
}

const answerText = 'An answer of some length. '.repeat(25)

const completion = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench',
}

/** OpenAI's chat completions. */
export const chatForm: UpstreamForm = {
  wholeAnswer: wholeAnswerOf({
    ...completion,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answerText },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 12, completion_tokens: 150, total_tokens: 162 },
  }),
  // The first event has only the role, as in OpenAI's streams.
  streamHead: streamHeadOf(chatEvent(choice({ role: 'assistant', content: '' }, null))),
  streamPiece: (content) => httpChunk(chatEvent(choice({ content }, null))),
  streamEnd(pieces, hasUsage) {
    const usage = { prompt_tokens: 12, completion_tokens: pieces, total_tokens: 12 + pieces }
    return [
      httpChunk(chatEvent(choice({}, 'stop'))),
      hasUsage ? httpChunk(chatEvent({ choices: [], usage })) : '',
      httpChunk('data: [DONE]\n\n'),
      '0\r\n\r\n',
    ].join('')
  },
}

const message = {
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  stop_sequence: null,
}

/** Anthropic's Messages. */
export const messagesForm: UpstreamForm = {
  wholeAnswer: wholeAnswerOf({
    ...message,
    content: [{ type: 'text', text: answerText }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 12, output_tokens: 150 },
  }),
  streamHead: streamHeadOf(
    messageEvent('message_start', {
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { input_tokens: 12, output_tokens: 1 },
      },
    }) +
      messageEvent('content_block_start', {
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
  ),
  streamPiece: (text) =>
    httpChunk(
      messageEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
  streamEnd: (pieces) =>
    [
      httpChunk(messageEvent('content_block_stop', { index: 0 })),
      httpChunk(
        messageEvent('message_delta', {
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: pieces },
        }),
      ),
      httpChunk(messageEvent('message_stop', {})),
      '0\r\n\r\n',
    ].join(''),
}

function wholeAnswerOf(answer: object): string {
  const body = JSON.stringify(answer)
  return [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

function streamHeadOf(events: string): string {
  return [
    'HTTP/1.1 200 OK',
    'content-type: text/event-stream; charset=utf-8',
    'transfer-encoding: chunked',
    '',
    httpChunk(events),
  ].join('\r\n')
}

function choice(delta: object, finish_reason: string | null): object {
  return { choices: [{ index: 0, delta, logprobs: null, finish_reason }] }
}

function chatEvent(fields: object): string {
  return `data: ${JSON.stringify({ ...completion, object: 'chat.completion.chunk', ...fields })}\n\n`
}

function messageEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function httpChunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
