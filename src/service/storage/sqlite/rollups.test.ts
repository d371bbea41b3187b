import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import type { RequestDetail } from '../../../shared/requests/detail.ts'
import { openDatabase } from './database.ts'
import { openSqliteLedger } from './ledger-parts.ts'
import { toRowValues, type LedgerRow } from '../sql/ledger-row.ts'
import { rollupsByRows, rollupsStored } from '../../../../test/storage/rollups-by-rows.ts'
import { resolutions } from '../sql/rollups.ts'
import { openWriteGroup } from './write-group.ts'

const { minuteMs, hourMs, dayMs } = resolutions

function openLedgerIn(folder: string) {
  const db = openDatabase({ dataDir: folder })
  onTestFinished(() => void db.close())
  const ledger = openSqliteLedger(db)
  const write = openWriteGroup(db)
  const append = (rows: readonly LedgerRow[]) =>
    write([() => ledger.appendAll(rows.map(toRowValues))])
  return { db, ledger, append }
}

const draw = (limit: number) => Math.floor(Math.random() * limit)

/** Draws a possible request, within four days. */
function drawRow(id: string): LedgerRow {
  const tokens = drawTokens()
  const prompt = tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0)
  const completion = tokens.output + (tokens.reasoning ?? 0)
  const record = sampleRecord({
    id,
    routerId: `router_${draw(3)}`,
    apiKeyId: pick([null, 'key-0', 'key-1']),
    modelUsed: pick([null, 'openai:0', 'openai:1', 'local:0']),
    startedAtMs: draw(4 * dayMs),
    status: pick([200, 200, 200, 404, 429, 499, 503]),
    fallbackFrom: pick([null, null, 'openai:2']),
    tag: pick([null, 'shop', 'blog']),
    costNanoUsd: draw(1e9),
    carbonGrams: Math.random() * 3,
    latencyMs: Math.random() * 10 ** draw(6),
    firstTokenMs: pick([null, Math.random() * 1000]),
    ...pick([
      { reportedPromptTokens: prompt, reportedCompletionTokens: completion },
      { ...unreported, estimatedPromptTokens: prompt, estimatedCompletionTokens: completion },
      unreported,
    ]),
  })
  return { record, detail: sampleDetail({ tokens }) }
}

const unreported = { reportedPromptTokens: null, reportedCompletionTokens: null }

function drawTokens(): RequestDetail['tokens'] {
  return {
    input: draw(100_000),
    cacheRead: pick([null, draw(10_000)]),
    cacheWrite: pick([null, 0, draw(1_000)]),
    output: draw(10_000),
    reasoning: pick([null, draw(1_000)]),
  }
}

function pick<Item>(items: readonly Item[]): Item {
  const [item] = items.slice(draw(items.length))
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

test('equal the sums of the rows, in groups of any size, on both sides of midnight', async () => {
  const { db, append } = openLedgerIn(join(temporaryFolder(), 'ledger'))
  let id = 0
  for (let group = 0; group < 120; group += 1)
    await append(Array.from({ length: 1 + draw(20) }, () => drawRow(String((id += 1)))))

  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
})

test('do not count a row that was refused, and keep the others of its group', async () => {
  const { db, append } = openLedgerIn(join(temporaryFolder(), 'ledger'))
  const [first, second] = [drawRow('first'), drawRow('second')]
  const outcomes = await append([first, drawRow('first'), second])

  expect(outcomes).toMatchObject([
    { ok: true, value: [{ index: 1, error: { name: 'StorageConflict' } }] },
  ])
  expect(db.prepare('SELECT count(*) FROM requests').pluck().get()).toBe(2)
  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
})

test('do not count a group that was rolled back', async () => {
  const { db, append } = openLedgerIn(join(temporaryFolder(), 'ledger'))
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON usage_rollups
           BEGIN SELECT raise(ROLLBACK, 'disk is full'); END`)
  expect(await append([drawRow('lost')])).toMatchObject([{ ok: false }])
  db.exec('DROP TRIGGER full')
  await append([drawRow('kept')])

  expect(db.prepare('SELECT id FROM requests').pluck().all()).toEqual(['kept'])
  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
})

test('give the same sums as the rows, from any moment on', async () => {
  const { db, ledger, append } = openLedgerIn(join(temporaryFolder(), 'ledger'))
  const rows = Array.from({ length: 1_500 }, (_, id) => drawRow(String(id)))
  for (let row = 0; row < rows.length; row += 50) await append(rows.slice(row, row + 50))

  const moments = [0, dayMs, 2 * dayMs + 1, dayMs + hourMs - 1, 3 * dayMs - minuteMs]
  for (const sinceMs of [...moments, ...Array.from({ length: 60 }, () => draw(4 * dayMs))]) {
    const expected = rows.filter(({ record }) => record.startedAtMs >= sinceMs)
    const days = await ledger.usage({ sinceMs, group: 'day' })
    expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(expected.length)
    const costNanoUsd = expected.reduce((sum, { record }) => sum + record.costNanoUsd, 0)
    const models = await ledger.usage({ sinceMs, group: 'model' })
    expect(models.reduce((sum, { costUsd }) => sum + Math.round(costUsd * 1e9), 0)).toBe(
      costNanoUsd,
    )
    for (const bucketMs of [7_000, 5 * minuteMs, 3 * hourMs, dayMs]) {
      const ofRouter = expected.filter(({ record }) => record.routerId === 'router_1')
      const starts = new Set(
        ofRouter.map(({ record }) => record.startedAtMs - (record.startedAtMs % bucketMs)),
      )
      const range = { fromMs: sinceMs, toMs: 10 * dayMs, bucketMs, offsetMs: 0 }
      const { points } = await ledger.report({ ...range, routerId: 'router_1', group: 'none' })
      expect(points.map(({ startMs }) => startMs)).toEqual([...starts].toSorted((a, b) => a - b))
      expect(points.reduce((sum, { total }) => sum + total.requests, 0)).toBe(ofRouter.length)
    }
  }
  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
})

test('sums stop at the largest exact number; rows and other sums continue', async () => {
  const { db, ledger, append } = openLedgerIn(join(temporaryFolder(), 'ledger'))
  const greatest = Number.MAX_SAFE_INTEGER
  const rowWith = (id: string, output: number, costNanoUsd: number): LedgerRow => ({
    record: sampleRecord({ id, costNanoUsd, startedAtMs: 0 }),
    detail: sampleDetail({ tokens: { ...drawTokens(), output } }),
  })
  for (const nth of [1, 2, 3])
    expect(await append([rowWith(`huge ${nth}`, greatest, greatest)])).toEqual([
      { ok: true, value: [] },
    ])

  expect(await append([rowWith('usual', 1, 1)])).toEqual([{ ok: true, value: [] }])

  const [usage] = await ledger.usage({ sinceMs: 0, group: 'day' })
  expect(usage).toMatchObject({ requests: 4, tokens: { output: greatest } })
  expect(await ledger.costsByDay({ owner: 'router', id: 'router_a', sinceMs: 0 })).toEqual([
    { dayStartMs: 0, costNanoUsd: greatest },
  ])
  expect(db.prepare('SELECT count(*) FROM requests').pluck().get()).toBe(4)
})
