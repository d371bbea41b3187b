/** Messages that wait for the running answer, stored with the draft of their conversation. */

const sqlite = `
  ALTER TABLE drafts ADD COLUMN queue TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(queue));
`

const postgres = `
  ALTER TABLE drafts ADD COLUMN queue TEXT COLLATE "C" NOT NULL DEFAULT '[]';
`

export const queueColumn = { version: 140, readableFrom: 10, sqlite, postgres }
