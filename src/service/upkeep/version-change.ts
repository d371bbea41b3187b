/**
 * What happens at the first start of another version: the database is copied before this version opens it, and a copy
 * is restored if the user went back to this version. The file `updates/version.json` in the data folder remembers both.
 */
import { statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, replaceFile } from '../data-folder/durable-file.ts'
import { makeFolder } from '../data-folder/folder-owner.ts'
import { runDatabaseTask } from '../storage/sqlite/database-tasks.ts'
import type { DatabaseOptions } from '../storage/sqlite/database.ts'

/** How many copies of this kind stay; each is as large as the database. */
const keptCopies = 2
const copyName = /^before-[\w.+-]+\.db$/

const copySchema = z.object({
  /** The version that wrote the database; null for one that did not record it. */
  fromVersion: z.string().nullable(),
  file: z.string(),
  atMs: z.number(),
})

const restoredSchema = z.object({
  /** The newer version that the user left. */
  fromVersion: z.string(),
  /** Where the newer version's database is kept; null when there was none. */
  keptAs: z.string().nullable(),
  atMs: z.number(),
})

const historySchema = z.object({
  /** The version that started last. */
  version: z.string(),
  /** The copy made before the first start of that version. */
  before: copySchema.nullable().default(null),
  /** The file to restore at the next start of one version; null for none. */
  restoreFrom: z.object({ file: z.string(), forVersion: z.string() }).nullable().default(null),
  restored: restoredSchema.nullable().default(null),
  /** Why the last restore failed. */
  restoreProblem: z.string().nullable().default(null),
})

/** The versions of a data folder. */
export type VersionHistory = z.output<typeof historySchema>

export interface VersionChangeOptions extends DatabaseOptions {
  /** This version; without it, nothing is copied or restored. */
  version?: string | undefined
  now?: (() => number) | undefined
}

interface VersionChange extends DatabaseOptions {
  version: string
  now(): number
}

/**
 * Call it while holding the data folder's lock, before the database is opened.
 * @throws StorageUnavailable, FileProblem when the database cannot be copied: this version must not open it then
 */
export async function prepareVersion(options: VersionChangeOptions): Promise<void> {
  const { dataDir, sqliteBinding, version, now = Date.now } = options
  if (version !== undefined) await changeVersion({ dataDir, sqliteBinding, version, now })
}

async function changeVersion(options: VersionChange): Promise<void> {
  const { dataDir, version } = options
  const history = await readVersionHistory(dataDir)
  const restoreFrom = history?.restoreFrom ?? null
  if (history !== null && restoreFrom?.forVersion === version)
    return await restoreCopy(options, history, restoreFrom.file)
  if (history?.version === version) return
  await enterVersion(options, history, null)
}

/** Copies the database that another version wrote, which is the way back to that version. */
async function enterVersion(
  options: VersionChange,
  history: VersionHistory | null,
  restoreProblem: string | null,
): Promise<void> {
  const { dataDir, version, now } = options
  const fromVersion = history?.version ?? null
  const file = hasContent(dataDir) ? await copyBefore(options) : null
  await writeHistory(dataDir, {
    version,
    before: file === null ? null : { fromVersion, file, atMs: now() },
    restoreFrom: null,
    restored: history?.restored ?? null,
    restoreProblem,
  })
}

/** @returns null before the first start, and for a file that cannot be read @throws FileProblem */
export async function readVersionHistory(dataDir: string): Promise<VersionHistory | null> {
  const text = await readIfThere(historyFile(dataDir))
  if (text === null) return null
  try {
    return historySchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Restores a copy at the next start of one version; the starts of other versions ignore it.
 * @param restoreFrom  null when nothing is to be restored any more
 * @throws FileProblem
 */
export async function restoreAtNextStart(
  dataDir: string,
  restoreFrom: VersionHistory['restoreFrom'],
): Promise<void> {
  const history = await readVersionHistory(dataDir)
  if (history !== null) await writeHistory(dataDir, { ...history, restoreFrom })
}

/** A restore that fails is not tried again: the database is unchanged, and the user can choose another copy. */
async function restoreCopy(
  options: VersionChange,
  history: VersionHistory,
  file: string,
): Promise<void> {
  const { dataDir, version, now } = options
  try {
    await runDatabaseTask(options, { kind: 'stage-restore', file })
    const applied = await runDatabaseTask(options, { kind: 'apply-restore', nowMs: now() })
    const restored = { fromVersion: history.version, keptAs: applied.replaced, atMs: now() }
    await writeHistory(dataDir, {
      version,
      before: null,
      restoreFrom: null,
      restored,
      restoreProblem: null,
    })
  } catch (error) {
    await enterVersion(options, history, error instanceof Error ? error.message : String(error))
  }
}

/** An empty database has nothing to copy; opening it reports that it was emptied. */
function hasContent(dataDir: string): boolean {
  const bytes = (suffix: string) =>
    statSync(join(dataDir, `modelport.db${suffix}`), { throwIfNoEntry: false })?.size ?? 0
  return bytes('') + bytes('-wal') > 0
}

async function copyBefore(options: VersionChange): Promise<string> {
  const folder = join(options.dataDir, 'backups')
  await makeFolder(folder)
  const file = join(folder, `before-${options.version}.db`)
  await runDatabaseTask(options, { kind: 'copy', to: file })
  await removeOlder(folder)
  return file
}

async function removeOlder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => copyName.test(name))
  const copies = await Promise.all(
    names.map(async (name) => ({ name, atMs: (await stat(join(folder, name))).mtimeMs })),
  )
  const newestFirst = copies.toSorted((one, other) => other.atMs - one.atMs)
  for (const { name } of newestFirst.slice(keptCopies)) await rm(join(folder, name))
}

function historyFile(dataDir: string): string {
  return join(dataDir, 'updates', 'version.json')
}

async function writeHistory(dataDir: string, history: VersionHistory): Promise<void> {
  await makeFolder(join(dataDir, 'updates'))
  await replaceFile(historyFile(dataDir), `${JSON.stringify(history, null, 2)}\n`)
}
