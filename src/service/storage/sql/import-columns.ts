/** Conversations of other programs: where they come from, and what their messages had beside the text. */

/** `imported` is an `ImportedPart` of `shared/chat/imports.ts`. */
const sqlite = `
  ALTER TABLE conversations ADD COLUMN source TEXT;
  ALTER TABLE messages ADD COLUMN imported TEXT CHECK (imported IS NULL OR json_valid(imported));
`

const postgres = `
  ALTER TABLE conversations ADD COLUMN source TEXT COLLATE "C";
  ALTER TABLE messages ADD COLUMN imported TEXT COLLATE "C";
`

export const importColumns = { version: 70, readableFrom: 10, sqlite, postgres }
