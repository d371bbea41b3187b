import type { Database } from 'better-sqlite3'

/**
 * Feedback and lengths of answers are learnt by topic, of which a domain has several: what was learnt by
 * domain cannot be told apart any more and is learnt anew.
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
