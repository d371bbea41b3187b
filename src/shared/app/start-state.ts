/** Whether the service has started, and what keeps it from starting. */
import type { RestoredBackup } from './backups.ts'

export type StartProblem =
  | 'newer_database'
  | 'database_locked'
  | 'disk_full'
  | 'damaged'
  | 'folder_in_use'
  | 'no_access'
  | 'unexpected'

export type StartState =
  | { status: 'starting' }
  /** The service is closed while a copy replaces the database. */
  | { status: 'restoring' }
  | {
      status: 'started'
      /** Result of the last restore, until the window has read it once. */
      restore: RestoreOutcome | null
    }
  | {
      status: 'failed'
      problem: StartProblem
      /** Sentence for the user; it names files and processes. */
      message: string
      dataDir: string
      /** Result of the restore before this start; null without one. */
      restore: RestoreOutcome | null
    }

export type RestoreOutcome =
  | ({ status: 'done' } & RestoredBackup)
  /** The database is unchanged. */
  | { status: 'failed'; message: string }
