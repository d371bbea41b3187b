/** Requests sent under an `Idempotency-Key`, and their answers. */

/** A successful answer, as sent on the wire. */
export interface SentAnswer {
  isStreamed: boolean
  /** The single JSON body, or all events of a stream including `[DONE]`. */
  body: Buffer
  /** Headers that describe how the answer was produced. */
  headers: Readonly<Record<string, string>>
}

/** The API key and router of an answer; other keys and routers never receive it. */
export interface AnswerOwner {
  apiKeyId: string
  routerId: string
}

export interface IdempotentRecord extends AnswerOwner {
  /** Hash of owner and key. */
  id: string
  bodySha256: string
  /** The client made the id for this request and sends it for the first time: no other request can have begun under it. */
  isFirstAttempt: boolean
}

/** The state of an id when a request with it begins. */
export type IdempotencyState =
  /** The id was free. The request holds it until `finish`. */
  | { kind: 'begun' }
  | { kind: 'running'; bodySha256: string }
  | { kind: 'finished'; bodySha256: string; answer: SentAnswer }

export interface IdempotencyStore {
  /**
   * Resolves `begun` for exactly one of simultaneous requests with one id.
   * @throws StorageUnavailable when that cannot be ensured; never for a first attempt
   */
  begin(record: IdempotentRecord): Promise<IdempotencyState>
  /** @param answer  stored for ten minutes, if there is room; null: the next request may use the id again */
  finish(record: IdempotentRecord, answer: SentAnswer | null): Promise<void>
  /** Removes the answers of all other owners. */
  keepOnly(mayStay: (owner: AnswerOwner) => boolean): void
}
