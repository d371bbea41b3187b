import type { Database } from 'better-sqlite3'

/** The context of the user's own models may be unknown. SQLite cannot drop NOT NULL, so the table is copied. */
export function optionalContext(db: Database): void {
  db.exec(`
    CREATE TABLE models_next (
      id TEXT PRIMARY KEY NOT NULL,
      input_nano_usd_per_mtok INTEGER NOT NULL,
      output_nano_usd_per_mtok INTEGER NOT NULL,
      context_tokens INTEGER,
      max_output_tokens INTEGER,
      capabilities TEXT NOT NULL CHECK (json_valid(capabilities)),
      quality REAL,
      energy_wh_per_ktok REAL,
      region TEXT,
      refuses TEXT CHECK (json_valid(refuses))
    ) STRICT;
    INSERT INTO models_next
      SELECT id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, context_tokens,
             max_output_tokens, capabilities, quality, energy_wh_per_ktok, region, refuses
      FROM models;
    DROP TABLE models;
    ALTER TABLE models_next RENAME TO models`)
}
