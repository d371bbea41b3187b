import { expect, onTestFinished, test } from 'vitest'
import { rollupsByRows, rollupsStored } from '../../../../test/storage/rollups-by-rows.ts'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { toRowValues } from '../sql/ledger-row.ts'
import { openSqliteLedger } from './ledger-parts.ts'
import { openMaintenance } from './maintenance.ts'
import { resolutions } from '../sql/rollups.ts'
import { openWriteGroup } from './write-group.ts'

const { minuteMs, hourMs, dayMs } = resolutions

/** Four days with eight requests each. */
async function openWithRequests() {
  const db = openDatabase({ dataDir: temporaryFolder() })
  onTestFinished(() => void db.close())
  const ledger = openSqliteLedger(db)
  const rows = Array.from({ length: 32 }, (_, index) => ({
    record: sampleRecord({ id: `${index}`, startedAtMs: index * 3 * hourMs, costNanoUsd: index }),
    detail: sampleDetail(),
  }))
  await openWriteGroup(db)([() => ledger.appendAll(rows.map(toRowValues))])
  return { db, maintenance: openMaintenance(db) }
}

test('rebuilds minutes, hours and days of every day whose totals differ', async () => {
  const { db, maintenance } = await openWithRequests()
  db.exec(`
    UPDATE usage_rollups SET requests = requests + 1, output_tokens = 0 WHERE start_ms < ${dayMs};
    DELETE FROM usage_rollups WHERE start_ms >= ${3 * dayMs};`)
  expect((await maintenance.check('full')).daysThatDiffer).toEqual(['1970-01-04', '1970-01-01'])

  expect(await maintenance.rebuildTotals()).toEqual(['1970-01-04', '1970-01-01'])

  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
  expect((await maintenance.check('full')).daysThatDiffer).toEqual([])
})

test('does not change days without a difference', async () => {
  const { db, maintenance } = await openWithRequests()
  db.exec('UPDATE usage_rollups SET output_tokens = 7')
  const before = rollupsStored(db)

  expect(await maintenance.rebuildTotals()).toEqual([])

  expect(rollupsStored(db)).toEqual(before)
})

test('keeps the totals of days whose requests were deleted, and does not bring back old minutes', async () => {
  const { db, maintenance } = await openWithRequests()
  db.exec(`
    DELETE FROM requests WHERE started_at_ms < ${dayMs};
    DELETE FROM usage_rollups WHERE length_ms = ${minuteMs} AND start_ms < ${2 * dayMs};
    UPDATE ledger_kept SET rows_from_ms = ${dayMs}, minutes_from_ms = ${2 * dayMs};`)
  const before = rollupsStored(db)
  db.exec(`UPDATE usage_rollups SET requests = 0 WHERE start_ms >= ${dayMs}`)

  expect(await maintenance.rebuildTotals()).toEqual(['1970-01-04', '1970-01-03', '1970-01-02'])

  expect(rollupsStored(db)).toEqual(before)
})
