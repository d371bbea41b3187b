/** The app's memory of updates, in `updates/window.json` of the data folder. */
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { writeWhole } from '../write-whole.ts'

/** Problems that can prevent an installation after the app has stopped. */
export const problemsAtInstall = [
  'read_only',
  'disk_full',
  'damaged_package',
  'not_authorized',
  'installer_refused',
  'unexpected',
] as const

const recordSchema = z.object({
  lastCheckedAtMs: z.number().nullable().default(null),
  /** The version that the user skipped. */
  skippedVersion: z.string().nullable().default(null),
  /** The last version that a notice named. */
  announcedVersion: z.string().nullable().default(null),
  /** Why the last installation failed, which only the next start can show. */
  failedInstall: z.enum(problemsAtInstall).nullable().default(null),
})

export type UpdateRecord = z.output<typeof recordSchema>

export interface RecordStore {
  read(): UpdateRecord
  change(changes: Partial<UpdateRecord>): void
}

/**
 * A file that cannot be read counts as empty, and what cannot be written is remembered until the end of this run:
 * nothing in it is worth a failed start.
 * @param onError  called when the file cannot be written
 */
export function openRecord(file: string, onError: (error: unknown) => void): RecordStore {
  let record = readRecord(file)
  return {
    read: () => record,
    change(changes) {
      record = { ...record, ...changes }
      try {
        writeRecord(file, record)
      } catch (error) {
        onError(error)
      }
    },
  }
}

function readRecord(file: string): UpdateRecord {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return recordSchema.parse({})
  }
}

function writeRecord(file: string, record: UpdateRecord): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeWhole(file, JSON.stringify(record))
}
