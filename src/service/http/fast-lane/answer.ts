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
  /** Called once a row of the ledger follows. */
  onAdmitted(): void
}

/** Writes the whole answer, or nothing when the client has disconnected. */
export async function answerRequest(
  checked: AcceptedRequest,
  answering: Omit<Answering, 'onAdmitted'>,
  options: AnswerOptions,
): Promise<void> {
  const { writer } = answering
  const row = { follows: false }
  const onAdmitted = () => {
    row.follows = true
  }
  const requestId = options.newRequestId()
  writer.headers['x-request-id'] = requestId
  try {
    await writeAnswer({ ...checked, requestId }, { ...answering, onAdmitted }, options)
  } catch (cause) {
    if (cause instanceof ClientClosed) return
    const error = toServiceError(cause, options.onBug, requestId)
    if (!row.follows) noteRefused(error, { ...checked, requestId }, options)
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

async function writeAnswer(
  checked: AcceptedRequest & { requestId: string },
  { writer, signal, onAdmitted }: Answering,
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
  const exchange = { ...checked, answerHeaders, onAdmitted }
  const admitted = await admitChat(exchange, answerChat)
  const identity = identityOf(exchange, now())
  if (checked.body.stream === true) {
    const stream = { ...identity, signal, stallMs, recording: null }
    await sendStream(writer, admitted.stream(signal), stream)
    return
  }
  writer.whole(200, JSON.stringify(completionOf(await admitted.complete(signal), identity)))
}
