import type { Database } from 'better-sqlite3'

/** Indexes of the few requests that are steps of agents or failed, by time. A request that is neither writes to none. */
export function fewRequests(db: Database): void {
  db.exec(`
    CREATE INDEX requests_of_agents ON requests (started_at_ms) WHERE execution_id IS NOT NULL;
    CREATE INDEX requests_failed ON requests (started_at_ms) WHERE status >= 400`)
}
