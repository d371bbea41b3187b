/** Backups, checks, and whether the storage can be written: the parts of `Storage` that hold no data. */

/** The state of the storage, for `doctor`. */
export interface StorageCheck {
  /** The storage engine and its version: `SQLite 3.54.1`. */
  engine: string
  /** The damage, in the engine's words; empty when everything is intact. */
  problems: string[]
  /** UTC days, such as `2026-11-21`, whose usage totals differ from their requests; at most the newest 20. */
  daysThatDiffer: string[]
  /** Whether acknowledged writes survive a power failure. */
  isDurable: boolean
}

export interface Maintenance {
  /**
   * Writes everything into one new file that only its owner can read, and reads it back before giving it its
   * name. Other processes continue to read and write; this process's writes wait.
   * @param replaces  whether an existing file is replaced; it stays until the new one is complete
   * @throws StorageConflict when the file exists and may not be replaced
   */
  backup(request: { file: string; replaces: boolean }): Promise<void>
  /** Reads everything once; changes nothing. Writes do not wait for it. */
  check(): Promise<StorageCheck>
  /**
   * Counts the requests of each day in `daysThatDiffer` again, without a limit on the number of days, and
   * replaces the day's totals. Budgets that this or another process has in memory keep their figures until a
   * restart.
   * @returns the rebuilt days, newest first
   */
  rebuildTotals(): Promise<string[]>
}

/** Finished requests cannot be stored at the moment. */
export interface StorageOutage {
  cause: Error
}

/** Whether the ledger can store rows. While it cannot, no request may be admitted. */
export interface StorageHealth {
  /** Null while rows can be stored. */
  outage(): StorageOutage | null
  /**
   * Called once when an outage begins, and with null when it is over and no row waits any longer.
   * @returns removes the listener
   */
  onChange(listener: (outage: StorageOutage | null) => void): () => void
}
