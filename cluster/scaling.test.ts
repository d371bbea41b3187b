/** What several nodes answer, what their engines cost, and that neither slows down a request. */
import type { TestContext } from 'vitest'
import { expect, test } from 'vitest'
import { loadWith, type Target } from '../bench/load.ts'
import { median } from '../bench/quantile.ts'
import { row } from '../bench/row.ts'
import type { Measurement } from '../bench/measurement.ts'
import { startServer, stop } from '../bench/servers/start.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { readExposition } from '../test/figures/read-exposition.ts'
import { startCluster, startSingleNode, type Cluster, type ClusterNode } from './bed.ts'
import { newProcessorGroup, type ProcessorGroup } from './processor-group.ts'
import { createRouter, type ClusterRouter } from './router.ts'
import { measureThroughput, type Throughput } from './throughput.ts'

/** Share of one core for each node: three nodes, the engines and the load fit into two cores. */
const share = 0.2
const rounds = amount({ quick: 1, full: 5 })
const roundMs = amount({ quick: 500, full: 4_000 })
const latencyRounds = amount({ quick: 2, full: 24 })
const latencyRoundMs = amount({ quick: 300, full: 500 })
const warmUpMs = amount({ quick: 3_000, full: 4_000 })
/** Connections of each node, so that it always has a request to work on. */
const connections = 16

/** Limits of both kinds, so that leases are on the path; too large to be reached. */
const limits = ['--daily-limit', '10000000', '--budget-usd-per-day', '1000000']

const sides = ['oneAlone', 'threeAlone', 'one', 'two', 'three'] as const
type Side = (typeof sides)[number]
type Round = Record<Side, Throughput>

test(
  'nodes on PostgreSQL and Valkey answer about as many requests as nodes on SQLite, and as fast',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const { alone, nodes, groups, pendingRows } = await startSides(onTestFinished)
    for (const target of [...alone, ...nodes]) await loadWith(target, connections, warmUpMs)
    const latencies = await compareLatencies(alone, nodes)
    for (const group of groups.nodes) group.setShare(share)
    const all = {
      oneAlone: alone.slice(0, 1),
      threeAlone: alone,
      one: nodes.slice(0, 1),
      two: nodes.slice(0, 2),
      three: nodes,
    }
    const measured: Round[] = []
    for (let number = 0; number < rounds; number += 1) {
      // The order changes, so that no side always gets the busier computer.
      const order = number % 2 === 0 ? sides : sides.toReversed()
      const loads: Partial<Round> = {}
      for (const side of order)
        loads[side] = await measureThroughput({
          targets: all[side],
          connections,
          durationMs: roundMs,
          groups: [...groups.nodes, ...groups.others],
        })
      // Every side is in `order`.
      measured.push(loads as Round)
    }
    // Rows are stored beside the requests, and not left for later.
    await expect.poll(pendingRows).toBe(0)
    expectMeasured([...latencies, ...throughputRows(measured)])
  },
)

