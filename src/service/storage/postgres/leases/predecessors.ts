/**
 * Ends the leases of a process that was killed, when the next process starts on the same data folder. The folder's lock
 * proves that none of its requests runs any more. Its last transaction may still be committed, and add rows to the
 * ledger: each transaction that changes something holds a shared lock of its process, and the leases end once that lock
 * is free. A transaction that PostgreSQL begins after that is never committed: a dead process cannot send COMMIT.
 */

/** The processes of one data folder that may have left leases. */
export interface NodeProcesses {
  /** Adds this process. @returns the processes before it */
  join(id: string): Promise<readonly string[]>
  /** The leases of all other processes have ended. */
  leaveOnly(id: string): Promise<void>
}

/** The lock that all transactions of a process share; it ends with the transaction. */
export function lockOfProcess(id: string): string {
  return `hashtextextended('node ${id}', 0)`
}

interface Options {
  processes: NodeProcesses
  /** This process. */
  id: string
  /** @returns false when leases of the process remain */
  endLeases(process: string): Promise<boolean>
}

/** @returns ends what can be ended now; call it again until it resolves to true */
export async function openPredecessors({
  processes,
  id,
  endLeases,
}: Options): Promise<() => Promise<boolean>> {
  let left = await processes.join(id)
  return async () => {
    if (left.length === 0) return true
    const remaining: string[] = []
    for (const process of left) if (!(await endLeases(process))) remaining.push(process)
    left = remaining
    if (left.length > 0) return false
    await processes.leaveOnly(id)
    return true
  }
}
