import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { StorageConflict } from '../storage.ts'
import { createNewFile } from './new-file.ts'

/**
 * Copies a snapshot of the whole database into one file that only its owner can read. The copy gets its name
 * once it is on the disk and was read back. It uses VACUUM INTO rather than SQLite's backup, because other
 * writes never make it start again, and deleted content is not in the copy.
 * @param replaces  whether an existing file may be replaced; it stays unchanged until the copy is complete
 * @throws StorageConflict when the file exists and may not be replaced
 */
export function copyVerified(db: Database, file: string, replaces: boolean): void {
  const unchecked = `${file}.unchecked-${process.pid}`
  if (!replaces) reserve(file)
  try {
    rmSync(unchecked, { force: true })
    // VACUUM INTO accepts an empty file; creating it first restricts its permissions to the owner.
    createNewFile(unchecked)
    db.prepare('VACUUM INTO ?').run(unchecked)
    verify(db, unchecked)
    syncFile(unchecked)
    renameSync(unchecked, file)
  } catch (error) {
    rmSync(unchecked, { force: true })
    if (!replaces) rmSync(file, { force: true })
    throw error
  }
}

/** Waits until a file's content is on the disk. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Creates an empty file with the name, so that two simultaneous copies cannot both find the name free. */
function reserve(file: string): void {
  try {
    createNewFile(file)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isThere ? new StorageConflict(`The file ${file} already exists.`) : error
  }
}

function verify(db: Database, file: string): void {
  db.prepare('ATTACH ? AS copy').run(file)
  try {
    const verdict = db.pragma('copy.integrity_check', { simple: true })
    const isSameVersion = versionOf(db, 'copy') === versionOf(db, 'main')
    if (verdict !== 'ok' || !isSameVersion)
      throw new Error(`The copy of the database is damaged: ${String(verdict)}`)
  } finally {
    db.exec('DETACH copy')
  }
}

function versionOf(db: Database, schema: 'main' | 'copy'): number {
  return Number(db.pragma(`${schema}.user_version`, { simple: true }))
}
