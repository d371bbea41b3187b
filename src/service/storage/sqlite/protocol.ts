/** The messages between the main thread and the storage worker. */
import type { CheckDepth } from '../maintenance.ts'
import type { MoneyQuery } from '../money-check.ts'
import {
  DatabaseFromNewerVersion,
  DatabaseFromOlderVersion,
  StorageConflict,
  StorageRejected,
  StorageUnavailable,
} from '../storage.ts'
import type { Storage } from '../storage.ts'
import type { DatabaseOptions } from './database.ts'
import type { RowValues } from '../sql/ledger-row.ts'
import type { OperationKind, StoreName } from '../sql/operation-kinds.ts'

/** The stores of `Storage` in the worker; the ledger takes its rows in groups. */
export type Stores = Pick<Storage, Exclude<StoreName, 'ledger'>> & { ledger: StoredLedger }

export interface StoredLedger extends Omit<Storage['ledger'], 'append'> {
  /** @returns the rows that could not be stored; the others are stored */
  appendAll(rows: readonly RowValues[]): Promise<AppendFailure[]>
}

export interface AppendFailure {
  /** Index in the group. */
  index: number
  failure: Failure
}

/** Work on database files that runs once, in a thread of its own. */
export type DatabaseTask =
  /** The file as it is, whatever version created it; an existing copy of that name is replaced. */
  | { kind: 'copy'; to: string }
  | { kind: 'check'; depth: CheckDepth }
  | { kind: 'check-money'; query: MoneyQuery }
  /** The rows of each file and whether this version can restore it; null for a file that cannot be read. */
  | { kind: 'count'; files: readonly string[] }
  | { kind: 'stage-restore'; file: string }
  | { kind: 'apply-restore'; nowMs: number }

export interface WorkerOptions extends DatabaseOptions {
  /** `serve` answers calls until it is closed; a task runs once. */
  task: 'serve' | DatabaseTask
}

export interface Call {
  id: number
  store: StoreName
  method: string
  kind: OperationKind
  args: readonly unknown[]
}

/** An error as name and message: structured cloning loses the classes of our errors. */
export interface Failure {
  name: string
  message: string
  /** The code of a failed file operation; absent for a damaged database, whose message says what to do. */
  code?: string
  /** Absent when the error does not name the file. */
  path?: string
}

export type Outcome = { ok: true; value: unknown } | { ok: false; failure: Failure }
export type Reply = Outcome & { id: number }

/** Sent by the worker when the disk is full and the ballast was deleted, and when the ballast exists again. */
export interface SpaceNotice {
  kind: 'space'
  isShort: boolean
}

/** Sent by the worker when another connection to the database has changed it. */
export interface ChangeNotice {
  kind: 'changed'
}

/** `look` asks for a `ChangeNotice` if another connection has changed the database since the last look. */
export type ToWorker =
  | { kind: 'calls'; calls: readonly Call[] }
  | { kind: 'look' }
  | { kind: 'close' }

/** The id of the worker's first reply: the database is open, or why it is not. For a task, the result. */
export const openingId = 0

/** The first part of SQLite's codes for problems of the whole database, such as a full disk. */
const faults = new Set(
  'BUSY LOCKED NOMEM READONLY IOERR CORRUPT FULL CANTOPEN PROTOCOL NOTADB'
    .split(' ')
    .map((name) => `SQLITE_${name}`),
)

/** Whether the whole database is unusable, so that the next call would probably fail too. */
export function isStorageFault(error: unknown): boolean {
  const [first, second] = codeOf(error).split('_')
  return faults.has(`${first}_${second}`)
}

/** Whether a write failed because there is no space left. */
export function isFullDisk({ code = '' }: Pick<Failure, 'code'>): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/.test(code)
}

/** Whether the database could not be written for a reason that concerns every write. */
export function cannotWrite({ code = '' }: { code?: string | undefined }): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)
}

/** @returns the failure in a form that can be sent to another thread */
export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = codeOf(error)
  const isTaken = code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE'
  if (isTaken) return { name: 'StorageConflict', message: 'This id is already taken.' }
  if (isStorageFault(error)) {
    return { name: 'StorageUnavailable', message: wordsFor(error), ...fileProblemOf(error) }
  }
  return { name: error.name, message: error.message }
}

/** Why the database was not opened; never because of a single value. */
export function toOpeningFailure(error: unknown): Failure {
  const { name, message } = toFailure(error)
  if (/^DatabaseFrom(Newer|Older)Version$/.test(name)) return { name, message }
  return { name: 'StorageUnavailable', message, ...fileProblemOf(error) }
}

function fileProblemOf(error: unknown): Pick<Failure, 'code' | 'path'> {
  const code = codeOf(error)
  if (code === '' || isDamage(code)) return {}
  const isNamed = error instanceof Error && 'path' in error && typeof error.path === 'string'
  return isNamed ? { code, path: String(error.path) } : { code }
}

/** SQLite's message; for a damaged file, also what to do about it. */
function wordsFor(error: Error): string {
  if (!isDamage(codeOf(error))) return error.message
  return `The database is damaged (${error.message}). Restore a backup with “modelport restore FILE”; without one, move modelport.db and the files beginning with that name away to start with a new database.`
}

function isDamage(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * The error that the caller gets for a failure in the worker.
 * @param database  the file to name when the failure does not name one
 */
export function toError({ name, message, code, path }: Failure, database?: string): Error {
  if (name === 'StorageConflict') return new StorageConflict(message)
  if (name === 'DatabaseFromNewerVersion') return new DatabaseFromNewerVersion(message)
  if (name === 'DatabaseFromOlderVersion') return new DatabaseFromOlderVersion(message)
  if (name === 'StorageUnavailable')
    return new StorageUnavailable(message, { code, path: path ?? database })
  return new StorageRejected(message)
}
