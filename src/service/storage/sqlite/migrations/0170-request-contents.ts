import type { Database } from 'better-sqlite3'

/**
 * Full texts of requests and answers, for routers that store them. They are separate from the ledger, so code
 * that reads or copies rows of requests never sees a prompt.
 */
export function requestContents(db: Database): void {
  db.exec(`
    CREATE TABLE request_contents (
      request_id TEXT PRIMARY KEY NOT NULL,
      router_id TEXT NOT NULL,
      started_at_ms INTEGER NOT NULL,
      request TEXT NOT NULL,
      is_request_cut INTEGER NOT NULL,
      answer TEXT,
      is_answer_cut INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX request_contents_by_router ON request_contents (router_id, started_at_ms);
  `)
}
