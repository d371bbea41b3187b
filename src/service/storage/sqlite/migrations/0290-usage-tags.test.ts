import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail } from '../../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { detailToText } from '../../sql/detail-text.ts'
import { migrate, migrations } from './index.ts'

const before = migrations.slice(0, 28)

test('older requests and roll-ups keep their figures, and their errors are told apart', () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  migrate(db, copyTo, before)
  const attempt = { startedMs: 0, tookMs: 9, status: null, message: null }
  const detail = sampleDetail({
    attempts: [
      { model: 'a:down', outcome: 'unavailable', ...attempt },
      { model: 'a:b', outcome: 'answered', ...attempt },
    ],
  })
  const insert = db.prepare(
    `INSERT INTO requests (id, router_id, source, started_at_ms, status, model_used,
       router_decision, is_streamed, attempts, cost_nano_usd, latency_ms, carbon_grams, detail)
     VALUES (?, 'router_a', 'api', 1, ?, 'a:b', 'priority', 0, 2, 5, 2.5, 0.1, ?)`,
  )
  const statuses = [200, 200, 404, 429, 499, 499, 503]
  for (const [id, status] of statuses.entries())
    insert.run(String(id), status, id === 0 ? detailToText(detail) : null)
  db.exec(`
    INSERT INTO usage_rollups VALUES
      (86400000, 0, 'router_a', 'a:b', '', 8, 6, 0, 1, 2, 3, 4, 5, 40, 900, 7, 7, 7, x'', x''),
      (86400000, 0, 'router_b', 'a:b', '', 3, 2, 0, 1, 2, 3, 4, 5, 40, 900, 7, 7, 7, x'', x'')`)

  migrate(db, copyTo, migrations.slice(0, 29))

  const rollups = db.prepare(`
    SELECT tag, requests, errors, limited, aborted, failed, fallbacks, cost_nano_usd AS cost,
           carbon_low_nanograms AS low, carbon_high_nanograms AS high
    FROM usage_rollups ORDER BY router_id`)
  const kept = { tag: '', cost: 40, low: 900, high: 900 }
  expect(rollups.all()).toEqual([
    // One of its rows was deleted before.
    { ...kept, requests: 8, errors: 6, limited: 1, aborted: 2, failed: 2, fallbacks: 1 },
    { ...kept, requests: 3, errors: 2, limited: 0, aborted: 0, failed: 2, fallbacks: 0 },
  ])
  const fallbacks = db.prepare(`
    SELECT fallback_from AS model, fallback_reason AS reason FROM requests
    WHERE fallback_from IS NOT NULL`)
  expect(fallbacks.all()).toEqual([{ model: 'a:down', reason: 'unavailable' }])
})
