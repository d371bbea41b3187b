import type { Database } from 'better-sqlite3'

/** The sums of what answers show by themselves, apart from feedback, because together they count only so much. */
export function signalCounts(db: Database): void {
  db.exec(`
    CREATE TABLE signal_counts (
      model TEXT NOT NULL,
      topic TEXT NOT NULL,
      good REAL NOT NULL,
      bad REAL NOT NULL,
      difficulty REAL NOT NULL,
      PRIMARY KEY (model, topic)
    ) STRICT, WITHOUT ROWID;
  `)
}
