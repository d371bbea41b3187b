/**
 * Copies of the database in the data folder: the daily ones, the user's own, and what restores and upgrades kept. Works
 * without a running service, because a damaged database keeps it from starting.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  BackupCopy,
  BackupKind,
  BackupList,
  RestoredBackup,
} from '../../shared/app/backups.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { lockDataFolder } from '../data-folder/data-folder.ts'
import { makeFolder } from '../data-folder/folder-owner.ts'
import { runDatabaseTask } from '../storage/sqlite/database-tasks.ts'
import {
  discardRestore,
  setAsideDatabase,
  stampOf,
  type CountedDatabase,
} from '../storage/sqlite/restore.ts'
import { backUpDatabase } from '../storage/sqlite/verified-backup.ts'
import { backupFolderName } from './daily-backup.ts'

export interface BackupsOptions {
  dataDir: string
  sqliteBinding?: string | undefined
  now: () => number
}

export interface Backups {
  list(): Promise<BackupList>
  /** Copies the database to the backup folder. */
  create(): Promise<BackupCopy>
  /** @param file  replaced if it exists */
  saveAs(file: string): Promise<void>
  /** @throws DashboardError not_found */
  pathOf(name: string): Promise<string>
  /** @throws DashboardError not_found */
  remove(name: string): Promise<void>
  /**
   * Checks a copy and prepares it; the database does not change, and a service may run.
   * @throws StorageUnavailable, DatabaseFromNewerVersion, DashboardError not_found
   */
  stage(name: string): Promise<StagedBackup>
  /**
   * Keeps the database that cannot be opened under another name. No service may run.
   * @throws DataFolderInUse
   */
  setAside(): Promise<void>
}

export interface StagedBackup {
  /** Puts the copy in place of the database. No service may run. @throws DataFolderInUse, StorageUnavailable */
  apply(): Promise<RestoredBackup>
  /** Deletes what is left of the staged copy. */
  discard(): void
}

export function openBackups(options: BackupsOptions): Backups {
  const { dataDir, sqliteBinding, now } = options
  const counts = new CopyCounts(options)
  const find = async (name: string) => {
    const found = (await filesIn(dataDir)).find((file) => file.name === name)
    if (!found) throw new DashboardError('not_found', `There is no copy ${name}.`)
    return found
  }
  const locked = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    const unlock = lockDataFolder({ dataDir, sqliteBinding, holder: 'restore' })
    try {
      return await work()
    } finally {
      unlock()
    }
  }
  return {
    list: () => list(options, counts),
    async create() {
      const folder = join(dataDir, backupFolderName)
      await makeFolder(folder)
      const name = `${backupFolderName}/modelport-${stampOf(now())}.db`
      await backUpDatabase(options, { file: join(dataDir, name), replaces: false })
      const [copy] = await withCounts(counts, [await find(name)])
      if (!copy) throw new Error('the copy has disappeared')
      return copy
    },
    saveAs: (file) => backUpDatabase(options, { file, replaces: true }),
    pathOf: async (name) => join(dataDir, (await find(name)).name),
    async remove(name) {
      const { name: found } = await find(name)
      for (const suffix of ['', '-wal', '-shm'])
        await rm(join(dataDir, found + suffix), { force: true })
    },
    async stage(name) {
      const copy = await find(name)
      const file = join(dataDir, copy.name)
      const { after } = await runDatabaseTask(options, { kind: 'stage-restore', file })
      return {
        apply: () => locked(() => apply(options, { ...copy, counts: after })),
        discard: () => discardRestore(dataDir),
      }
    },
    setAside: () => locked(() => setAsideDatabase(dataDir, now())),
  }
}

async function apply(
  options: BackupsOptions,
  { createdAtMs, counts }: Pick<RestoredBackup, 'createdAtMs' | 'counts'>,
): Promise<RestoredBackup> {
  const { dataDir, now } = options
  const task = { kind: 'apply-restore', nowMs: now() } as const
  const { replaced, salvagedRequests } = await runDatabaseTask(options, task)
  const keptAs = replaced === null ? null : replaced.slice(dataDir.length + 1)
  return { createdAtMs, counts, salvagedRequests, keptAs }
}

/** The path of the newest copy that was made as a backup; null when there is none. Its content is not checked. */
export async function newestBackup(dataDir: string): Promise<string | null> {
  const files = await filesIn(dataDir)
  const newest = files.find(({ kind }) => kind === 'daily' || kind === 'manual')
  return newest ? join(dataDir, newest.name) : null
}

