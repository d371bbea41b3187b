/** What Modelport remembers of a tool: the keys made for it, and the files written. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, replaceFile } from '../data-folder/durable-file.ts'

const recordSchema = z.object({
  /** Keys made for the tool, newest last. */
  keys: z.array(
    z.object({
      id: z.string(),
      routerId: z.string(),
      /** Unix milliseconds at which it is revoked unless it was used or is in a file; absent: never. */
      unusedUntilMs: z.int().optional(),
    }),
  ),
  written: z
    .object({
      connectionId: z.string(),
      routerId: z.string(),
      atMs: z.int(),
      files: z.array(
        z.object({
          path: z.string(),
          name: z.string(),
          backup: z.string().nullable(),
          beforeSha256: z.string().nullable(),
          afterSha256: z.string(),
          mode: z.int().nullable(),
          owner: z.object({ uid: z.int(), gid: z.int() }).nullable(),
          changes: z
            .array(
              z.object({
                path: z.array(z.union([z.string(), z.object({ item: z.string() })])).readonly(),
                sha256: z.string().nullable(),
              }),
            )
            .readonly(),
        }),
      ),
    })
    .nullable(),
})
export type ToolRecord = z.infer<typeof recordSchema>

export interface ToolRecords {
  read(toolId: string): Promise<ToolRecord>
  save(toolId: string, record: ToolRecord): Promise<void>
  /** The tools that have a record. */
  toolIds(): Promise<string[]>
  /** The folder of the tool's backups. */
  backupFolder(toolId: string): string
}

/** Records in `<dataDir>/connect/`, a file per tool. */
export function openToolRecords(dataDir: string): ToolRecords {
  const folder = join(dataDir, 'connect')
  const fileOf = (toolId: string) => join(folder, `${toolId}.json`)
  return {
    async read(toolId) {
      const text = await readIfThere(fileOf(toolId))
      // A damaged record must not hide that files were written.
      return text === null ? { keys: [], written: null } : recordSchema.parse(JSON.parse(text))
    },
    async save(toolId, record) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(fileOf(toolId), `${JSON.stringify(record, null, 2)}\n`)
    },
    async toolIds() {
      const names = await readdir(folder).catch(() => [])
      return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
    },
    backupFolder: (toolId) => join(folder, toolId),
  }
}
