/** Conversations become trees with a prompt of their own, drafts are stored, and messages are indexed for searches. */

/**
 * Makes a tree of each thread of 0.2.0. An answer follows its question. A
 * question follows the answer that the models read: the last one with text that is not set aside, else the last one
 * with text, else the last one; else the question before it.
 */
const parentsOfThreads = `
  WITH turns AS (
    SELECT id, conversation_id, role, position,
           CASE WHEN role = 'user' THEN 0
                WHEN state = 'failed' OR text = '' THEN 1
                WHEN set_aside = 1 THEN 2
                ELSE 3 END AS worth,
           count(CASE WHEN role = 'user' THEN 1 END) OVER (PARTITION BY conversation_id ORDER BY position) AS turn
    FROM messages
  ),
  places AS MATERIALIZED (
    SELECT id, conversation_id, role, turn,
           row_number() OVER (PARTITION BY conversation_id, turn ORDER BY worth DESC, position DESC) AS place
    FROM turns WHERE turn > 0
  )
  UPDATE messages SET parent_id = found.parent_id
  FROM (
    SELECT answer.id, question.id AS parent_id
    FROM places AS answer JOIN places AS question
      ON question.conversation_id = answer.conversation_id AND question.turn = answer.turn
    WHERE answer.role <> 'user' AND question.role = 'user'
    UNION ALL
    SELECT question.id, kept.id
    FROM places AS question JOIN places AS kept
      ON kept.conversation_id = question.conversation_id AND kept.turn = question.turn - 1
    WHERE question.role = 'user' AND kept.place = 1
  ) AS found
  WHERE found.id = messages.id`

/** `parent_id` has no foreign key: SQLite ends a cascade at a depth of 1,000, and threads are longer. */
const sql = `
  ALTER TABLE conversations ADD COLUMN system_prompt TEXT NOT NULL DEFAULT '';
  ALTER TABLE conversations ADD COLUMN parameters TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(parameters));
  ALTER TABLE conversations ADD COLUMN pinned_at_ms INTEGER;
  ALTER TABLE conversations ADD COLUMN removed_at_ms INTEGER;
  ALTER TABLE messages ADD COLUMN parent_id TEXT;
  ALTER TABLE messages ADD COLUMN removed_at_ms INTEGER;
  CREATE INDEX messages_removed ON messages (removed_at_ms) WHERE removed_at_ms IS NOT NULL;
  ${parentsOfThreads};

  -- conversation_id: \`new\` before the conversation begins.
  CREATE TABLE drafts (
    conversation_id TEXT PRIMARY KEY NOT NULL,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/**
 * Searches of PostgreSQL read the texts themselves.
 * - The index has no copy of the texts. Its words are cut in JavaScript, so triggers only note what is to be indexed.
 * - A trigger's `OR IGNORE` would be replaced by the conflict rule of the statement that fires it.
 */
const sqliteOnly = `
  CREATE VIRTUAL TABLE message_words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  );
  CREATE TABLE unindexed_messages (position INTEGER PRIMARY KEY) STRICT;
  INSERT INTO unindexed_messages SELECT position FROM messages WHERE state <> 'streaming';
  CREATE TRIGGER message_added AFTER INSERT ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO unindexed_messages SELECT new.position
    WHERE new.position NOT IN (SELECT position FROM unindexed_messages);
  END;
  CREATE TRIGGER message_changed AFTER UPDATE OF text, state ON messages
  WHEN new.state <> 'streaming' AND (new.text <> old.text OR old.state = 'streaming') BEGIN
    INSERT INTO unindexed_messages SELECT new.position
    WHERE new.position NOT IN (SELECT position FROM unindexed_messages);
  END;
  CREATE TRIGGER message_deleted AFTER DELETE ON messages BEGIN
    DELETE FROM message_words WHERE rowid = old.position;
    DELETE FROM unindexed_messages WHERE position = old.position;
  END;
`

export const messageTree = { version: 20, readableFrom: 10, sql, sqliteOnly }
