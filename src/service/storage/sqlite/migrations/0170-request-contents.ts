import type { Database } from 'better-sqlite3'

/**
 * Requests and answers word by word, of routers that keep them: apart from the ledger, so that nothing
 * that reads or copies rows of requests ever meets a prompt.
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
