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

test('earlier feedback counts as given on prompts of difficulty -1, and can be withdrawn', async () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  migrate(
    db,
    copyTo,
    migrations.filter(({ version }) => version < 240),
  )
  const grown = growthSince(atMs)
  db.exec(`
    INSERT INTO feedback_labels (given_on, aspect, request_id, model, at_ms, label, weight, shares)
      VALUES ('r', 'thumb', 'r', 'p:m', ${atMs}, 0, 1, '{"law":1}');
    INSERT INTO feedback_counts (model, topic, good, bad)
      VALUES ('p:m', 'law', ${2 * grown}, ${grown})`)
  migrate(db, copyTo)
  const feedback = openFeedback(toSql(db))
  const law = topicNames.indexOf('law')
  const ofLaw = async () => {
    const [found] = await feedback.counts(atMs)
    return [found?.good[law], found?.bad[law], found?.difficulty[law]]
  }
  expect(await ofLaw()).toEqual([2, 1, -3].map((count) => expect.closeTo(count, 9)))
  await feedback.withdraw({ requestId: 'r', aspect: 'thumb' })
  expect(await ofLaw()).toEqual([2, 0, -2].map((count) => expect.closeTo(count, 9)))
})
