/** @returns the statements of a schema in SQLite's types (`sql/schema-steps.ts`) as PostgreSQL takes them */
export function inPostgres(sqlite: string): string {
  return (
    sqlite
      // JSON stays text, so that it is read as it was written.
      .replaceAll(/ CHECK \((?:\w+ IS NULL OR )?json_valid\(\w+\)\)/g, '')
      .replaceAll(/\) STRICT(?:, WITHOUT ROWID)?;/g, ');')
      .replaceAll(
        /\b(id|position) INTEGER PRIMARY KEY,/g,
        '$1 INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,',
      )
      .replaceAll('PRIMARY KEY NOT NULL', 'PRIMARY KEY')
      // Its own INTEGER has 32 bits.
      .replaceAll(/\bINTEGER\b/g, 'BIGINT')
      .replaceAll(/\bREAL\b/g, 'DOUBLE PRECISION')
      .replaceAll(/\bBLOB\b/g, 'BYTEA')
      // Texts are compared byte by byte, as SQLite does, whatever the language of the database is.
      .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
  )
}
