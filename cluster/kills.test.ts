/** A kill of any process loses no answer, and the cluster recovers. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { row } from '../bench/row.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { hello } from '../test/test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { startCluster, type Cluster } from './bed.ts'
import { endOf, isAcknowledged, startLoad } from './load.ts'
import { createRouter } from './router.ts'

const kills = amount({ quick: 7, full: 30 })
/** The cluster has recovered after this many whole answers. */
const answersOfRecovery = 30
/** What a client may see while a part is gone (docs/operations.md). */
const documentedEnds = new Set([
  'cut',
  '502',
  '503',
  '504',
  '503 storage_unavailable',
  '503 overloaded',
])

test(
  'kills of any process lose no acknowledged answer',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const fake = await startFakeProvider({ tls: false, models: { fast: {} } })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({ providers: { mine: fake.url } })
    await cluster.command('settings', 'set', 'durability', 'strict')
    const router = await createRouter(cluster, ['mine:fast'], ['--daily-limit', '10000000'])
    const { port } = cluster.haProxy
    const load = startLoad(24, (nth) => ({
      port,
      router,
      body: nth % 2 === 0 ? hello : { ...hello, stream: true },
    }))
    const recoveries = new Map<string, number[]>()
    const { postgres, pgBouncer, valkey, haProxy, nodes } = cluster
    const parts = [...nodes, postgres, pgBouncer, valkey, haProxy]
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(500 + Math.random() * 1_000)
      const part = parts[kill % parts.length]
      if (part === undefined) throw new Error('no part')
      const killedAt = performance.now()
      await part.end('SIGKILL')
      await part.start()
      const before = load.wholeCount()
      while (
        load.wholeCount() < before + answersOfRecovery &&
        performance.now() < killedAt + 60_000
      )
        await pause(10)
      const recoveryMs = performance.now() - killedAt
      recoveries.set(part.name, [...(recoveries.get(part.name) ?? []), recoveryMs])
    }
    await load.stop()
    const acknowledged = load.answers.filter(isAcknowledged).map(({ requestId }) => requestId)
    const rows = await rowsOf(cluster, acknowledged)
    const ends = new Set(load.answers.filter((answer) => !isAcknowledged(answer)).map(endOf))
    expect([...ends].filter((end) => !documentedEnds.has(end))).toEqual([])
    expectMeasured([
      row('kills', [[...recoveries.values()].flat().length, ''], { target: { atLeast: kills } }),
      row('whole answers', [acknowledged.length, ''], { target: { atLeast: kills * 30 } }),
      row('of these without exactly one row', [rows.wrong, ''], { target: { atMost: 0 } }),
      ...[...recoveries].map(([name, timesMs]) =>
        row(`slowest recovery after a kill of ${name}`, [Math.max(...timesMs), 'ms'], {
          target: { atMost: 5_000 },
        }),
      ),
      row('days whose totals differ from their rows', [rows.differingDays, ''], {
        target: { atMost: 0 },
      }),
    ])
  },
)

/** Rows are stored before the answer ends, so none may be missing. */
async function rowsOf({ query }: Cluster, ids: readonly string[]) {
  const stored = await query<{ id: string; count: string }>(
    'SELECT id, count(*) AS count FROM requests WHERE id = ANY($1) GROUP BY id',
    [ids],
  )
  const once = new Set(stored.filter(({ count }) => Number(count) === 1).map(({ id }) => id))
  const differing = await query(`
    SELECT 1 FROM (
      SELECT sum(requests) AS requests, sum(cost_nano_usd) AS cost FROM usage_rollups
      WHERE length_ms = 86400000
    ) AS totals, (SELECT count(*) AS requests, sum(cost_nano_usd) AS cost FROM requests) AS rows
    WHERE totals.requests <> rows.requests OR totals.cost <> rows.cost`)
  return { wrong: ids.filter((id) => !once.has(id)).length, differingDays: differing.length }
}
