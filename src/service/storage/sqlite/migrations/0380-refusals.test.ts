import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { migrate, migrations } from './index.ts'

test('an older database has no refusals', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  const upTo = (last: number) => migrations.filter(({ version }) => version <= last)
  migrate(db, copyTo, upTo(370))
  migrate(db, copyTo, upTo(380))

  for (const table of ['refusal_kinds', 'refusal_counts', 'newest_refusals']) {
    expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  }
})
