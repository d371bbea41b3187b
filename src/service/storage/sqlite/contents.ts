/**
 * Full texts of requests and answers. The router's switch is checked in the transaction that stores them, so a
 * request that ends after contents were switched off stores nothing. Deleted contents are overwritten, not
 * only unlinked.
 */
import type { Database } from 'better-sqlite3'
import type { RequestContent } from '../../../shared/request-content.ts'
import type { ContentStore } from '../storage.ts'
import type { Synchronous } from './protocol.ts'

interface ContentRow extends Omit<RequestContent, 'isRequestCut' | 'isAnswerCut'> {
  isRequestCut: number
  isAnswerCut: number
}

/** The limit of each text: one mebibyte. */
const removedAtOnce = 20

export function openContents(db: Database): Synchronous<ContentStore> {
  const insert = db.prepare<ContentRow>(`
    INSERT INTO request_contents (request_id, router_id, started_at_ms, request, is_request_cut,
                                  answer, is_answer_cut)
    SELECT :requestId, :routerId, :startedAtMs, :request, :isRequestCut, :answer, :isAnswerCut
    FROM routers WHERE id = :routerId AND json_extract(routing, '$.contentDays') IS NOT NULL`)
  const select = db.prepare<[string], ContentRow>(`${selectContents} WHERE request_id = ?`)
  const newest = db.prepare<[string, number], ContentRow>(`
    ${selectContents} WHERE router_id = ? ORDER BY started_at_ms DESC LIMIT ?`)
  const removeOld = db.prepare<[number]>(`
    DELETE FROM request_contents WHERE rowid IN (
      SELECT content.rowid FROM request_contents AS content
      LEFT JOIN routers ON routers.id = content.router_id
      WHERE content.started_at_ms
            < ? - coalesce(json_extract(routers.routing, '$.contentDays'), 0) * 86400000
      LIMIT ${removedAtOnce}
    )`)

  return {
    save(content) {
      const { isRequestCut, isAnswerCut } = content
      insert.run({
        ...content,
        isRequestCut: Number(isRequestCut),
        isAnswerCut: Number(isAnswerCut),
      })
    },
    get(requestId) {
      const row = select.get(requestId)
      return row === undefined ? null : toContent(row)
    },
    ofRouter: (routerId, limit) => newest.all(routerId, limit).map(toContent),
    prune: (nowMs) => overwriting(db, () => removeOld.run(nowMs).changes < removedAtOnce),
  }
}

const selectContents = `
  SELECT request_id AS requestId, router_id AS routerId, started_at_ms AS startedAtMs, request,
         is_request_cut AS isRequestCut, answer, is_answer_cut AS isAnswerCut
  FROM request_contents`

function toContent(row: ContentRow): RequestContent {
  return { ...row, isRequestCut: row.isRequestCut === 1, isAnswerCut: row.isAnswerCut === 1 }
}

/** @returns a function that deletes all contents of a router */
export function openRemoveContents(db: Database): (routerId: string) => void {
  const remove = db.prepare<[string]>('DELETE FROM request_contents WHERE router_id = ?')
  return (routerId) => {
    overwriting(db, () => remove.run(routerId))
  }
}

/** Runs a deletion that overwrites the deleted content with zeros in the database file. */
export function overwriting<Result>(db: Database, remove: () => Result): Result {
  db.pragma('secure_delete = ON')
  try {
    return remove()
  } finally {
    db.pragma('secure_delete = OFF')
  }
}
