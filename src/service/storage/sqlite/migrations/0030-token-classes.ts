import type { Database } from 'better-sqlite3'

/**
 * Token classes that do not overlap: reasoning, counted inside output before, stands beside it, and
 * tokens written to a cache have a class and a price of their own, unknown for requests of before.
 */
export function tokenClasses(db: Database): void {
  db.exec(`
    UPDATE requests SET detail = json_set(
      detail,
      '$.tokens.cacheWrite', NULL,
      '$.tokens.output', max(0, (detail ->> '$.tokens.output') - coalesce(detail ->> '$.tokens.reasoning', 0))
    ) WHERE detail IS NOT NULL;
    UPDATE requests SET detail = json_set(detail, '$.price.cacheWriteUsdPerMtok', NULL)
    WHERE detail ->> '$.price' IS NOT NULL;
  `)
}
