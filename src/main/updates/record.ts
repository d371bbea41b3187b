/** What the app remembers about updates, in `updates/window.json` of the data folder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const recordSchema = z.object({
  lastCheckedAtMs: z.number().nullable().default(null),
  /** The version that the user does not want. */
  skippedVersion: z.string().nullable().default(null),
  /** Why the last exchange of folders failed, which only the next start can show. */
  failedInstall: z
    .object({ step: z.enum(['install', 'go_back']), kind: z.enum(['read_only', 'unexpected']) })
    .nullable()
    .default(null),
})

export type UpdateRecord = z.output<typeof recordSchema>

export interface RecordStore {
  read(): UpdateRecord
  change(changes: Partial<UpdateRecord>): void
}

/** A file that cannot be read counts as empty: nothing in it is worth a failed start. */
export function openRecord(file: string): RecordStore {
  const read = (): UpdateRecord => {
    try {
      return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      return recordSchema.parse({})
    }
  }
  return {
    read,
    change(changes) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, JSON.stringify({ ...read(), ...changes }))
    },
  }
}
