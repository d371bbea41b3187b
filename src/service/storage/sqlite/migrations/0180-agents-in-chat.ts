import type { Database } from 'better-sqlite3'

/** The agent that last answered a conversation, and the six `_meta` fields of an agent's answer. */
export function agentsInChat(db: Database): void {
  db.exec(`
    ALTER TABLE conversations ADD COLUMN agent TEXT;
    ALTER TABLE messages ADD COLUMN agent_meta TEXT CHECK (json_valid(agent_meta));
  `)
}
