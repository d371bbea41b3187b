/** Presets of conversations, and prompts to insert into a message. */

const sqlite = `
  CREATE TABLE chat_presets (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    system_prompt TEXT NOT NULL,
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    router_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE chat_prompts (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

const postgres = `
  CREATE TABLE chat_presets (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    system_prompt TEXT COLLATE "C" NOT NULL,
    parameters TEXT COLLATE "C" NOT NULL,
    router_id TEXT COLLATE "C"
  );
  CREATE TABLE chat_prompts (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL
  );
`

export const chatLibraryTables = { version: 40, readableFrom: 10, sqlite, postgres }
