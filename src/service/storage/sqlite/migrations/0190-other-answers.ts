import type { Database } from 'better-sqlite3'

/** A question can have several answers; the ones that are not used are set aside. */
export function otherAnswers(db: Database): void {
  db.exec(`
    ALTER TABLE messages ADD COLUMN set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1));
  `)
}
