/** Copies the database once a day into the data folder, and keeps the copies of the last days. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../data-folder/folder-owner.ts'

/** Copies of this many days are kept. */
const keptDays = 7
/** A start should not compete with a copy for the disk. */
const firstMs = 10 * 60_000
const intervalMs = 60 * 60_000
/** A copy must leave this much of the disk free. */
const spareBytes = 1024 ** 3

const copyName = /^modelport-\d{4}-\d{2}-\d{2}\.db$/
const unfinishedName = /\.unchecked-\d+(-journal)?$/
/** Age from which an unfinished copy counts as interrupted; a younger one may be in progress. */
const interruptedMs = 60 * 60_000

interface DailyBackupOptions {
  dataDir: string
  isOn(): boolean
  /** Writes a verified copy; must not hold up other writes. */
  backup(file: string): Promise<void>
  /** Free bytes on the disk of the data folder. */
  freeBytes(): Promise<number>
  now(): number
  /** Called when there was no room for a copy. */
  onNoRoom(): void
  onError(error: unknown): void
}

/** Runs ten minutes after the start and then every hour. Closing waits for a copy in progress. */
export function startDailyBackup(options: DailyBackupOptions): { close(): Promise<void> } {
  let running = Promise.resolve()
  const run = () => {
    running = running.then(() => backUpOnce(options)).catch(options.onError)
  }
  const first = setTimeout(run, firstMs).unref()
  const next = setInterval(run, intervalMs).unref()
  return {
    close() {
      clearTimeout(first)
      clearInterval(next)
      return running
    },
  }
}

/** Makes the copy of the current UTC day unless it exists, then deletes those that are too old. */
export async function backUpOnce(options: DailyBackupOptions): Promise<void> {
  const { dataDir, isOn, backup, freeBytes, now, onNoRoom } = options
  if (!isOn()) return
  const folder = backupFolder(dataDir)
  await makeFolder(folder)
  for (const each of [dataDir, folder]) await removeUnfinished(each, now())
  const today = `modelport-${new Date(now()).toISOString().slice(0, 10)}.db`
  if ((await copiesIn(folder)).includes(today)) return
  const { size } = await stat(join(dataDir, 'modelport.db'))
  if ((await freeBytes()) < size + spareBytes) return onNoRoom()
  await backup(join(folder, today))
  const newestFirst = (await copiesIn(folder)).toReversed()
  for (const name of newestFirst.slice(keptDays)) await rm(join(folder, name))
}

/** Name of the folder in the data folder. */
export const backupFolderName = 'backups'

function backupFolder(dataDir: string): string {
  return join(dataDir, backupFolderName)
}

/** Removes files of copies that the end of the process interrupted. */
async function removeUnfinished(folder: string, nowMs: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => unfinishedName.test(each))) {
    const file = join(folder, name)
    // Null when a copy was completed meanwhile.
    const found = await stat(file).catch(() => null)
    if (found && nowMs - found.mtimeMs > interruptedMs) await rm(file, { force: true })
  }
}

/** Names of the copies, oldest first. */
async function copiesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => copyName.test(name)).toSorted()
}
