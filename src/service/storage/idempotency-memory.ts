/**
 * Idempotency keys in this process's memory; several nodes share theirs through `shared-state/`. Answers contain
 * content, so they are not written to disk. A restart loses them.
 */
import { ExpiringMemory } from './expiring-memory.ts'
import type {
  AnswerOwner,
  IdempotencyState,
  IdempotencyStore,
  IdempotentRecord,
  SentAnswer,
} from './idempotency-store.ts'

const storedForMs = 10 * 60_000
const bounds = { maxEntries: 10_000, maxBytes: 64 * 1024 * 1024 }

interface FinishedEntry extends AnswerOwner {
  bodySha256: string
  answer: SentAnswer
}

export class IdempotencyMemory implements IdempotencyStore {
  readonly #finished: ExpiringMemory<FinishedEntry>
  /** The hash of the body by id, for each request in progress. */
  readonly #running = new Map<string, string>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#finished = new ExpiringMemory({ ...bounds, clock })
  }

  // Not `async`, so that two requests with one id cannot both find it free.
  begin({ id, bodySha256 }: IdempotentRecord): Promise<IdempotencyState> {
    const runningBody = this.#running.get(id)
    if (runningBody !== undefined)
      return Promise.resolve({ kind: 'running', bodySha256: runningBody })
    const finished = this.#finished.get(id)
    if (finished) {
      const { answer } = finished
      return Promise.resolve({ kind: 'finished', bodySha256: finished.bodySha256, answer })
    }
    this.#running.set(id, bodySha256)
    return Promise.resolve({ kind: 'begun' })
  }

  finish(record: IdempotentRecord, answer: SentAnswer | null): Promise<void> {
    const { id, apiKeyId, routerId, bodySha256 } = record
    this.#running.delete(id)
    if (answer) {
      const finished = { apiKeyId, routerId, bodySha256, answer }
      this.#finished.put(id, finished, { bytes: answer.body.length, ttlMs: storedForMs })
    }
    return Promise.resolve()
  }

  keepOnly(mayStay: (owner: AnswerOwner) => boolean): void {
    this.#finished.forgetWhere((finished) => !mayStay(finished))
  }

  close(): void {
    this.#finished.close()
  }
}
