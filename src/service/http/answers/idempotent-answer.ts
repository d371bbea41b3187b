/** `Idempotency-Key` at the endpoint: a request is answered once, and repeats get the same answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Router } from '../../../shared/entities.ts'
import type { Idempotency } from '../../chat/kept-answers/idempotency.ts'
import type { SentAnswer } from '../../storage/idempotency-store.ts'
import type { Recording, Recordings } from '../../chat/kept-answers/recordings.ts'
import { quotaHeaders, type QuotaState } from '../../chat/admission/quota.ts'
import { callerOf, checkedOf } from '../checks/checked-request.ts'
import { rulesOf } from './request-forms.ts'
import { streamHeaders } from './sse.ts'

export interface IdempotentOptions {
  idempotency: Idempotency
  recordings: Recordings
  /** The router's remaining requests today, without counting this one; null without a limit. */
  quotaState(router: Router): Promise<QuotaState | null>
}

interface Exchange {
  /** The value of `Idempotency-Key`. */
  key: string
  request: FastifyRequest
  reply: FastifyReply
  /** Aborts a client that stalls. */
  signal: AbortSignal
}

/**
 * Sends the stored answer of the key. Without one, calls `answer`, sends the result, and stores it if it succeeded.
 * @param answer  resolves to the body to send, or to undefined when it sent a stream and recorded it
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
  // With its form, because two families have different answers for the same body.
  const { form, target } = checkedOf(request)
  const { isNamedByAddress } = rulesOf(form)
  const body = [form, ...(isNamedByAddress ? [target] : []), request.body]
  const retryCount = request.headers['x-stainless-retry-count']?.toString()
  const start = await idempotency.begin(key, { ...owner, body, retryCount })
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
    const sent = whole === undefined ? recording.finish() : Buffer.from(JSON.stringify(whole))
    const headers = describingHeaders(reply)
    finished = sent && { isStreamed: whole === undefined, body: sent, headers }
  } finally {
    recording.drop()
    await start.finish(finished)
  }
  if (finished?.isStreamed === false) send(reply, finished)
}

/** Headers that belong to the answer, so a replay has them too. */
function describingHeaders(reply: FastifyReply): SentAnswer['headers'] {
  const names = [
    'content-type',
    'x-modelport-adjusted',
    'x-modelport-fallback',
    'x-modelport-safety-model',
  ] as const
  const set = names.filter((name) => reply.hasHeader(name))
  return Object.fromEntries(set.map((name) => [name, String(reply.getHeader(name))]))
}

function send(reply: FastifyReply, { isStreamed, body, headers }: SentAnswer): void {
  const form = isStreamed ? streamHeaders : jsonHeaders
  reply.headers({ ...form, ...headers }).send(body)
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const
