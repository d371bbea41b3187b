import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { openLedger } from './ledger.ts'

const rows = 100_000
const minuteMs = 60_000

/** A month of requests, one every 26 s, by five models over four routers. */
function openFilled() {
  const db = openDatabase({ dataDir: join(temporaryFolder(), 'ledger') })
  onTestFinished(() => void db.close())
  const ledger = openLedger(db)
  const group = Array.from({ length: rows }, (_, row) => [
    sampleRecord({
      id: `request-${row}`,
      routerId: `router_${row % 4}`,
      modelUsed: `openai:model-${row % 5}`,
      startedAtMs: row * 26_000,
      status: row % 50 === 0 ? 503 : 200,
    }),
    sampleDetail(),
  ])
  db.transaction(() => ledger.appendAll(JSON.stringify(group)))()
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

test('sums up 100,000 rows in less than a chart takes to be waited for', () => {
  const ledger = openFilled()
  const sinceMs = 0
  const whole = ledger.buckets({ sinceMs, bucketMs: 1440 * minuteMs })
  expect(whole.reduce((sum, { requests }) => sum + requests, 0)).toBe(rows)
  const routerId = 'router_1'
  const hourly = () => ledger.buckets({ routerId, sinceMs, bucketMs: 60 * minuteMs })
  const lastDay = () =>
    ledger.buckets({ routerId, sinceMs: (rows - 3323) * 26_000, bucketMs: minuteMs })
  expect(medianMs(hourly)).toBeLessThan(250)
  expect(medianMs(lastDay)).toBeLessThan(25)
  expect(medianMs(() => ledger.usage({ sinceMs, group: 'model' }))).toBeLessThan(500)
  expect(medianMs(() => ledger.list({ routerId, limit: 100 }))).toBeLessThan(25)
})
