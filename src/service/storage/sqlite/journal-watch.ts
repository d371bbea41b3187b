/** Notices that the database's journal was written, so that a computer at rest does not wake the storage's thread. */
import { statSync } from 'node:fs'
import { lookEvery } from '../look-again.ts'

const lookMs = 500
/** A second write this soon may leave the file's time and size as they were: some file systems count two seconds. */
const sameTimeMs = 3_000

/**
 * @param database  the file whose journal is looked at twice a second
 * @param onWrite  called after writes of any process, and while the journal cannot be looked at
 * @returns stops it
 */
export function watchJournal(database: string, onWrite: () => void): () => void {
  const read = () => statSync(`${database}-wal`, { throwIfNoEntry: false })
  let seen = read()
  return lookEvery(lookMs, () => {
    const now = read()
    const isSame = now && now.mtimeMs === seen?.mtimeMs && now.size === seen.size
    seen = now
    if (!isSame || Date.now() - now.mtimeMs < sameTimeMs) onWrite()
  })
}
