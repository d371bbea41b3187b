/** Files of messages: their contents once, by their SHA-256, and which message or draft has them. */

/** `attachments` is a list of `shared/chat/attachments.ts`; `data` is base64, as requests carry it. */
const sqlite = `
  ALTER TABLE messages ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(attachments));
  ALTER TABLE drafts ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(attachments));
  CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY NOT NULL,
    data TEXT NOT NULL,
    text TEXT,
    added_at_ms INTEGER NOT NULL
  ) STRICT;
`

const postgres = `
  ALTER TABLE messages ADD COLUMN attachments TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  ALTER TABLE drafts ADD COLUMN attachments TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  CREATE TABLE blobs (
    sha256 TEXT COLLATE "C" PRIMARY KEY,
    data TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C",
    added_at_ms BIGINT NOT NULL
  );
`

export const attachmentTables = { version: 50, readableFrom: 10, sqlite, postgres }
