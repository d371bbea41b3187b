import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { topicNames } from '../../../../shared/topics.ts'
import { growthSince } from '../../feedback-decay.ts'
import { openFeedback } from '../../sql/feedback.ts'
import { toSql } from '../sqlite-sql.ts'
import { migrate, migrations } from './index.ts'

const atMs = Date.UTC(2026, 9, 1)

test('earlier feedback stays, and signals are added to it', async () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  migrate(
    db,
    copyTo,
    migrations.filter(({ version }) => version < 270),
  )
  db.exec(`
    INSERT INTO feedback_counts (model, topic, good, bad, difficulty)
      VALUES ('p:m', 'law', ${2 * growthSince(atMs)}, 0, 0)`)

  migrate(db, copyTo)

  const feedback = openFeedback(toSql(db))
  const zeros = topicNames.map(() => 0)
  await feedback.addSignals(
    [{ modelId: 'p:m', good: zeros, bad: zeros.with(0, 1), difficulty: zeros }],
    atMs,
  )
  const [counts] = await feedback.counts(atMs)
  expect(counts?.good[topicNames.indexOf('law')]).toBeCloseTo(2, 9)
  expect(counts?.bad[0]).toBeCloseTo(1, 9)
})
