import type { Database } from 'better-sqlite3'

/** A question may have several answers: those that were not kept are set aside. */
export function otherAnswers(db: Database): void {
  db.exec(`
    ALTER TABLE messages ADD COLUMN set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1));
  `)
}
