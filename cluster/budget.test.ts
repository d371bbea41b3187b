/** A budget is never exceeded, whatever fails while it is spent. */
import { expect, test } from 'vitest'
import { row } from '../bench/row.ts'
import { errorReply, startFakeProvider, type FakeModel } from '../test/fake-provider.ts'
import { hello } from '../test/test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { startCluster, type Cluster } from './bed.ts'
import { endOf, isAcknowledged, startLoad, type Load } from './load.ts'
import { createRouterOf } from './router.ts'

const streams = amount({ quick: 60, full: 300 })
const budgetNanoUsd = 5_000_000_000
/** 0.02 US dollars for the longest answer. */
const maxTokens = 200
const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '100', '--context', '100000']
/** What a client may see while parts fail and when the budget is spent (docs/api.md). */
const documentedEnds = new Set([
  'cut',
  '402 budget_exceeded',
  '502 provider_error',
  '503 all_models_unavailable',
  '503 storage_unavailable',
  '503 overloaded',
])

test(
  'a budget holds under streams, aborts, failures, a killed node and a restarted Valkey',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const fake = await startFakeProvider({
      tls: false,
      models: { failing: (_request, nth) => failingModel(nth), good: () => answerOfAnyLength() },
    })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({ providers: { first: fake.url, second: fake.url } })
    await cluster.command('settings', 'set', 'durability', 'strict')
    const models = ['first:failing', 'second:good']
    for (const model of models) await cluster.command('model', 'add', model, ...figures)
    const router = await createRouterOf(cluster, models, ['--budget-usd-per-day', '5'])
    const [first] = cluster.nodes
    const ports = cluster.nodes.map(({ port }) => port)
    const load = startLoad(streams, (nth) => {
      const signal =
        nth % 7 === 0 ? AbortSignal.timeout(50 + Math.floor(Math.random() * 400)) : null
      return {
        port: ports[nth % ports.length] ?? 0,
        router,
        body: { ...hello, stream: true, max_tokens: maxTokens },
        ...(signal && { signal }),
      }
    })
    await spentAtLeast(cluster, budgetNanoUsd * 0.3)
    await first?.end('SIGKILL')
    await spentAtLeast(cluster, budgetNanoUsd * 0.5)
    await cluster.valkey.end('SIGKILL')
    await cluster.valkey.start()
    const killed = await oldestLease(cluster)
    const startedAt = performance.now()
    await first?.start()
    await isEnded(cluster, killed.holder)
    const endedAfterMs = performance.now() - startedAt
    await isExhausted(cluster, load)
    await load.stop()
    // The nodes write their last rows before they end.
    await Promise.all(cluster.nodes.map((node) => node.end('SIGTERM')))
    const { spent, wrong } = await compare(cluster, load)
    const heldBack = await leasesLeft(cluster)
    const ends = countEnds(load)
    expect([...ends.keys()].filter((end) => !documentedEnds.has(end))).toEqual([])
    expectMeasured([
      row('concurrent streams', [streams, '']),
      row('whole answers', [load.wholeCount(), ''], { target: { atLeast: 50 } }),
      row('aborted or cut', [ends.get('cut') ?? 0, ''], { target: { atLeast: 1 } }),
      ...[...ends].map(([end, count]) => row(`ended with ${end}`, [count, ''])),
      row('whole answers without exactly one row', [wrong, ''], { target: { atMost: 0 } }),
      row('recorded cost', [spent, 'nano-dollars'], { target: { atMost: budgetNanoUsd } }),
      row('lease of the killed node', [killed.nanoUsd, 'nano-dollars']),
      row('ended after the start of its next process', [endedAfterMs, 'ms'], {
        target: { atMost: 10_000 },
      }),
      row('of the budget spent', [percentOfBudget(spent), '%'], { target: { atLeast: 97 } }),
      row('still leased at the end', [heldBack, 'nano-dollars'], { target: { atMost: 0 } }),
    ])
  },
)

