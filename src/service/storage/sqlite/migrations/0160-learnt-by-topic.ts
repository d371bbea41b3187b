import type { Database } from 'better-sqlite3'

/**
 * Feedback and answer lengths are learned by topic, and a domain has several topics. Figures learned by domain
 * cannot be split, so they are deleted and learned again.
 */
export function learntByTopic(db: Database): void {
  db.exec(`
    DELETE FROM feedback_labels;
    DELETE FROM feedback_counts;
    UPDATE feedback_version SET version = version + 1;
    ALTER TABLE feedback_counts RENAME COLUMN domain TO topic;
    UPDATE model_statistics SET statistics = json_set(statistics, '$.lengths', NULL);
  `)
}
