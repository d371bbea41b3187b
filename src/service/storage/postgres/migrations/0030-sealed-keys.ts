/** Provider keys that are encrypted outside of the database; see `secrets/sealed-keys.ts`. */
export const sealedKeys = `
  CREATE TABLE sealed_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    text TEXT COLLATE "C" NOT NULL
  );
`
