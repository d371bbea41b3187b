import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { migrate, migrations } from './index.ts'

test('older answers are kept, without their router', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  const upTo = (last: number) => migrations.filter(({ version }) => version <= last)
  migrate(db, copyTo, upTo(340))
  db.exec(`
    INSERT INTO conversations (id, title, created_at_ms, updated_at_ms) VALUES ('c', 'T', 1, 1);
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state)
    VALUES ('m', 'c', 'assistant', 'Paris.', 1, 'complete')`)

  migrate(db, copyTo, upTo(350))

  const rows = db.prepare('SELECT text, router_id FROM messages').all()
  expect(rows).toEqual([{ text: 'Paris.', router_id: null }])
})
