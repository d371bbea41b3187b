/** Answers a checked request, or sends its error. */
import type { ChatRequest } from '../../../shared/chat.ts'
import type { AnswerChat } from '../../agents/agent-call.ts'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { Caller } from '../auth.ts'
import { admitChat, completionOf, identityOf } from '../chat-exchange.ts'
import { toServiceError, type OnBug } from '../errors.ts'
import { sendStream } from '../sse.ts'
import type { AnswerWriter } from './answer-writer.ts'

export interface AnswerOptions {
  answerChat: AnswerChat
  newRequestId(): string
  now(): number
  /** How long a streaming client may read nothing while data is waiting. */
  stallMs: number
  /** Called with unexpected errors; the caller gets a 500 without their text. */
  onBug: OnBug
}

export interface AcceptedRequest {
  caller: Caller
  headers: Readonly<Record<string, string>>
  body: ChatRequest
}

interface Answering {
  writer: AnswerWriter
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** Writes the whole answer, or nothing when the client has disconnected. */
export async function answerRequest(
  checked: AcceptedRequest,
  answering: Answering,
  options: AnswerOptions,
): Promise<void> {
  const { writer } = answering
  const requestId = options.newRequestId()
  writer.headers['x-request-id'] = requestId
  try {
    await writeAnswer({ ...checked, requestId }, answering, options)
  } catch (cause) {
    if (cause instanceof ClientClosed) return
    const error = toServiceError(cause, options.onBug, requestId)
    Object.assign(writer.headers, { 'cache-control': 'no-store' }, error.headers)
    writer.whole(error.status, JSON.stringify(error.toBody()))
  }
}

async function writeAnswer(
  checked: AcceptedRequest & { requestId: string },
  { writer, signal }: Answering,
  { answerChat, now, stallMs }: AnswerOptions,
): Promise<void> {
  const answerHeaders = {
    set: (name: string, value: string) => {
      writer.headers[name] = value
    },
    remove: (name: string) => {
      delete writer.headers[name]
    },
  }
  const exchange = { ...checked, answerHeaders }
  const admitted = await admitChat(exchange, answerChat)
  const identity = identityOf(exchange, now())
  if (checked.body.stream === true) {
    const stream = { ...identity, signal, stallMs, recording: null }
    await sendStream(writer, admitted.stream(signal), stream)
    return
  }
  writer.whole(200, JSON.stringify(completionOf(await admitted.complete(signal), identity)))
}
