import type { Database } from 'better-sqlite3'

/** Who a conversation was last answered by, and the six fields of `_meta` where it was an agent. */
export function agentsInChat(db: Database): void {
  db.exec(`
    ALTER TABLE conversations ADD COLUMN agent TEXT;
    ALTER TABLE messages ADD COLUMN agent_meta TEXT CHECK (json_valid(agent_meta));
  `)
}
