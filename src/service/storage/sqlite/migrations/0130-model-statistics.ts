import type { Database } from 'better-sqlite3'

/** Latency and answer lengths of each model, as JSON (`storage/model-statistics.ts`). */
export function modelStatistics(db: Database): void {
  db.exec(`
    CREATE TABLE model_statistics (
      model TEXT PRIMARY KEY NOT NULL,
      statistics TEXT NOT NULL CHECK (json_valid(statistics))
    ) STRICT;
  `)
}
