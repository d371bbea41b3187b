/**
 * `Idempotency-Key`: a request sent again under the same key gets the answer that was already given,
 * so that a retry after a lost connection neither asks a model nor pays twice. In memory only: the
 * key as a hash, the body as a hash, the answer for ten minutes. A refusal or a failure is not kept:
 * the retry that mends it is what the header is for.
 * Why so: docs/decisions/2026-11-21-replay.md.
 */
import { createHash } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import { sha256OfJson } from './canonical-json.ts'
import { AnswerStore } from './answer-store.ts'

const keptForMs = 10 * 60_000
const bounds = { maxEntries: 10_000, maxBytes: 64 * 1024 * 1024 }

/** An answer that ended well, as it was on the wire. */
export interface SentAnswer {
  isStreamed: boolean
  /** The one JSON body, or all the events of a stream up to and with `[DONE]`. */
  body: Buffer
  /** Those that say how it came about. */
  headers: Readonly<Record<string, string>>
}

/** Whose answer it is: nobody else ever gets it. */
export interface AnswerOwner {
  apiKeyId: string
  routerId: string
}

export interface IdempotentRequest extends AnswerOwner {
  /** Parsed and found valid. */
  body: unknown
}

export type IdempotentTurn =
  | { kind: 'replay'; answer: SentAnswer }
  /** The first under its key: the others wait until it was ended. Null: nothing is kept of it. */
  | { kind: 'first'; end(answer: SentAnswer | null): void }

interface Kept extends AnswerOwner {
  bodySha256: string
  answer: SentAnswer
}

export interface IdempotencyOptions {
  /** False once the key was revoked or the router deleted: nobody could ask for the answer. */
  mayAsk(owner: AnswerOwner): boolean
  /** Monotonic milliseconds. */
  clock: () => number
}

export class Idempotency {
  readonly #mayAsk: IdempotencyOptions['mayAsk']
  readonly #kept: AnswerStore<Kept>
  /** Hash of the key to that of the body; as many as requests are being answered. */
  readonly #running = new Map<string, string>()

  constructor({ mayAsk, clock }: IdempotencyOptions) {
    this.#mayAsk = mayAsk
    this.#kept = new AnswerStore({ ...bounds, clock })
  }

  /**
   * @param header  the value of `Idempotency-Key`
   * @throws ServiceError invalid_parameter, idempotency_in_progress, idempotency_key_reused
   */
  begin(header: string, request: IdempotentRequest): IdempotentTurn {
    const { apiKeyId, routerId } = request
    const id = createHash('sha256')
      .update(JSON.stringify([apiKeyId, routerId, checkedKey(header)]))
      .digest('hex')
    const bodySha256 = sha256OfJson(request.body)
    const runningBody = this.#running.get(id)
    const kept = this.#kept.get(id)
    const knownBody = runningBody ?? kept?.bodySha256 ?? bodySha256
    if (knownBody !== bodySha256) throw reused()
    if (runningBody !== undefined) throw inProgress()
    if (kept) return { kind: 'replay', answer: kept.answer }
    this.#running.set(id, bodySha256)
    return {
      kind: 'first',
      end: (answer) => {
        this.#running.delete(id)
        if (answer) this.#keep(id, { apiKeyId, routerId, bodySha256, answer })
      },
    }
  }

  /** To be called when keys or routers changed. */
  forgetRefused(): void {
    this.#kept.forgetWhere((kept) => !this.#mayAsk(kept))
  }

  close(): void {
    this.#kept.close()
  }

  #keep(id: string, kept: Kept): void {
    if (!this.#mayAsk(kept)) return
    this.#kept.put(id, kept, { bytes: kept.answer.body.length, ttlMs: keptForMs })
  }
}

/** @throws ServiceError invalid_parameter */
function checkedKey(header: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header
  throw new ServiceError(
    'invalid_parameter',
    'The header Idempotency-Key takes 1 to 255 printable ASCII characters.',
    { param: 'Idempotency-Key' },
  )
}

function inProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is being answered. Ask again for its answer.',
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
