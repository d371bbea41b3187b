/** PostgreSQL's errors as those of the storage. */
import {
  DatabaseFromNewerVersion,
  StorageConflict,
  StorageRejected,
  StorageUnavailable,
} from '../storage-errors.ts'

/** Whether another transaction changed the same rows: the transaction can succeed when run again. */
export function isConcurrencyFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** Whether a statement waited for a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/**
 * @param server  named in the error: host and database, without the password
 * @returns StorageConflict, StorageRejected for a value that cannot be stored, and otherwise StorageUnavailable
 */
export function toStorageError(error: unknown, server: string): Error {
  if (isStorageError(error)) return error
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === '23505') return new StorageConflict('This id is already taken.', { cause: error })
  if (isAboutValue(code)) return new StorageRejected(message, { cause: error })
  // All others are of the connection or the server; errors of `pg` itself have no code. Only this is ours:
  if (error instanceof TypeError) return error
  const reason = message === '' ? code : message
  return new StorageUnavailable(`PostgreSQL at ${server}: ${reason}`, { code, cause: error })
}

/** Why the database was not opened: never because of a single value, but a role may lack rights. */
export function toOpeningError(error: unknown, server: string): Error {
  if (isStorageError(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StorageUnavailable(`PostgreSQL at ${server}: ${reason}`, {
    code: codeOf(error),
    cause: error,
  })
}

function isStorageError(error: unknown): error is Error {
  const kinds = [StorageConflict, StorageRejected, StorageUnavailable, DatabaseFromNewerVersion]
  return kinds.some((kind) => error instanceof kind)
}

/**
 * Data exceptions, violated constraints, and texts that are too long for an index. Missing rights or tables (class 42) concern
 * every value, and end when the operator repairs the database.
 */
function isAboutValue(code: string): boolean {
  return /^(22|23)...$/.test(code) || code === '54000'
}

/** Whether a table has no partition for a row. The message depends on the server's language. */
export function isWithoutPartition(error: Error): boolean {
  return error instanceof StorageRejected && codeOf(error.cause) === '23514'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
