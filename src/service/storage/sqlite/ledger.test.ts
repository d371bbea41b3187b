import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { openLedger } from './ledger.ts'
import { toRowValues } from './ledger-row.ts'
import { openRollups } from './rollups.ts'
import { openWriteGroup } from './write-group.ts'

const rows = 100_000
const minuteMs = 60_000

/** A month of requests, one every 26 s, by five models over four routers. */
function openFilled() {
  const db = openDatabase({ dataDir: join(temporaryFolder(), 'ledger') })
  onTestFinished(() => void db.close())
  const rollups = openRollups(db)
  const ledger = openLedger(db, rollups)
  const write = openWriteGroup(db, rollups)
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
  write([() => ledger.appendAll(group.map(toRowValues))])
  return ledger
}

function medianMs(run: () => unknown): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  return times.toSorted((left, right) => left - right)[2] ?? Infinity
}

test('sums up 100,000 rows in 50 ms', { timeout: 60_000 }, () => {
  const ledger = openFilled()
  const sinceMs = 0
  const whole = ledger.buckets({ sinceMs, bucketMs: 1440 * minuteMs })
  expect(whole.reduce((sum, { requests }) => sum + requests, 0)).toBe(rows)
  const routerId = 'router_1'
  const hourly = () => ledger.buckets({ routerId, sinceMs, bucketMs: 60 * minuteMs })
  const lastDay = () =>
    ledger.buckets({ routerId, sinceMs: (rows - 3323) * 26_000, bucketMs: minuteMs })
  const monthly = () => ledger.usage({ sinceMs, group: 'model' })
  // In the middle of everything: from rows over minutes and hours to days.
  const sinceNoon = () => ledger.usage({ sinceMs: 5 * 86_400_000 + 43_217_001, group: 'router' })
  expect(medianMs(hourly)).toBeLessThan(50)
  expect(medianMs(lastDay)).toBeLessThan(50)
  expect(medianMs(monthly)).toBeLessThan(50)
  expect(medianMs(sinceNoon)).toBeLessThan(50)
  expect(medianMs(() => ledger.list({ routerId, limit: 100 }))).toBeLessThan(25)
})
