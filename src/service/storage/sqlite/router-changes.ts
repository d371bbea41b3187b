import type { Database } from 'better-sqlite3'
import type { Router } from '../../../shared/entities.ts'
import {
  fieldChanges,
  fieldChangesSchema,
  type RouterChange,
} from '../../../shared/router-change.ts'
import { readJson } from './json-column.ts'

/** The most that are read at once: more flags than a chart has room for. */
const mostChanges = 500

/** The changes of routers' settings. `add` runs in the transaction of the change itself. */
export function openRouterChanges(db: Database) {
  const insert = db.prepare<[string, number, string]>(
    'INSERT INTO router_changes (router_id, at_ms, fields) VALUES (?, ?, ?)',
  )
  const select = db.prepare<[string], { atMs: number; fields: string }>(`
    SELECT at_ms AS atMs, fields FROM router_changes WHERE router_id = ?
    ORDER BY at_ms DESC, position DESC LIMIT ${mostChanges}`)

  return {
    add(before: Router, after: Router): void {
      const fields = fieldChanges(before, after)
      if (fields.length > 0) insert.run(after.id, after.updatedAtMs, JSON.stringify(fields))
    },
    of: (routerId: string): RouterChange[] =>
      select
        .all(routerId)
        .map(({ atMs, fields }) => ({ atMs, fields: readJson(fields, fieldChangesSchema) })),
  }
}

/** @returns a function that deletes the changes before a time, and whether there were any */
export function openRemoveRouterChanges(db: Database): (beforeMs: number) => boolean {
  const remove = db.prepare<[number]>('DELETE FROM router_changes WHERE at_ms < ?')
  return (beforeMs) => remove.run(beforeMs).changes > 0
}
