import type { Database } from 'better-sqlite3'

/** Answer lengths and first looks of each router, as JSON (`storage/model-statistics.ts`). */
export function routerStatistics(db: Database): void {
  db.exec(`
    CREATE TABLE router_statistics (
      router TEXT PRIMARY KEY NOT NULL,
      statistics TEXT NOT NULL CHECK (json_valid(statistics))
    ) STRICT;
  `)
}
