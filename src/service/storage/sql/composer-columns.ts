/** Messages that wait for the running answer, beside the draft of their conversation; and the sources of answers. */

/** `queue` is `queueSchema`, and `sources` a list of `MessageDetail`. */
const sqlite = `
  ALTER TABLE drafts ADD COLUMN queue TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(queue));
  ALTER TABLE messages ADD COLUMN sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources));
`

const postgres = `
  ALTER TABLE drafts ADD COLUMN queue TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  ALTER TABLE messages ADD COLUMN sources TEXT COLLATE "C" NOT NULL DEFAULT '[]';
`

export const composerColumns = { version: 120, readableFrom: 10, sqlite, postgres }
