/** Folders of conversations, one level deep. */

const sqlite = `
  CREATE TABLE chat_folders (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    preset_id TEXT
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE conversations ADD COLUMN folder_id TEXT;
`

const postgres = `
  CREATE TABLE chat_folders (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    preset_id TEXT COLLATE "C"
  );
  ALTER TABLE conversations ADD COLUMN folder_id TEXT COLLATE "C";
`

export const folderTables = { version: 110, readableFrom: 10, sqlite, postgres }
