import type { Database } from 'better-sqlite3'

/**
 * Feedback is compared with what was expected of its prompts, which depends on how hard they were. Prompts judged
 * before count as prompts of difficulty -1, as prompts that were not read do.
 */
export function feedbackDifficulty(db: Database): void {
  db.exec(`
    ALTER TABLE feedback_labels ADD COLUMN difficulty REAL NOT NULL DEFAULT -1;
    ALTER TABLE feedback_counts ADD COLUMN difficulty REAL NOT NULL DEFAULT 0;
    UPDATE feedback_counts SET difficulty = -(good + bad);
  `)
}
