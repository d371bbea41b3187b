import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { openSqliteLedger } from './ledger-parts.ts'
import { toRowValues } from '../sql/ledger-row.ts'
import { openWriteGroup } from './write-group.ts'

const rows = 5_000
const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** Requests of 36 hours, one every 26 s, by five models over four routers. */
async function openFilled() {
  const db = openDatabase({ dataDir: join(temporaryFolder(), 'ledger') })
  onTestFinished(() => void db.close())
  const ledger = openSqliteLedger(db)
  const write = openWriteGroup(db)
  const group = Array.from({ length: rows }, (_, row) => ({
    record: sampleRecord({
      id: `request-${row}`,
      routerId: `router_${row % 4}`,
      modelUsed: `openai:model-${row % 5}`,
      startedAtMs: row * 26_000,
      status: row % 50 === 0 ? 503 : 200,
      latencyMs: 100 + (row % 900),
    }),
    detail: sampleDetail(),
  }))
  await write([() => ledger.appendAll(group.map(toRowValues))])
  return { db, ledger }
}

/** `bench` measures how long these take; this test checks that they read no row. */
test('reads charts and tables of whole minutes from roll-ups, without the rows', async () => {
  const { db, ledger } = await openFilled()
  const routerId = 'router_1'
  const report = (query: { routerId?: string; fromMs: number; bucketMs: number }) =>
    ledger.report({ ...query, toMs: 2 * dayMs, offsetMs: 0, group: 'model' })
  const ask = () =>
    Promise.all<unknown>([
      report({ fromMs: 0, bucketMs: dayMs }),
      report({ routerId, fromMs: 0, bucketMs: 60 * minuteMs }),
      report({ routerId, fromMs: 90 * minuteMs, bucketMs: minuteMs }),
      ledger.usage({ sinceMs: 0, group: 'model' }),
      ledger.usage({ sinceMs: dayMs - 7 * minuteMs, group: 'router' }),
      ledger.costsByDay({ owner: 'router', id: routerId, sinceMs: 0 }),
    ])
  const answers = await ask()
  const days = await ledger.usage({ sinceMs: 0, group: 'day' })
  expect(days.map(({ requests }) => requests)).toEqual([3324, 1676])

  db.exec('DELETE FROM requests')

  expect(await ask()).toEqual(answers)
})

test('lists the newest requests by an index, of all routers and of one', async () => {
  const { db, ledger } = await openFilled()
  const newest = await ledger.list({ limit: 2 })
  expect(newest.map(({ id }) => id)).toEqual(['request-4999', 'request-4998'])
  const plans = ['', 'WHERE router_id = ?'].map((where) =>
    db
      .prepare<unknown[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT id FROM requests ${where} ORDER BY started_at_ms DESC LIMIT 100`,
      )
      .all(...(where === '' ? [] : ['router_1']))
      .map(({ detail }) => detail),
  )
  expect(plans.flat().join()).not.toContain('TEMP B-TREE')
  expect(plans).toEqual([
    [expect.stringContaining('USING INDEX')],
    [expect.stringContaining('USING INDEX')],
  ])
})
