import type { Database } from 'better-sqlite3'
import { isStorageFault, toFailure, type Outcome } from './protocol.ts'

/** Work collected during the writes, for the end of their transaction. */
interface GroupEnd {
  /** Called once after the last write. If it throws, the transaction fails with every write. */
  apply(): void
  /** The transaction failed. */
  drop(): void
}

/**
 * Runs writes that arrived together in one transaction, so that they share one wait for the disk. If there are
 * several, each has its own savepoint: when one fails, the others still succeed. When the whole transaction
 * fails, each write runs again in its own transaction, unless the database cannot be written. When this
 * function returns, successful writes are durable.
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
      // SQLite ends the whole transaction on some errors. An error such as a full disk affects all writes.
      if (isStorageFault(error) || !db.inTransaction) throw error
      return { ok: false, failure: toFailure(error) }
    }
  }
  const inTransaction = db.transaction((writes: readonly (() => unknown)[]) => {
    const [first] = writes
    // A single write needs no savepoint, because the transaction undoes it; a savepoint would copy every
    // changed page.
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
      // Work that one write left for the end of the transaction can fail there. The other writes are run again.
      if (writes.length > 1 && !isStorageFault(error))
        return writes.flatMap((write) => run([write]))
      const failure = toFailure(error)
      return writes.map(() => ({ ok: false, failure }))
    }
  }
  return run
}
