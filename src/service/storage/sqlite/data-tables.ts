import type { Database } from 'better-sqlite3'

/** The tables with data, without those that SQLite or a trigger fills from others. */
export function dataTables(db: Database): string[] {
  const select = db.prepare<[], string>(`
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
      AND name <> 'unindexed_messages'
    ORDER BY name`)
  return select.pluck().all()
}
