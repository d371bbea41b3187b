import { z } from 'zod'
import type { EvidenceDocument, FindingStore, StoredFinding } from '../finding-store.ts'
import type { Sql } from './sql.ts'

type FindingRow = Omit<StoredFinding, 'requestIds'> & { requestIds: string }

const requestIdsSchema = z.array(z.string())

export function openFindings(sql: Sql): FindingStore {
  return { ...openReports(sql), ...openDocuments(sql) }
}

function openReports(sql: Sql): Omit<FindingStore, 'documents' | 'saveDocuments'> {
  const find = sql.prepare<[string], string>('SELECT id FROM findings WHERE id = ?').pluck()
  const save = sql.prepare<Omit<FindingRow, 'firstAtMs' | 'dismissedAtMs'>>(`
    INSERT INTO findings (id, kind, first_at_ms, last_at_ms, evidence, request_ids, dismissed_at_ms)
    VALUES (:id, :kind, CAST(:lastAtMs AS BIGINT), CAST(:lastAtMs AS BIGINT), :evidence, :requestIds, NULL)
    ON CONFLICT (id) DO UPDATE SET last_at_ms = excluded.last_at_ms, evidence = excluded.evidence,
      request_ids = excluded.request_ids`)
  const remove = sql.prepare<[string]>('DELETE FROM findings WHERE id = ?')
  const list = sql.prepare<[], FindingRow>(`
    SELECT id, kind, first_at_ms AS "firstAtMs", last_at_ms AS "lastAtMs", evidence,
           request_ids AS "requestIds", dismissed_at_ms AS "dismissedAtMs"
    FROM findings ORDER BY last_at_ms DESC, id`)
  const dismiss = sql.prepare<{ id: string; atMs: number | null }>(
    'UPDATE findings SET dismissed_at_ms = CAST(:atMs AS BIGINT) WHERE id = :id',
  )
  return {
    async report({ requestIds, ...finding }) {
      const isNew = (await find.get(finding.id)) === undefined
      await save.run({ ...finding, requestIds: JSON.stringify(requestIds) })
      return isNew
    },
    async resolve(ids) {
      let removed = 0
      for (const id of ids) removed += (await remove.run(id)).changes
      return removed
    },
    async list() {
      const rows = await list.all()
      return rows.map(({ requestIds, ...row }) => ({
        ...row,
        requestIds: requestIdsSchema.parse(JSON.parse(requestIds)),
      }))
    },
    dismiss: async (id, atMs) => (await dismiss.run({ id, atMs })).changes > 0,
  }
}

function openDocuments(sql: Sql): Pick<FindingStore, 'documents' | 'saveDocuments'> {
  const select = sql.prepare<{ prefix: string }, EvidenceDocument>(`
    SELECT name, value FROM evidence_documents
    WHERE substr(name, 1, length(CAST(:prefix AS TEXT))) = CAST(:prefix AS TEXT) ORDER BY name`)
  const save = sql.prepare<EvidenceDocument>(`
    INSERT INTO evidence_documents (name, value) VALUES (:name, :value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
  return {
    documents: (prefix) => select.all({ prefix }),
    async saveDocuments(documents) {
      for (const document of documents) await save.run(document)
    },
  }
}
