/** Errors of the storage that callers handle. */

/** The id is taken, the file exists, or the configuration changed in the meantime. */
export class StorageConflict extends Error {
  override readonly name = 'StorageConflict'
}

/**
 * The storage cannot be used: the disk is full or cannot be read, another process held the lock for too long,
 * or the worker ended. The service responds with 503 `storage_unavailable`.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** The code of Node.js or SQLite and the file, if a file operation failed. */
  readonly code: string | undefined
  readonly path: string | undefined

  constructor(message: string, { code, path, ...options }: StorageProblem = {}) {
    super(message, options)
    this.code = code
    this.path = path
  }
}

interface StorageProblem extends ErrorOptions {
  code?: string | undefined
  path?: string | undefined
}

/** The storage works, but it cannot store this value. Trying again would not help. */
export class StorageRejected extends Error {
  override readonly name = 'StorageRejected'
}

/** A command would have to upgrade the database; it was not changed. */
export class DatabaseFromOlderVersion extends Error {
  override readonly name = 'DatabaseFromOlderVersion'
}

/** The database was created by a newer version of the program; it was not changed. */
export class DatabaseFromNewerVersion extends Error {
  override readonly name = 'DatabaseFromNewerVersion'
}
