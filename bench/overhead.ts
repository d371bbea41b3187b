/**
 * What the service adds to a request, against a bare Node pass-through over TLS in the same run:
 * everything on (TLS keep-alive, key check, routing, daily limit, ledger), the two in turn for five
 * rounds. The median of the rounds is compared, so that one noisy round decides nothing.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { makeTestCertificate } from '../test/fake-provider/certificate.ts'
import { openWorkspace } from '../src/service/workspace.ts'
import type { Measurement } from './run.ts'
import { startServe, startServer, stop } from './servers/start.ts'

const rounds = 5
const warmUpRequests = 3_000
const latencyRequests = 2_000
const throughputRequests = 4_000
const throughputConnections = 16
/** Issue 3's limit; the goal of study figures is 0.1 ms. */
const addedP50LimitMs = 2

const body = JSON.stringify({
  messages: [{ role: 'user', content: 'What is a router? '.repeat(8) }],
})

interface Target {
  name: 'bare' | 'modelport'
  origin: string
  ca: string
  path: string
  headers: Record<string, string>
}

interface Round {
  p50Ms: number
  p99Ms: number
  requestsPerSecond: number
}

export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream')
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  const bare = await startBare(upstreamUrl)
  const service = await startModelport(folder, upstreamUrl)
  const targets = [bare.target, service.target]
  const measured = new Map<string, Round[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await load(target, 1, warmUpRequests)
  for (let round = 1; round <= rounds; round += 1) {
    for (const target of targets) {
      const result = await measure(target)
      measured.get(target.name)?.push(result)
      printRound(round, target, result)
    }
  }
  for (const child of [service.child, bare.child, upstream.child]) await stop(child)
  await rm(folder, { recursive: true })
  return compare(measured.get('bare') ?? [], measured.get('modelport') ?? [])
}

async function startBare(upstream: string) {
  const { ca, cert, key } = await makeTestCertificate()
  const env = { BENCH_UPSTREAM: upstream, BENCH_CERT: cert, BENCH_KEY: key }
  const { port, child } = await startServer('pass-through', env)
  const origin = `https://localhost:${port}`
  const target: Target = { name: 'bare', origin, ca, path: '/', headers: {} }
  return { target, child }
}

async function startModelport(dataDir: string, upstream: string) {
  const { routerId, key } = await prepareRouter(dataDir, upstream)
  const { url, caFile, child } = await startServe(dataDir, {})
  const target: Target = {
    name: 'modelport',
    origin: url,
    ca: await readFile(caFile, 'utf8'),
    path: `/api/router/${routerId}/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
  }
  return { target, child }
}

async function prepareRouter(dataDir: string, upstream: string) {
  const workspace = await openWorkspace({
    dataDir,
    cacheDir: dataDir,
    allowSessionSecrets: true,
    env: {},
  })
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

async function measure(target: Target): Promise<Round> {
  const latencies = (await load(target, 1, latencyRequests)).latenciesMs.toSorted((a, b) => a - b)
  const busy = await load(target, throughputConnections, throughputRequests)
  return {
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    requestsPerSecond: throughputRequests / (busy.tookMs / 1000),
  }
}

/** Sends the requests over so many keep-alive connections, each with one request at a time. */
async function load(target: Target, connections: number, requests: number) {
  const pool = new Pool(target.origin, { connections, connect: { ca: target.ca } })
  const latenciesMs: number[] = []
  let left = requests
  const startedAt = performance.now()
  const client = async () => {
    while (left > 0) {
      left -= 1
      const sentAt = performance.now()
      await send(pool, target)
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  const tookMs = performance.now() - startedAt
  await pool.close()
  return { latenciesMs, tookMs }
}

async function send(pool: Pool, { path, headers }: Target): Promise<void> {
  const answer = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${text}`)
}

function compare(bare: readonly Round[], modelport: readonly Round[]): Measurement[] {
  const of = (results: readonly Round[], read: (round: Round) => number) =>
    median(results.map(read))
  const p50 = (round: Round) => round.p50Ms
  const p99 = (round: Round) => round.p99Ms
  const rate = (round: Round) => round.requestsPerSecond
  const added = of(modelport, p50) - of(bare, p50)
  const share = (of(modelport, rate) / of(bare, rate)) * 100
  return [
    { what: 'bare pass-through p50', unit: 'ms', measured: of(bare, p50), target: null },
    { what: 'modelport p50', unit: 'ms', measured: of(modelport, p50), target: null },
    { what: 'added p50', unit: 'ms', measured: added, target: { atMost: addedP50LimitMs } },
    { what: 'added p99', unit: 'ms', measured: of(modelport, p99) - of(bare, p99), target: null },
    {
      what: `throughput at ${throughputConnections} connections, share of bare`,
      unit: '%',
      measured: share,
      target: null,
    },
  ]
}

function printRound(round: number, { name }: Target, result: Round): void {
  const { p50Ms, p99Ms, requestsPerSecond } = result
  process.stdout.write(
    `round ${round}  ${name.padEnd(9)}  p50 ${p50Ms.toFixed(3)} ms  p99 ${p99Ms.toFixed(3)} ms  ${requestsPerSecond.toFixed(0)} requests/s\n`,
  )
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}
