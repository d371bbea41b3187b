/** Contents of attached files, and of results of tools that were too long for a model. */
import { attachmentsSchema } from '../../../shared/chat/attachments.ts'
import { queueSchema } from '../../../shared/chat/conversations.ts'
import { toolStepsSchema } from '../../../shared/chat/tools.ts'
import type { Blob, ConversationStore } from '../conversation-store.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

type BlobStore = Pick<ConversationStore, 'blob' | 'saveBlob'> & {
  /** Deletes what was added at this time or before and is in no message and no draft. */
  purgeBlobs(untilMs: number): Promise<void>
}

export function openBlobs(sql: Sql): BlobStore {
  const select = sql.prepare<[string], Blob>(
    'SELECT sha256, data, text FROM blobs WHERE sha256 = ?',
  )
  const save = sql.prepare<Blob & { atMs: number }>(`
    INSERT INTO blobs (sha256, data, text, added_at_ms) VALUES (:sha256, :data, :text, :atMs)
    ON CONFLICT (sha256) DO UPDATE SET added_at_ms = excluded.added_at_ms`)
  const used = sql.prepare<[], { attachments: string }>(`
    SELECT attachments FROM messages WHERE attachments <> '[]'
    UNION ALL SELECT attachments FROM drafts WHERE attachments <> '[]'`)
  const queued = sql.prepare<[], { queue: string }>("SELECT queue FROM drafts WHERE queue <> '[]'")
  const cut = sql.prepare<[], { toolSteps: string }>(
    `SELECT tool_steps AS "toolSteps" FROM messages WHERE tool_steps LIKE '%"wholeResult":"%'`,
  )
  const old = sql.prepare<[number], { sha256: string }>(
    'SELECT sha256 FROM blobs WHERE added_at_ms <= ?',
  )
  const remove = sql.prepare<[string]>('DELETE FROM blobs WHERE sha256 = ?')
  return {
    blob: async (sha256: string) => (await select.get(sha256)) ?? null,
    async saveBlob(blob: Blob, atMs: number) {
      await save.run({ ...blob, atMs })
    },
    async purgeBlobs(untilMs: number) {
      const kept = new Set<string>()
      for (const { attachments } of await used.all()) {
        for (const { sha256 } of readJson(attachments, attachmentsSchema)) kept.add(sha256)
      }
      for (const { queue } of await queued.all()) {
        const files = readJson(queue, queueSchema).flatMap(({ attachments }) => attachments)
        for (const { sha256 } of files) kept.add(sha256)
      }
      for (const { toolSteps } of await cut.all()) {
        for (const { wholeResult } of readJson(toolSteps, toolStepsSchema)) {
          if (wholeResult !== null) kept.add(wholeResult)
        }
      }
      for (const { sha256 } of await old.all(untilMs)) {
        if (!kept.has(sha256)) await remove.run(sha256)
      }
    },
  }
}
