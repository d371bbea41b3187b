import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { migrate, migrations } from './index.ts'

test('older failed answers are kept, without the provider’s words', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  const upTo = (last: number) => migrations.filter(({ version }) => version <= last)
  migrate(db, copyTo, upTo(300))
  db.exec(`
    INSERT INTO conversations (id, title, created_at_ms, updated_at_ms) VALUES ('c', 'T', 1, 1);
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state, error)
    VALUES ('m', 'c', 'assistant', '', 1, 'failed', 'No model answered.')`)

  migrate(db, copyTo, upTo(310))

  const rows = db.prepare('SELECT error, error_detail FROM messages').all()
  expect(rows).toEqual([{ error: 'No model answered.', error_detail: null }])
})
