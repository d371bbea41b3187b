/** SQLite without a free page, which gives the error of a full disk: `SQLITE_FULL`. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rollupsByRows, rollupsStored } from '../../../../test/storage/rollups-by-rows.ts'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { openSqliteLedger } from './ledger-parts.ts'
import { toRowValues } from '../sql/ledger-row.ts'
import { openWriteGroup } from './write-group.ts'

function openFull() {
  const db = openDatabase({ dataDir: join(temporaryFolder(), 'ledger') })
  onTestFinished(() => void db.close())
  const ledger = openSqliteLedger(db)
  const run = openWriteGroup(db)
  const append = (from: number) => () =>
    ledger.appendAll(
      Array.from({ length: 100 }, (_, index) =>
        toRowValues({ record: sampleRecord({ id: `${from + index}` }), detail: sampleDetail() }),
      ),
    )
  const pages = db.pragma('page_count', { simple: true })
  const setMaxPages = (count: unknown) => db.pragma(`max_page_count = ${String(count)}`)
  const rowCount = () => db.prepare('SELECT count(*) FROM requests').pluck().get()
  setMaxPages(pages)
  return { db, run, append, setMaxPages, rowCount }
}

const unavailable = { ok: false, failure: { name: 'StorageUnavailable', code: 'SQLITE_FULL' } }

test('refuses a whole group of rows that does not fit, and stores it when it is sent again', async () => {
  const { db, run, append, setMaxPages, rowCount } = openFull()
  expect(await run([append(0)])).toMatchObject([unavailable])
  expect(rowCount()).toBe(0)

  setMaxPages(1_000_000)

  expect(await run([append(0)])).toEqual([{ ok: true, value: [] }])
  expect(rowCount()).toBe(100)
  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
})

test('reports no write of a group as done when the disk was full for one of them', async () => {
  const { run, append, rowCount } = openFull()
  expect(await run([append(0), append(100)])).toMatchObject([unavailable, unavailable])
  expect(rowCount()).toBe(0)
})
