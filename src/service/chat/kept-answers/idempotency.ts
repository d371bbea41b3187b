/**
 * `Idempotency-Key`: a repeated request with the same key gets the stored answer, so that a retry after a lost
 * connection calls no model and is not charged. Storage has hashes of the key and body, and the answer for ten minutes.
 * Refusals and failures are not stored, because a retry may succeed. Reasons: docs/decisions/2026-11-21-replay.md.
 */
import { createHash } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import type {
  AnswerOwner,
  IdempotencyStore,
  IdempotentRecord,
  SentAnswer,
} from '../../storage/idempotency-store.ts'
import { StorageUnavailable } from '../../storage/storage-errors.ts'
import { sha256OfJson } from './canonical-json.ts'

export interface IdempotentRequest extends AnswerOwner {
  /** Parsed and validated. */
  body: unknown
  /** The value of `X-Stainless-Retry-Count`, which OpenAI's clients send. */
  retryCount: string | undefined
}

/** What to do with a request under a key. */
export type IdempotentStart =
  | { kind: 'replay'; answer: SentAnswer }
  /** The first request with its key: others are refused until `finish`. Null stores nothing. */
  | { kind: 'first'; finish(answer: SentAnswer | null): Promise<void> }

export interface IdempotencyOptions {
  store: IdempotencyStore
  /** @returns false after the key was revoked or the router deleted, because no request can ask for the answer then */
  mayAsk(owner: AnswerOwner): boolean
}

export class Idempotency {
  readonly #options: IdempotencyOptions

  constructor(options: IdempotencyOptions) {
    this.#options = options
  }

  /**
   * @param header  the value of `Idempotency-Key`
   * @throws ServiceError invalid_parameter, idempotency_in_progress, idempotency_key_reused, storage_unavailable
   */
  async begin(header: string, request: IdempotentRequest): Promise<IdempotentStart> {
    const { apiKeyId, routerId } = request
    const id = createHash('sha256')
      .update(JSON.stringify([apiKeyId, routerId, checkedKey(header)]))
      .digest('hex')
    const bodySha256 = sha256OfJson(request.body)
    const isFirstAttempt = request.retryCount === '0' && madeByClient.test(header)
    const record = { id, apiKeyId, routerId, bodySha256, isFirstAttempt }
    const state = await this.#options.store.begin(record).catch(rethrow)
    if (state.kind === 'begun')
      return { kind: 'first', finish: (answer) => this.#finish(record, answer) }
    if (state.bodySha256 !== bodySha256) throw reused()
    if (state.kind === 'running') throw inProgress()
    return { kind: 'replay', answer: state.answer }
  }

  /** Call it when keys or routers changed. */
  forgetRefused(): void {
    this.#options.store.keepOnly((owner) => this.#options.mayAsk(owner))
  }

  #finish(record: IdempotentRecord, answer: SentAnswer | null): Promise<void> {
    const { store, mayAsk } = this.#options
    return store.finish(record, mayAsk(record) ? answer : null)
  }
}

/** The form of the keys that OpenAI's clients make, one for each request. Their users' keys can be those of earlier requests. */
const madeByClient = /^stainless-\w+-retry-/

/** @throws ServiceError invalid_parameter */
function checkedKey(header: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header
  throw new ServiceError(
    'invalid_parameter',
    'The header Idempotency-Key must have 1 to 255 printable ASCII characters.',
    { param: 'Idempotency-Key' },
  )
}

/** Throws an error for nodes that share their keys: they cannot be sure now that no other node runs the request. */
function rethrow(error: unknown): never {
  if (!(error instanceof StorageUnavailable)) throw error
  throw new ServiceError(
    'storage_unavailable',
    'The Idempotency-Key cannot be checked now, so the request was not run. Try again shortly, or send it without the key.',
    { param: 'Idempotency-Key', headers: { 'retry-after': '1' }, cause: error },
  )
}

function inProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is in progress. Retry to get its answer.',
    { param: 'Idempotency-Key', headers: { 'retry-after': '1' } },
  )
}

function reused(): ServiceError {
  return new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another body. Use a new key for a new request.',
    { param: 'Idempotency-Key' },
  )
}
