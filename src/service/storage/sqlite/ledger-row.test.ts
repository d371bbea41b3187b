import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import {
  carbonInDetail,
  clientInDetail,
  detailToText,
  tokenNames,
  tokensInDetail,
} from '../sql/detail-text.ts'
import { columnValues, ledgerColumns, toCounted, toRowValues } from '../sql/ledger-row.ts'
import { migrate } from './migrations/index.ts'
import { toSql } from './sqlite-sql.ts'

function openMemory() {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  return db
}

test('names every column of the table, with its type', () => {
  const db = openMemory()
  migrate(db, () => '')
  const columns = db
    .prepare<[], { name: string; type: string }>(
      "SELECT name, type FROM pragma_table_info('requests')",
    )
    .all()
  const byName = (rows: readonly { name: string }[]) =>
    rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(byName(columns)).toEqual(byName(ledgerColumns))
})

test('has as many stored values as columns, and the counted fields match the record', () => {
  const record = sampleRecord({ isStreamed: true, costNanoUsd: 7, latencyMs: 12.5 })
  const tokens = { input: 1, cacheRead: 2, cacheWrite: null, output: 4, reasoning: 5 }
  const row = toRowValues({ record, detail: sampleDetail({ tokens }) })
  expect(columnValues(row)).toHaveLength(ledgerColumns.length)
  expect(toCounted(row)).toEqual({
    request: expect.objectContaining({
      costNanoUsd: 7,
      latencyMs: 12.5,
      routerId: record.routerId,
    }),
    detail: { tokens, carbon: { lowGrams: 0.1, highGrams: 0.4 } },
  })
})

test('SQL finds the carbon bounds and the client of a detail where they are written', () => {
  const detail = sampleDetail()
  const db = openMemory()
  const { dialect } = toSql(db)
  const select = db.prepare(`
    SELECT ${carbonInDetail(dialect, 'lowGrams')} AS low,
           ${carbonInDetail(dialect, 'highGrams')} AS high, ${clientInDetail(dialect)} AS client FROM (SELECT ? AS detail)`)
  const expected = { low: 0.1, high: 0.4, client: 'OpenAI/JS 7.55.0' }
  expect(select.get(detailToText(detail))).toEqual(expected)
})

test('SQL finds the tokens of a detail where they are written', () => {
  const tokens = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, reasoning: 5 }
  const db = openMemory()
  const { dialect } = toSql(db)
  const list = tokenNames.map((name) => `${tokensInDetail(dialect, name)} AS ${name}`).join(', ')
  const select = db.prepare(`SELECT ${list} FROM (SELECT ? AS detail)`)
  expect(select.get(detailToText(sampleDetail({ tokens })))).toEqual(tokens)
})
