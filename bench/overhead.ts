/**
 * What the service adds to a request, against a bare Node pass-through over TLS in the same run:
 * everything on (TLS keep-alive, key check, routing, daily limit, ledger), the two in turn for five
 * rounds. The median of the rounds is compared, so that one noisy round decides nothing.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTestCertificate } from '../test/fake-provider/certificate.ts'
import { openWorkspace } from '../src/service/workspace.ts'
import { loadWith, type Load, type Target } from './load.ts'
import { median, quantile } from './quantile.ts'
import type { Measurement } from './run.ts'
import { startServe, startServer, stop } from './servers/start.ts'

const rounds = 5
const roundMs = 2_500
const warmUpMs = 3_000
const manyConnections = 16
/** Issue 3's limit; the goals are those of the complete request path. */
const addedP50LimitMs = 2

interface Sides<Of> {
  bare: Of
  modelport: Of
}

/** One turn of both sides at one connection and at many. */
interface Round {
  one: Sides<Load>
  many: Sides<Load>
}

export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream')
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  const bare = await startBare(upstreamUrl)
  const service = await startModelport(folder, upstreamUrl)
  const targets = { bare: bare.target, modelport: service.target }
  const warmUp = await measureRound(targets, warmUpMs, sides)
  const measured: Round[] = []
  for (let number = 1; number <= rounds; number += 1) {
    // Who is first changes, so that neither always has the busier machine.
    const order = number % 2 === 0 ? sides : sides.toReversed()
    const round = await measureRound(targets, roundMs, order)
    printRound(number, round)
    measured.push(round)
  }
  for (const child of [service.child, bare.child, upstream.child]) await stop(child)
  const rowsPerAnswer = (await countLedger(folder)) / countAnswers([warmUp, ...measured])
  await rm(folder, { recursive: true })
  return [
    ...compare(measured),
    { what: 'ledger rows per answer', unit: '', measured: rowsPerAnswer, target: { atLeast: 1 } },
  ]
}

const sides = ['bare', 'modelport'] as const

async function startBare(upstream: string) {
  const { ca, cert, key } = await makeTestCertificate()
  const env = { BENCH_UPSTREAM: upstream, BENCH_CERT: cert, BENCH_KEY: key }
  const { port, child } = await startServer('pass-through', env)
  const pid = child.pid ?? 0
  const target: Target = { port, pid, ca, path: '/', headers: {}, marker: '"usage":' }
  return { target, child }
}

async function startModelport(dataDir: string, upstream: string) {
  const { routerId, key } = await prepareRouter(dataDir, upstream)
  const { url, caFile, child } = await startServe(dataDir, {})
  const target: Target = {
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    ca: await readFile(caFile, 'utf8'),
    path: `/api/router/${routerId}/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    marker: '"_meta":{"modelUsed":"bench:bench"',
  }
  return { target, child }
}

async function prepareRouter(dataDir: string, upstream: string) {
  const workspace = await openOwnWorkspace(dataDir)
  const { dashboard } = workspace
  await dashboard.addProvider({
    id: 'bench',
    type: 'openai-compatible',
    baseUrl: `${upstream}/v1`,
  })
  await dashboard.saveModel({
    id: 'bench:bench',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
  })
  const router = await dashboard.createRouter({
    name: 'Bench',
    strategy: 'cost_optimized',
    models: ['bench:bench'],
    tier: 'enterprise',
    dailyLimit: 10_000_000,
  })
  const { key } = await dashboard.createApiKey({ name: 'Bench', routers: 'all' })
  await workspace.close()
  return { routerId: router.id, key }
}

function openOwnWorkspace(dataDir: string) {
  return openWorkspace({ dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: {} })
}

async function measureRound(
  targets: Sides<Target>,
  durationMs: number,
  order: readonly (keyof Sides<Target>)[],
): Promise<Round> {
  const measure = async (connections: number): Promise<Sides<Load>> => {
    const [first = 'bare', second = 'modelport'] = order
    const firstLoad = await loadWith(targets[first], connections, durationMs)
    const secondLoad = await loadWith(targets[second], connections, durationMs)
    return first === 'bare'
      ? { bare: firstLoad, modelport: secondLoad }
      : { bare: secondLoad, modelport: firstLoad }
  }
  return { many: await measure(manyConnections), one: await measure(1) }
}

async function countLedger(dataDir: string): Promise<number> {
  const workspace = await openOwnWorkspace(dataDir)
  const rows = await workspace.storage.ledger.usage({ sinceMs: 0, group: 'router' })
  await workspace.close()
  return rows.reduce((count, { requests }) => count + requests, 0)
}

function countAnswers(measured: readonly Round[]): number {
  return measured.reduce(
    (count, { one, many }) =>
      count + one.modelport.latenciesMs.length + many.modelport.latenciesMs.length,
    0,
  )
}

type Figure = (load: Load) => number
const p50: Figure = ({ latenciesMs }) => median(latenciesMs)
const p99: Figure = ({ latenciesMs }) => quantile(latenciesMs, 0.99)
const rate: Figure = ({ requestsPerSecond }) => requestsPerSecond
const cpu: Figure = ({ cpuUsPerRequest }) => cpuUsPerRequest ?? Number.NaN

function compare(measured: readonly Round[]): Measurement[] {
  const one = measured.map((round) => round.one)
  const many = measured.map((round) => round.many)
  const of = (side: keyof Sides<Load>, figure: Figure) =>
    median(one.map((loads) => figure(loads[side])))
  const added = (figure: Figure) => of('modelport', figure) - of('bare', figure)
  // The median of the rounds' own ratios: both sides of one were measured within seconds.
  const ratio = (loads: readonly Sides<Load>[], figure: Figure) =>
    median(loads.map(({ bare, modelport }) => figure(modelport) / figure(bare)))
  const at = `at ${manyConnections} connections`
  return [
    { what: 'bare pass-through p50', unit: 'ms', measured: of('bare', p50), target: null },
    { what: 'modelport p50', unit: 'ms', measured: of('modelport', p50), target: null },
    {
      what: 'added p50',
      unit: 'ms',
      measured: added(p50),
      target: { atMost: addedP50LimitMs },
      goal: { atMost: 0.1 },
    },
    { what: 'added p99', unit: 'ms', measured: added(p99), target: null, goal: { atMost: 0.6 } },
    {
      what: 'throughput at 1 connection, share of bare',
      unit: '%',
      measured: ratio(one, rate) * 100,
      target: null,
    },
    {
      what: `throughput ${at}, share of bare`,
      unit: '%',
      measured: ratio(many, rate) * 100,
      target: null,
      goal: { atLeast: 72 },
    },
    {
      what: `processor time ${at}, multiple of bare`,
      unit: 'x',
      measured: ratio(many, cpu),
      target: null,
      goal: { atMost: 1.4 },
    },
  ]
}

function printRound(number: number, { one, many }: Round): void {
  for (const side of sides) {
    const latency = `p50 ${p50(one[side]).toFixed(3)} ms  p99 ${p99(one[side]).toFixed(3)} ms`
    const rates = `${rate(one[side]).toFixed(0)} requests/s at 1, ${rate(many[side]).toFixed(0)} at ${manyConnections}`
    process.stdout.write(
      `round ${number}  ${side.padEnd(9)}  ${latency}  ${rates}, ${cpu(many[side]).toFixed(0)} µs of processor each\n`,
    )
  }
}
