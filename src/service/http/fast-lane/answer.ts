/** Answers a checked request, or sends its error. */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { AnswerChat } from '../../agents/agent-call.ts'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { Caller } from '../checks/auth.ts'
import { admitChat, completionOf, identityOf } from '../answers/chat-exchange.ts'
import type { ServiceError } from '../../errors.ts'
import { toServiceError, type OnBug } from '../refusals/errors.ts'
import { sendStream } from '../answers/sse.ts'
import type { RefusalListener } from '../refusals/refusal.ts'
import type { AnswerWriter } from './answer-writer.ts'

export interface AnswerOptions {
  answerChat: AnswerChat
  newRequestId(): string
  now(): number
  /** How long a streaming client may read nothing while data is waiting. */
  stallMs: number
  /** Called with unexpected errors; the caller gets a 500 without their text. */
  onBug: OnBug
  onRefused: RefusalListener['onRefused']
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
  { writer, signal }: Answering,
  options: AnswerOptions,
): Promise<void> {
  const requestId = options.newRequestId()
  writer.set('x-request-id', requestId)
  const row = { follows: false }
  const onAdmitted = () => {
    row.follows = true
  }
  const { caller, headers, body } = checked
  const exchange = { requestId, caller, headers, body, answerHeaders: writer, onAdmitted }
  try {
    const admitted = await admitChat(exchange, options.answerChat)
    const identity = identityOf(exchange, options.now())
    if (body.stream === true) {
      const stream = { ...identity, signal, stallMs: options.stallMs, recording: null }
      await sendStream(writer, admitted.stream(signal), stream)
      return
    }
    writer.whole(200, JSON.stringify(completionOf(await admitted.complete(signal), identity)))
  } catch (cause) {
    if (cause instanceof ClientClosed) return
    const error = toServiceError(cause, options.onBug, requestId)
    if (!row.follows) noteRefused(error, exchange, options)
    Object.assign(writer.headers, { 'cache-control': 'no-store' }, error.headers)
    writer.whole(error.status, JSON.stringify(error.toBody()))
  }
}

function noteRefused(
  { code }: ServiceError,
  { requestId: id, caller }: AcceptedRequest & { requestId: string },
  { now, onRefused }: AnswerOptions,
): void {
  const { apiKey, router } = caller
  onRefused({ id, atMs: now(), apiKeyId: apiKey.id, routerId: router.id, code, door: 'chat' })
}
