/** Locates the data folder, and lets only one service at a time use it. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { asFileProblem } from './file-errors.ts'
import { tryFileLock, type FileLock } from '../storage/sqlite/file-lock.ts'

/** The programs that can lock a data folder. */
export type FolderHolder =
  | 'desktop'
  | 'serve'
  | 'restore'
  | 'migrate-to'
  | 'migrate-from'
  | 'command'

/** Thrown when another service uses the data folder; `message` names it and says what to do. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
}

export interface LockOptions {
  /** Created if missing. */
  dataDir: string
  /** This program, for the error message of the next one. */
  holder: FolderHolder
  /** The SQLite binding for a runtime that cannot load the prebuilt one. */
  sqliteBinding?: string | undefined
}

/**
 * Locks the data folder for this service. Commands that only read or change the database need no lock.
 * @returns releases the lock; the end of the process releases it as well
 * @throws DataFolderInUse, FileProblem
 */
export function lockDataFolder({ dataDir, holder, sqliteBinding }: LockOptions): () => void {
  naming(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o700 }))
  const lock = tryLock(dataDir, sqliteBinding)
  const holderFile = join(dataDir, 'service.json')
  if (lock === null) throw new DataFolderInUse(inUseMessage(dataDir, readHolder(holderFile)))
  const record = JSON.stringify({ holder, pid: process.pid })
  try {
    naming(holderFile, () => writeFileSync(holderFile, record, { mode: 0o600 }))
  } catch (error) {
    lock.release()
    throw error
  }
  return () => {
    rmSync(holderFile, { force: true })
    lock.release()
  }
}

function tryLock(dataDir: string, sqliteBinding: string | undefined): FileLock | null {
  const file = join(dataDir, 'service.lock')
  return naming(file, () => tryFileLock(file, sqliteBinding))
}

/** Runs a file operation. @throws FileProblem that names the file */
function naming<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asFileProblem(error, file)
  }
}

/**
 * The desktop app's own folder, so that the command line works on what the app shows: Electron's
 * `userData` of an app named Modelport.
 */
export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(applicationsDir(env, platform), 'Modelport')
}

/** The folder of downloads that can be repeated; the launcher uses it as well. */
export function defaultCacheDir(env: Readonly<Record<string, string | undefined>>): string {
  if (env['MODELPORT_CACHE_DIR']) return env['MODELPORT_CACHE_DIR']
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'modelport')
}

function applicationsDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  switch (platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support')
    case 'win32':
      return env['APPDATA'] || join(homedir(), 'AppData', 'Roaming')
    default:
      return env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  }
}

interface HolderRecord {
  holder: FolderHolder
  pid: number
}

/**
 * Reads who holds the lock, for error messages; the lock decides.
 * @returns null if the file is missing or incomplete
 */
function readHolder(file: string): HolderRecord | null {
  try {
    // Checked boundary: only `lockDataFolder` writes this file.
    return JSON.parse(readFileSync(file, 'utf8')) as HolderRecord
  } catch {
    return null
  }
}

/**
 * The service that has locked a data folder.
 * @returns null if there is none; the process id is null if its file is missing
 * @throws FileProblem
 */
export function findHolder({
  dataDir,
  sqliteBinding,
}: Omit<LockOptions, 'holder'>): { pid: number | null } | null {
  if (!existsSync(join(dataDir, 'service.lock'))) return null
  const lock = tryLock(dataDir, sqliteBinding)
  lock?.release()
  return lock === null ? { pid: readHolder(join(dataDir, 'service.json'))?.pid ?? null } : null
}

function inUseMessage(dataDir: string, record: HolderRecord | null): string {
  const programs = {
    desktop: 'the desktop app',
    serve: '“modelport serve”',
    restore: '“modelport restore”',
    'migrate-to': '“modelport migrate-to”',
    'migrate-from': '“modelport migrate-from”',
    command: 'a command that upgrades it',
  }
  const program = record === null ? 'another Modelport' : programs[record.holder]
  const process = record === null ? '' : ` (process ${record.pid})`
  return `The data folder ${dataDir} is used by ${program}${process}. Stop it, or choose another folder with --data-dir.`
}
