import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { migrate, migrations } from './index.ts'

test('keeps the latencies a model has learned, under their new key', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  migrate(
    db,
    copyTo,
    migrations.filter(({ version }) => version < 230),
  )
  const average = {
    atMs: 1_763_683_200_123.5,
    lnFirstTokenMs: 6.214608098422191,
    lnMsPerToken: 2.5,
    deviation: 0.3,
    share: 0.85,
  }
  db.prepare('INSERT INTO model_statistics (model, statistics) VALUES (?, ?)').run(
    'p:m',
    JSON.stringify({ paces: { stream: average }, prompts: null, lengths: null }),
  )
  migrate(
    db,
    copyTo,
    migrations.filter(({ version }) => version <= 230),
  )
  const stored = db.prepare<[], string>('SELECT statistics FROM model_statistics').pluck().all()
  expect(stored.map((text) => JSON.parse(text) as unknown)).toEqual([
    { latencies: { stream: average }, prompts: null, lengths: null },
  ])
})
