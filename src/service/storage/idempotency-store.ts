/** Requests sent under an `Idempotency-Key`, and their answers. */

/** An answer that ended well, as it was on the wire. */
export interface SentAnswer {
  isStreamed: boolean
  /** The one JSON body, or all the events of a stream up to and with `[DONE]`. */
  body: Buffer
  /** Headers that describe how the answer was made. */
  headers: Readonly<Record<string, string>>
}

/** The API key and router of an answer: it is replayed to no other. */
export interface AnswerOwner {
  apiKeyId: string
  routerId: string
}

export interface IdempotentRecord extends AnswerOwner {
  /** Hash of owner and key. */
  id: string
  bodySha256: string
}

/** What an id stood for when a request began under it. */
export type IdempotencyState =
  /** Nothing; the request runs under it now, until `finish`. */
  | { kind: 'begun' }
  | { kind: 'running'; bodySha256: string }
  | { kind: 'finished'; bodySha256: string; answer: SentAnswer }

export interface IdempotencyStore {
  /** Of simultaneous requests under one id exactly one is `begun`. */
  begin(record: IdempotentRecord): Promise<IdempotencyState>
  /** @param answer  stored for ten minutes, if there is room; null: the id may begin anew */
  finish(record: IdempotentRecord, answer: SentAnswer | null): Promise<void>
  /** Removes the answers of all other owners. */
  keepOnly(mayStay: (owner: AnswerOwner) => boolean): void
}
