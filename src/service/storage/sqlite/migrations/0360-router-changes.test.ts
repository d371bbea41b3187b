import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { migrate, migrations } from './index.ts'

test('older routers are kept, without changes', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  const upTo = (last: number) => migrations.filter(({ version }) => version <= last)
  migrate(db, copyTo, upTo(350))
  db.exec(`INSERT INTO routers (id, name, strategy, models, tier, created_at_ms, updated_at_ms)
           VALUES ('router_a', 'Old', 'priority', '[]', 'pro', 1, 1)`)

  migrate(db, copyTo, upTo(360))

  expect(db.prepare('SELECT name FROM routers').pluck().all()).toEqual(['Old'])
  expect(db.prepare('SELECT * FROM router_changes').all()).toEqual([])
})