/** Three nodes with an SQLite database each, and three on one PostgreSQL; each process in a group of its own. */
async function startSides(onTestFinished: TestContext['onTestFinished']) {
  const upstream = await startServer('upstream.ts')
  onTestFinished(() => stop(upstream.child))
  const providers = { mine: `http://127.0.0.1:${upstream.port}/v1` }
  const singles = []
  for (let number = 1; number <= 3; number += 1)
    singles.push(await startSingleNode({ name: `SQLite node ${number}`, providers }))
  const cluster = await startCluster({ providers })
  const started = await Promise.all(
    [...singles, cluster].map(async (side) => {
      // When the router is returned, all nodes know its key, and therefore also the key created before.
      const pendingRows = await openPendingRows(side)
      const router = await createRouter(side, ['mine:bench'], limits)
      return { pendingRows, targets: side.nodes.map((node) => targetOf(node, router)) }
    }),
  )
  const groupOf = (name: string, pid: number): ProcessorGroup => {
    const group = newProcessorGroup(name)
    group.add(pid)
    return group
  }
  const { postgres, pgBouncer, valkey } = cluster
  const nodes = [...singles, cluster].flatMap((side) => side.nodes)
  const others = [postgres, pgBouncer, valkey].map((part) => groupOf(part.name, part.pid()))
  others.push(groupOf('provider', upstream.child.pid ?? 0))
  return {
    alone: started.slice(0, -1).flatMap(({ targets }) => targets),
    nodes: started.slice(-1).flatMap(({ targets }) => targets),
    groups: { nodes: nodes.map((node) => groupOf(node.name, node.pid())), others },
    async pendingRows() {
      const counts = await Promise.all(started.map((side) => side.pendingRows()))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** @returns a function that counts the finished requests that the nodes have not stored yet */
async function openPendingRows({ command, nodes }: Pick<Cluster, 'command' | 'nodes'>) {
  const [key] = await command('key', 'create', '--name', 'Metrics', '--metrics', '--routers', 'all')
  const headers = { authorization: `Bearer ${String(key?.['key'])}` }
  return async () => {
    const counts = nodes.map(async ({ port }) => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
      return readExposition(await response.text()).valueOf('modelport_ledger_pending_rows')
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }
}

function targetOf(node: ClusterNode, { id, apiKey }: ClusterRouter): Target {
  return {
    port: node.port,
    ca: null,
    pid: node.pid(),
    path: `/api/router/${id}/chat/completions`,
    headers: { authorization: `Bearer ${apiKey}` },
    marker: '"_meta":{"modelUsed":"mine:bench"',
  }
}

/** Loads below what a node can answer. At its limit, requests wait for each other, and the p50 shows only their number. */
const calmLoads = [
  { at: 'at 1 connection', connections: 1 },
  { at: 'at 16 connections with pauses of 16 ms', connections: { count: 16, pauseMs: 16 } },
] as const

/** Compares latencies without a share, which would make each request wait for its node's next turn. */
async function compareLatencies(
  [single]: readonly Target[],
  [node]: readonly Target[],
): Promise<Measurement[]> {
  if (single === undefined || node === undefined) throw new Error('no node')
  const rows: Measurement[] = []
  for (const { at, connections: load } of calmLoads) {
    const singleMs: number[] = []
    const addedMs: number[] = []
    for (let number = 0; number < latencyRounds; number += 1) {
      const order = number % 2 === 0 ? [single, node] : [node, single]
      const p50s = new Map<Target, number>()
      for (const target of order)
        p50s.set(target, median((await loadWith(target, load, latencyRoundMs)).latenciesMs))
      const ownMs = p50s.get(single) ?? NaN
      singleMs.push(ownMs)
      addedMs.push((p50s.get(node) ?? NaN) - ownMs)
    }
    rows.push(
      row(`p50 of a node on SQLite ${at}`, [median(singleMs), 'ms']),
      row(`added by PostgreSQL and Valkey ${at}`, [median(addedMs), 'ms'], {
        target: { atMost: 0.1 },
      }),
    )
  }
  return rows
}

function throughputRows(measured: readonly Round[]): Measurement[] {
  const of = (figure: (round: Round) => number) => median(measured.map(figure))
  const rate = (side: Side) => of((round) => round[side].requestsPerSecond)
  const multiple = (side: Side, base: Side) =>
    of((round) => round[side].requestsPerSecond / round[base].requestsPerSecond)
  const cpu = (side: Side, group: string) => of((round) => round[side].cpuUs[group] ?? NaN)
  const cores = (group: string) => of(({ three }) => three.cores[group] ?? NaN)
  return [
    row(`requests/s of one SQLite node at ${share} cores`, [rate('oneAlone'), '']),
    row('of three such nodes, each on its own database', [rate('threeAlone'), '']),
    row('of one node on PostgreSQL and Valkey', [rate('one'), '']),
    row('of two nodes', [rate('two'), '']),
    row('of three nodes', [rate('three'), '']),
    row('one node, multiple of one SQLite node', [multiple('one', 'oneAlone'), 'x'], {
      target: { atLeast: 0.85 },
    }),
    row('two nodes', [multiple('two', 'oneAlone'), 'x']),
    row('three nodes', [multiple('three', 'oneAlone'), 'x']),
    row('three SQLite nodes', [multiple('threeAlone', 'oneAlone'), 'x']),
    row('three nodes, multiple of three SQLite nodes', [multiple('three', 'threeAlone'), 'x'], {
      target: { atLeast: 0.85 },
    }),
    row('processor time per request, SQLite node', [cpu('oneAlone', 'SQLite node 1'), 'µs']),
    row('node on PostgreSQL and Valkey', [cpu('one', 'node 1'), 'µs']),
    ...['PostgreSQL', 'PgBouncer', 'Valkey'].map((name) => row(name, [cpu('three', name), 'µs'])),
    // Otherwise the figures would show the load's limit, not the nodes'.
    row('of its share that a node of three used', [cores('node 1') / share, ''], {
      target: { atLeast: 0.9 },
    }),
    row('of a core that the load used', [of(({ three }) => three.loadCores), '']),
    row('of a core that the provider used', [cores('provider'), '']),
    row('of the computer in use', [of(({ three }) => three.computerShare), '']),
  ]
}
