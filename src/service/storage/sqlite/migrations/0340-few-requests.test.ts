import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { migrate, migrations } from './index.ts'

test('older steps of agents and errors are found by the new indexes', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  const upTo = (last: number) => migrations.filter(({ version }) => version <= last)
  migrate(db, copyTo, upTo(330))
  const insert = db.prepare(`
    INSERT INTO requests (id, router_id, source, started_at_ms, status, router_decision, is_streamed,
                          attempts, cost_nano_usd, latency_ms, carbon_grams, execution_id)
    VALUES (?, 'router_a', 'api', 1, ?, 'priority', 0, 1, 7, 1, 0, ?)`)
  insert.run('answered', 200, null)
  insert.run('failed', 400, null)
  insert.run('step', 200, 'execution-1')

  migrate(db, copyTo, upTo(340))

  const idsBy = (index: string, where: string) =>
    db.prepare(`SELECT id FROM requests INDEXED BY ${index} WHERE ${where}`).pluck().all()
  expect(idsBy('requests_failed', 'status >= 400')).toEqual(['failed'])
  expect(idsBy('requests_of_agents', 'execution_id IS NOT NULL')).toEqual(['step'])
})
