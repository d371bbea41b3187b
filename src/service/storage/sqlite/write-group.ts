import type { Database } from 'better-sqlite3'
import { toFailure, type Outcome } from './protocol.ts'

/**
 * Runs writes that arrived together in one transaction, so that they share one wait for the disk.
 * Each has a savepoint of its own: one that fails leaves the others alone. When this returns, what
 * succeeded is durable.
 */
export function openWriteGroup(db: Database): (writes: readonly (() => unknown)[]) => Outcome[] {
  const inSavepoint = db.transaction((write: () => unknown) => write())
  const attempt = (write: () => unknown): Outcome => {
    try {
      return { ok: true, value: inSavepoint(write) }
    } catch (error) {
      // Errors such as a full disk end the whole transaction, and with it the writes before this one.
      if (!db.inTransaction) throw error
      return { ok: false, failure: toFailure(error) }
    }
  }
  const inTransaction = db.transaction((writes: readonly (() => unknown)[]) => writes.map(attempt))

  return (writes) => {
    try {
      return inTransaction.immediate(writes)
    } catch (error) {
      const failure = toFailure(error)
      return writes.map(() => ({ ok: false, failure }))
    }
  }
}
