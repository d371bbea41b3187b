/**
 * Full texts of requests and answers. The router's switch is checked in the transaction that stores them, so a
 * request that ends after contents were switched off stores nothing.
 */
import type { RequestContent } from '../../../shared/requests/content.ts'
import type { ContentStore } from '../storage.ts'
import type { Sql } from './sql.ts'

interface ContentRow extends Omit<RequestContent, 'isRequestCut' | 'isAnswerCut'> {
  isRequestCut: number
  isAnswerCut: number
}

/** Each text has up to one mebibyte. */
const removedAtOnce = 20

export function openContents(sql: Sql): ContentStore {
  const { jsonNumber } = sql.dialect
  const insert = sql.prepare<ContentRow>(`
    INSERT INTO request_contents (request_id, router_id, started_at_ms, request, is_request_cut,
                                  answer, is_answer_cut)
    SELECT :requestId, :routerId, :startedAtMs, :request, :isRequestCut, :answer, :isAnswerCut
    FROM routers WHERE id = :routerId AND ${jsonNumber('routing', 'contentDays')} IS NOT NULL`)
  const select = sql.prepare<[string], ContentRow>(`${selectContents} WHERE request_id = ?`)
  const newest = sql.prepare<[string, number], ContentRow>(`
    ${selectContents} WHERE router_id = ? ORDER BY started_at_ms DESC LIMIT ?`)
  const removeOld = sql.prepare<[number]>(`
    DELETE FROM request_contents WHERE request_id IN (
      SELECT content.request_id FROM request_contents AS content
      LEFT JOIN routers ON routers.id = content.router_id
      WHERE content.started_at_ms
            < CAST(? AS BIGINT)
              - coalesce(${jsonNumber('routers.routing', 'contentDays')}, 0) * 86400000
      LIMIT ${removedAtOnce}
    )`)

  return {
    async save(content) {
      const { isRequestCut, isAnswerCut } = content
      await insert.run({
        ...content,
        isRequestCut: Number(isRequestCut),
        isAnswerCut: Number(isAnswerCut),
      })
    },
    async get(requestId) {
      const row = await select.get(requestId)
      return row === undefined ? null : toContent(row)
    },
    ofRouter: async (routerId, limit) => (await newest.all(routerId, limit)).map(toContent),
    prune: (nowMs) =>
      sql.overwriting(async () => (await removeOld.run(nowMs)).changes < removedAtOnce),
  }
}

const selectContents = `
  SELECT request_id AS "requestId", router_id AS "routerId", started_at_ms AS "startedAtMs", request,
         is_request_cut AS "isRequestCut", answer, is_answer_cut AS "isAnswerCut"
  FROM request_contents`

function toContent(row: ContentRow): RequestContent {
  return { ...row, isRequestCut: row.isRequestCut === 1, isAnswerCut: row.isAnswerCut === 1 }
}

/** @returns a function that deletes all contents of a router */
export function openRemoveContents(sql: Sql): (routerId: string) => Promise<void> {
  const remove = sql.prepare<[string]>('DELETE FROM request_contents WHERE router_id = ?')
  return async (routerId) => {
    await sql.overwriting(() => remove.run(routerId))
  }
}
