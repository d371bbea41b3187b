import type { Database } from 'better-sqlite3'
import { isStorageFault, toFailure, type Outcome } from './protocol.ts'

/** Work collected beside the writes, for the end of their transaction. */
interface GroupEnd {
  /** Called once after the last write. If it throws, the transaction fails with every write. */
  apply(): void
  /** The transaction failed. */
  drop(): void
}

/**
 * Runs writes that arrived together in one transaction, so that they share one wait for the disk.
 * Each of several has a savepoint of its own: one that fails leaves the others alone. When the transaction
 * fails as a whole, each write is tried in a transaction of its own, unless the database cannot be written.
 * When this returns, what succeeded is durable.
 */
export function openWriteGroup(
  db: Database,
  end: GroupEnd,
): (writes: readonly (() => unknown)[]) => Outcome[] {
  const inSavepoint = db.transaction((write: () => unknown) => write())
  const attempt = (write: () => unknown): Outcome => {
    try {
      return { ok: true, value: inSavepoint(write) }
    } catch (error) {
      // SQLite ends the whole transaction on some errors. A fault such as a full disk concerns all writes.
      if (isStorageFault(error) || !db.inTransaction) throw error
      return { ok: false, failure: toFailure(error) }
    }
  }
  const inTransaction = db.transaction((writes: readonly (() => unknown)[]) => {
    const [first] = writes
    // One alone is undone with the transaction: a savepoint would copy every page it changes.
    const outcomes: Outcome[] =
      first !== undefined && writes.length === 1
        ? [{ ok: true, value: first() }]
        : writes.map(attempt)
    end.apply()
    return outcomes
  })

  const run = (writes: readonly (() => unknown)[]): Outcome[] => {
    try {
      return inTransaction.immediate(writes)
    } catch (error) {
      end.drop()
      // What one write left for the end of the transaction can fail there. The others are not to blame.
      if (writes.length > 1 && !isStorageFault(error))
        return writes.flatMap((write) => run([write]))
      const failure = toFailure(error)
      return writes.map(() => ({ ok: false, failure }))
    }
  }
  return run
}
