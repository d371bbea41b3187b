/** Backups, checks, and whether the storage can be written: the parts of `Storage` that hold no data. */

import type { StorageCounts } from '../../shared/app/backups.ts'
import type { MoneyCheck, MoneyQuery } from './money-check.ts'

/** The state of the storage, for `doctor`. */
export interface StorageCheck {
  /** The storage engine and its version: `SQLite 3.54.1`. */
  engine: string
  /** The damage, in the engine's words; empty when everything is intact. */
  problems: string[]
  /** UTC days, such as `2026-11-21`, whose usage totals differ from their requests; at most the newest 20, and none after a quick check. */
  daysThatDiffer: string[]
  /** Whether acknowledged writes survive a power failure. */
  isDurable: boolean
}

/**
 * `quick` reads every page and checks its structure. `full` also compares each index with its table, and the usage
 * totals with their requests, which takes several times as long.
 */
export type CheckDepth = 'quick' | 'full'

export interface Maintenance {
  /**
   * Writes everything into one new file that only its owner can read, and reads it back before giving it its
   * name. Other processes continue to read and write; this process's writes wait.
   * @param replaces  whether an existing file is replaced; it stays until the new one is complete
   * @throws StorageConflict when the file exists and may not be replaced
   */
  backup(request: { file: string; replaces: boolean }): Promise<void>
  /** Reads everything once; changes nothing. Writes do not wait for it. */
  check(depth: CheckDepth): Promise<StorageCheck>
  /** Compares rows with their totals, hour by hour. Writes do not wait for it. */
  checkMoney(query: MoneyQuery): Promise<MoneyCheck>
  /**
   * Counts the requests of each day in `daysThatDiffer` again, without a limit on the number of days, and
   * replaces the day's totals. Budgets that this or another process has in memory keep their figures until a
   * restart.
   * @returns the rebuilt days, newest first
   */
  rebuildTotals(): Promise<string[]>
  /**
   * Reserves space on the disk. It is released when the disk is full, so that requests in progress can be recorded
   * and old rows deleted; see `StorageOutage`.
   * @returns whether the space is reserved; false when the disk has too little
   */
  reserveSpace(): Promise<boolean>
  /** Writes, and changes nothing. @throws StorageUnavailable when the database cannot be written */
  probe(): Promise<void>
}

/** The database cannot be written, or only in the space that was reserved. Reads still answer. */
export interface StorageOutage {
  cause: Error
  /** Whether requests in progress can still be recorded, in the space that was reserved. */
  canStoreRows: boolean
}

/** Whether the storage can be written. While it cannot, no request may be admitted. */
export interface StorageHealth {
  /** @returns null while rows can be stored */
  outage(): StorageOutage | null
  /**
   * Called when an outage begins or changes, and with null when it is over and no row waits any longer.
   * @returns removes the listener
   */
  onChange(listener: (outage: StorageOutage | null) => void): () => void
}

/** What metrics say about the storage. */
export interface StorageFigures {
  engine: 'sqlite' | 'postgres'
  /** Figures of several nodes on one database; null for a single node. */
  node: NodeFigures | null
}

export interface NodeFigures {
  /** New at each start. */
  id: string
  /** The newest schema that this node knows. */
  schemaVersion: number
  connections: { used: number; idle: number; waiting: number }
}

/** A backup that passed its checks and can be put in place of the database. */
export interface StagedRestore {
  /** Null when there is no readable database. */
  before: StorageCounts | null
  after: StorageCounts
}

export interface AppliedRestore {
  /** The dated copy of the replaced database; null when there was none. */
  replaced: string | null
  /** Newer requests that were read from a damaged database. */
  salvagedRequests: number
}
