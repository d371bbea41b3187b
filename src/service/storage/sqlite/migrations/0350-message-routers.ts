import type { Database } from 'better-sqlite3'

/** The router of each answer of the chat window, because one question may go to several routers. */
export function messageRouters(db: Database): void {
  db.exec('ALTER TABLE messages ADD COLUMN router_id TEXT')
}
