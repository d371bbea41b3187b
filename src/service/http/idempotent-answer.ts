/** `Idempotency-Key` at the endpoint: a request is answered once, and the same answer is sent for each repeat. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Router } from '../../shared/entities.ts'
import type { Idempotency } from '../chat/kept-answers/idempotency.ts'
import type { SentAnswer } from '../storage/idempotency-store.ts'
import type { Recording, Recordings } from '../chat/kept-answers/recordings.ts'
import { quotaHeaders, type QuotaState } from '../chat/admission/quota.ts'
import { callerOf } from './checked-request.ts'
import { streamHeaders } from './sse.ts'

export interface IdempotentOptions {
  idempotency: Idempotency
  recordings: Recordings
  /** What is left of the router's day, uncounted; null where it has no limit. */
  quotaState(router: Router): Promise<QuotaState | null>
}

interface Exchange {
  /** The value of `Idempotency-Key`. */
  key: string
  request: FastifyRequest
  reply: FastifyReply
  /** A reader that stalls is cut by it. */
  signal: AbortSignal
}

/**
 * Sends the answer kept under the key, or has one made, sends it and keeps it if it ended well.
 * @param answer  resolves to the body to send, or undefined when it sent a stream, which it wrote down
 * @throws ServiceError invalid_parameter, idempotency_in_progress, idempotency_key_reused; what
 *   `answer` throws
 */
export async function answerOnce(
  { key, request, reply, signal }: Exchange,
  { idempotency, recordings, quotaState }: IdempotentOptions,
  answer: (recording: Recording) => Promise<object | undefined>,
): Promise<void> {
  const { apiKey, router } = callerOf(request)
  const owner = { apiKeyId: apiKey.id, routerId: router.id }
  const start = await idempotency.begin(key, { ...owner, body: request.body })
  if (start.kind === 'replay') {
    signal.addEventListener('abort', () => void reply.raw.destroy())
    const state = await quotaState(router)
    if (state) reply.headers(quotaHeaders(state))
    send(reply.header('idempotent-replayed', 'true'), start.answer)
    return
  }
  const recording = recordings.start()
  let finished: SentAnswer | null = null
  try {
    const whole = await answer(recording)
    const body = whole === undefined ? recording.finish() : Buffer.from(JSON.stringify(whole))
    const headers = describingHeaders(reply)
    finished = body && { isStreamed: whole === undefined, body, headers }
  } finally {
    recording.drop()
    await start.finish(finished)
  }
  if (finished?.isStreamed === false) send(reply, finished)
}

/** What was changed of the request for the model that answered holds for every time it is given. */
function describingHeaders(reply: FastifyReply): SentAnswer['headers'] {
  const adjusted = reply.getHeader('x-modelport-adjusted')
  return adjusted === undefined ? {} : { 'x-modelport-adjusted': String(adjusted) }
}

function send(reply: FastifyReply, { isStreamed, body, headers }: SentAnswer): void {
  const form = isStreamed ? streamHeaders : jsonHeaders
  reply.headers({ ...headers, ...form }).send(body)
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const