/** Refuses one in five requests, breaks one in nine before its text, and cuts one in eleven in the middle. */
function failingModel(nth: number): FakeModel {
  if (nth % 5 === 0) return { reply: errorReply(500) }
  if (nth % 9 === 0) return { fault: { kind: 'reset', afterEvents: 0 } }
  const answer = answerOfAnyLength()
  return nth % 11 === 0 ? { ...answer, fault: { kind: 'reset', afterEvents: 5 } } : answer
}

/** The last event reports the usage, at most what the request allows. */
function answerOfAnyLength(): FakeModel {
  const tokens = 1 + Math.floor(Math.random() * maxTokens)
  return {
    text: 'word '.repeat(tokens),
    chunks: Math.min(tokens, 20),
    chunkDelayMs: 10 + Math.random() * 20,
    usage: { prompt_tokens: 10, completion_tokens: tokens, total_tokens: tokens + 10 },
  }
}

async function spentAtLeast({ query }: Cluster, nanoUsd: number): Promise<void> {
  await expect.poll(() => spentBy(query), { timeout: 120_000 }).toBeGreaterThanOrEqual(nanoUsd)
}

/** Resolves when nothing more was spent for ten seconds. */
async function isExhausted({ query }: Cluster, load: Load): Promise<void> {
  let spent = -1
  let whole = -1
  await expect
    .poll(
      async () => {
        const before = { spent, whole }
        spent = await spentBy(query)
        whole = load.wholeCount()
        return before.spent === spent && before.whole === whole
      },
      { timeout: 300_000, interval: 10_000 },
    )
    .toBe(true)
}

async function spentBy(query: Cluster['query']): Promise<number> {
  const [sum] = await query<{ spent: string | null }>(
    'SELECT sum(cost_nano_usd) AS spent FROM requests',
  )
  return Number(sum?.spent ?? 0)
}

/** The other nodes renew theirs every second. */
async function oldestLease({ query }: Cluster) {
  const [holder] = await query<{ id: string; total: string | null }>(
    `SELECT id, (SELECT sum(nano_usd) FROM budget_leases WHERE holder = id AND period = 'day') AS total
     FROM lease_holders ORDER BY ends_at_ms LIMIT 1`,
  )
  return { holder: holder?.id ?? '', nanoUsd: Number(holder?.total ?? 0) }
}

async function isEnded({ query }: Cluster, holder: string): Promise<void> {
  const find = () => query('SELECT 1 FROM lease_holders WHERE id = $1', [holder])
  await expect.poll(find, { timeout: 60_000, interval: 100 }).toEqual([])
}

/** Every node returned its own when it ended, and the killed one its first process's when it started again. */
async function leasesLeft({ query }: Cluster): Promise<number> {
  const [sum] = await query<{ total: string | null }>(
    "SELECT sum(nano_usd) AS total FROM budget_leases WHERE period = 'day'",
  )
  return Number(sum?.total ?? 0)
}

function percentOfBudget(nanoUsd: number): number {
  return Math.floor((nanoUsd / budgetNanoUsd) * 100)
}

function countEnds({ answers }: Load): Map<string, number> {
  const counts = new Map<string, number>()
  for (const answer of answers)
    if (!isAcknowledged(answer)) counts.set(endOf(answer), (counts.get(endOf(answer)) ?? 0) + 1)
  return counts
}

async function compare({ query }: Cluster, load: Load) {
  const ids = load.answers.filter(isAcknowledged).map(({ requestId }) => requestId)
  const stored = await query<{ id: string; count: string }>(
    'SELECT id, count(*) AS count FROM requests WHERE id = ANY($1) GROUP BY id',
    [ids],
  )
  const once = new Set(stored.filter(({ count }) => count === '1').map(({ id }) => id))
  return { spent: await spentBy(query), wrong: ids.filter((id) => !once.has(id)).length }
}