interface CopyFile extends Omit<BackupCopy, 'counts' | 'canRestore'> {
  changedAtMs: number
}

async function list(options: BackupsOptions, counts: CopyCounts): Promise<BackupList> {
  const { dataDir } = options
  const files = await filesIn(dataDir)
  counts.forgetOthers(files)
  const [copies, [current]] = await Promise.all([
    withCounts(counts, files),
    runDatabaseTask(options, { kind: 'count', files: [join(dataDir, 'modelport.db')] }),
  ])
  return { current: current?.counts ?? null, copies }
}

async function withCounts(counts: CopyCounts, files: readonly CopyFile[]): Promise<BackupCopy[]> {
  const counted = await counts.of(files)
  return files.map((file, index) => {
    const { name, kind, createdAtMs, bytes } = file
    const database = counted[index]
    const canRestore = kind !== 'damaged' && (database?.hasKnownSchema ?? false)
    return { name, kind, createdAtMs, bytes, counts: database?.counts ?? null, canRestore }
  })
}

/**
 * The rows of each copy. Counting reads a whole table, which takes seconds for a large copy, so each file is counted
 * again only after its size or its time of change differs.
 */
class CopyCounts {
  readonly #options: BackupsOptions
  readonly #counted = new Map<string, { file: CopyFile; database: CountedDatabase }>()

  constructor(options: BackupsOptions) {
    this.#options = options
  }

  /** @returns null for a copy that cannot be read */
  async of(files: readonly CopyFile[]): Promise<(CountedDatabase | null)[]> {
    const changed = files.filter((file) => this.#find(file) === null)
    if (changed.length > 0) await this.#count(changed)
    return files.map((file) => this.#find(file))
  }

  /** Keeps the counts of these files only. */
  forgetOthers(files: readonly CopyFile[]): void {
    const names = new Set(files.map(({ name }) => name))
    for (const name of this.#counted.keys()) if (!names.has(name)) this.#counted.delete(name)
  }

  #find({ name, bytes, changedAtMs }: CopyFile): CountedDatabase | null {
    const found = this.#counted.get(name)
    const isSame = found?.file.bytes === bytes && found.file.changedAtMs === changedAtMs
    return isSame ? found.database : null
  }

  async #count(files: readonly CopyFile[]): Promise<void> {
    const paths = files.map(({ name }) => join(this.#options.dataDir, name))
    const databases = await runDatabaseTask(this.#options, { kind: 'count', files: paths })
    for (const [index, file] of files.entries()) {
      const database = databases[index]
      if (database) this.#counted.set(file.name, { file, database })
    }
  }
}

const kinds: readonly (readonly [RegExp, BackupKind])[] = [
  [/^backups\/modelport-\d{4}-\d{2}-\d{2}\.db$/, 'daily'],
  [/^backups\/modelport-\d{8}T\d{9}Z\.db$/, 'manual'],
  [/^modelport\.before-restore-\d{8}T\d{9}Z\.db$/, 'before_restore'],
  [/^modelport\.before-upgrade-from-\d+\.db$/, 'before_upgrade'],
  [/^backups\/before-[\w.+-]+\.db$/, 'before_upgrade'],
  [/^modelport\.damaged-\d{8}T\d{9}Z\.db$/, 'damaged'],
]

/** Copies, newest first. */
async function filesIn(dataDir: string): Promise<CopyFile[]> {
  const inFolder = await namesIn(join(dataDir, backupFolderName))
  const names = [
    ...(await namesIn(dataDir)),
    ...inFolder.map((name) => `${backupFolderName}/${name}`),
  ]
  const files = await Promise.all(names.map((name) => copyFile(dataDir, name)))
  return files.filter((file) => file !== null).toSorted((a, b) => b.createdAtMs - a.createdAtMs)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/**
 * Describes a copy; an empty one reserves the name of a copy in progress.
 * @returns null for another file, and for one that was deleted meanwhile
 */
async function copyFile(dataDir: string, name: string): Promise<CopyFile | null> {
  const kind = kinds.find(([pattern]) => pattern.test(name))?.[1]
  if (kind === undefined) return null
  try {
    const { size, mtimeMs } = await stat(join(dataDir, name))
    if (size === 0) return null
    const createdAtMs = stampedAt(name) ?? mtimeMs
    return { name, kind, createdAtMs, bytes: size, changedAtMs: mtimeMs }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The time in a name; a copied folder has other times of change. */
function stampedAt(name: string): number | null {
  const [, date, hours, minutes, seconds, ms] =
    /(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(name) ?? []
  if (date === undefined) return null
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`)
}
