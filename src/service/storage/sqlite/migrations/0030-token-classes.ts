import type { Database } from 'better-sqlite3'

/**
 * Token classes that do not overlap: reasoning, which was part of output, gets a class of its own, and so do
 * tokens written to a cache, with their own price. Both are unknown for earlier requests.
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
