import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import {
  carbonInDetail,
  clientInDetail,
  detailToText,
  tokenNames,
  tokensInDetail,
} from './detail-text.ts'
import { columnNames, columnValues, recordColumns, toCounted, toRowValues } from './ledger-row.ts'
import { migrate } from './migrations/index.ts'

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
  const defined = [
    ...recordColumns.map(({ name, type }) => ({ name, type })),
    { name: 'detail', type: 'TEXT' },
  ]
  const byName = (rows: { name: string }[]) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(byName(columns)).toEqual(byName(defined))
})

test('has as many stored values as columns, and the counted fields match the record', () => {
  const record = sampleRecord({ isStreamed: true, costNanoUsd: 7, latencyMs: 12.5 })
  const tokens = { input: 1, cacheRead: 2, cacheWrite: null, output: 4, reasoning: 5 }
  const row = toRowValues({ record, detail: sampleDetail({ tokens }) })
  expect(columnValues(row)).toHaveLength(columnNames.length)
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
  const select = openMemory().prepare(`
    SELECT ${carbonInDetail('lowGrams')} AS low, ${carbonInDetail('highGrams')} AS high,
           ${clientInDetail} AS client FROM (SELECT ? AS detail)`)
  const expected = { low: 0.1, high: 0.4, client: 'OpenAI/JS 7.55.0' }
  expect(select.get(detailToText(detail))).toEqual(expected)
  expect(select.get(JSON.stringify(detail))).toEqual(expected)
})

test('SQL finds the tokens of a detail where they are written', () => {
  const tokens = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, reasoning: 5 }
  const list = tokenNames.map((name) => `${tokensInDetail(name)} AS ${name}`).join(', ')
  const select = openMemory().prepare(`SELECT ${list} FROM (SELECT ? AS detail)`)
  expect(select.get(detailToText(sampleDetail({ tokens })))).toEqual(tokens)
  expect(select.get(JSON.stringify({ tokens }))).toEqual(tokens)
})
