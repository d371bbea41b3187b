import type { Database } from 'better-sqlite3'
import { isStorageFault, toFailure, type Outcome } from './protocol.ts'
import { inTransaction } from './sqlite-sql.ts'

/** A write that has arrived: it ends before anything else of the thread runs. */
export type Write = () => unknown

/**
 * Runs writes that arrived together in one transaction, so that they share one wait for the disk. If there are
 * several, each has its own savepoint: when one fails, the others still succeed. When the whole transaction
 * fails, each write runs again in its own transaction, unless the database cannot be written. When this
 * function returns, successful writes are durable.
 */
export function openWriteGroup(db: Database): (writes: readonly Write[]) => Promise<Outcome[]> {
  const attempt = async (write: Write): Promise<Outcome> => {
    try {
      return { ok: true, value: await inTransaction(db, write) }
    } catch (error) {
      // SQLite ends the whole transaction on some errors. An error such as a full disk affects all writes.
      if (isStorageFault(error) || !db.inTransaction) throw error
      return { ok: false, failure: toFailure(error) }
    }
  }
  const runAll = async (writes: readonly Write[]): Promise<Outcome[]> => {
    const [first] = writes
    const outcomes: Outcome[] = []
    // A single write needs no savepoint, because the transaction undoes it; a savepoint would copy every
    // changed page.
    if (first !== undefined && writes.length === 1)
      outcomes.push({ ok: true, value: await first() })
    else for (const write of writes) outcomes.push(await attempt(write))
    return outcomes
  }

  const run = async (writes: readonly Write[]): Promise<Outcome[]> => {
    try {
      return await inTransaction(db, () => runAll(writes))
    } catch (error) {
      // SQLite ended the transaction because of one write. The others are run again.
      if (writes.length > 1 && !isStorageFault(error)) {
        const outcomes: Outcome[] = []
        for (const write of writes) outcomes.push(...(await run([write])))
        return outcomes
      }
      const failure = toFailure(error)
      return writes.map(() => ({ ok: false, failure }))
    }
  }
  return run
}
