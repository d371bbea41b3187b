/** Copies of the database in the data folder, and what a restore does. */
import { z } from 'zod'

/** How many of each a database has. */
export interface StorageCounts {
  routers: number
  keys: number
  requests: number
  conversations: number
}

export type BackupKind =
  /** Made once a day; the copies of seven days are kept. */
  | 'daily'
  /** Made by the user. */
  | 'manual'
  /** The database that a restore replaced. */
  | 'before_restore'
  /** The database before an upgrade to a newer schema. */
  | 'before_upgrade'
  /** A damaged database that was moved aside. */
  | 'damaged'

export interface BackupCopy {
  /** The path below the data folder, such as `backups/modelport-2026-11-22.db`. */
  name: string
  kind: BackupKind
  createdAtMs: number
  bytes: number
  /** Null when the file cannot be read as a database. */
  counts: StorageCounts | null
  /** False for a copy that this version refuses: a damaged database, or one of a newer version. */
  canRestore: boolean
}

export interface BackupList {
  /** Null when the database cannot be read. */
  current: StorageCounts | null
  /** Copies, newest first. */
  copies: BackupCopy[]
}

/** The copy that a restore put in place. */
export interface RestoredBackup {
  /** Time of the copy, Unix milliseconds. */
  createdAtMs: number
  counts: StorageCounts
  /** Requests that were newer than the copy and could be read from the damaged database. */
  salvagedRequests: number
  /** File name of the previous database, in the data folder; null when there was none. */
  keptAs: string | null
}

export const backupInputSchema = z.strictObject({ name: z.string().min(1).max(200) })
