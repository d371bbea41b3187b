/** Whether the service has started, and what keeps it from starting. */

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
  | { status: 'started' }
  /** `message` is for people; it names files and processes. */
  | { status: 'failed'; problem: StartProblem; message: string; dataDir: string }
