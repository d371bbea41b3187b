import type { Router } from '../../../shared/entities.ts'
import {
  fieldChanges,
  fieldChangesSchema,
  type RouterChange,
} from '../../../shared/routers/router-change.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

/** The most that are read at once: more flags than a chart has room for. */
const mostChanges = 500

/** The changes of routers' settings. `add` runs in the transaction of the change itself. */
export function openRouterChanges(sql: Sql) {
  const insert = sql.prepare<[string, number, string]>(
    'INSERT INTO router_changes (router_id, at_ms, fields) VALUES (?, ?, ?)',
  )
  const select = sql.prepare<[string], { atMs: number; fields: string }>(`
    SELECT at_ms AS "atMs", fields FROM router_changes WHERE router_id = ?
    ORDER BY at_ms DESC, position DESC LIMIT ${mostChanges}`)

  return {
    async add(before: Router, after: Router): Promise<void> {
      const fields = fieldChanges(before, after)
      if (fields.length > 0) await insert.run(after.id, after.updatedAtMs, JSON.stringify(fields))
    },
    async of(routerId: string): Promise<RouterChange[]> {
      const rows = await select.all(routerId)
      return rows.map(({ atMs, fields }) => ({
        atMs,
        fields: readJson(fields, fieldChangesSchema),
      }))
    },
  }
}
