/** A node and LiteLLM's proxy on the same PostgreSQL and Valkey, with the same share of the processor. */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test, type TestContext } from 'vitest'
import { loadWith, type Target } from '../bench/load.ts'
import type { Measurement } from '../bench/measurement.ts'
import { median } from '../bench/quantile.ts'
import { row } from '../bench/row.ts'
import { startFakeProvider, type FakeModel, type FakeProvider } from '../test/fake-provider.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { startCluster, type Cluster } from './bed.ts'
import { installLiteLlm, liteLlmVersion } from './litellm/packages.ts'
import { startLiteLlm } from './litellm/start.ts'
import { newProcessorGroup, type ProcessorGroup } from './processor-group.ts'
import { createRouter } from './router.ts'
import { measureThroughput } from './throughput.ts'

/** Share of one core. */
const share = 0.5
const connections = 16
const warmUpMs = amount({ quick: 2_000, full: 8_000 })
const loadMs = amount({ quick: 3_000, full: 20_000 })
/** A node closes a connection after 10,000 requests. */
const singleMs = amount({ quick: 1_000, full: 1_500 })
/** LiteLLM writes its ledger several seconds after the answers. */
const ledgerLimitMs = 90_000
const leastTimes = 20
const model = 'fast'
const text = 'Hello from the fake provider.'
/** Too large to be reached; LiteLLM's key has a budget, too. */
const limits = ['--daily-limit', '10000000', '--budget-usd-per-day', '1000000']

interface Gateway {
  name: string
  target: Target
  /** Processor group of its own process. */
  group: ProcessorGroup
  /** The requests in its ledger. */
  countRows(): Promise<number>
}

interface Shared {
  fake: FakeProvider
  engines: readonly ProcessorGroup[]
}

interface Figures {
  name: string
  requestsPerSecond: number
  p50Ms: number
  /** Processor time in µs per answer, by the name of the process. */
  cpuUs: Readonly<Record<string, number>>
  answers: number
  rows: number
}

test(
  'a node answers many times as many requests as LiteLLM on the same engines',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const packages = await installLiteLlm()
    const fake = await startFakeProvider({
      tls: false,
      models: { [model]: (_request, nth) => answerWithId(nth) },
    })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({ providers: { mine: fake.url } })
    const { postgres, valkey } = cluster
    const engines = [postgres, valkey].map((part) => groupOf(part.name, part.pid()))
    const shared = { fake, engines }
    const ours = await measure(await firstNode(cluster), shared)
    for (const node of cluster.nodes) await node.end('SIGTERM')
    const liteLlm = await startLiteLlm({
      packages,
      postgresPort: postgres.port,
      valkeyPort: valkey.port,
      providerUrl: fake.url,
      models: { name: 'auto', atProvider: model },
    })
    const query = await openQuery(liteLlm.url, onTestFinished)
    const group = groupOf('LiteLLM', liteLlm.pid())
    // Prisma's native engine would need less: what stands in for it is neither counted nor limited.
    groupOf('query engine', liteLlm.enginePid())
    const theirs = await measure(
      {
        name: 'LiteLLM',
        target: {
          port: liteLlm.port,
          ca: null,
          pid: liteLlm.pid(),
          path: '/v1/chat/completions',
          headers: { authorization: `Bearer ${liteLlm.apiKey}` },
          marker: text,
        },
        group,
        countRows: () => query('SELECT count(*) AS count FROM "LiteLLM_SpendLogs"'),
      },
      shared,
    )
    expectMeasured(rowsOf(ours, theirs))
    expect(ours.rows).toBe(ours.answers)
  },
)

/** LiteLLM's ledger has one row for each id of an answer. */
function answerWithId(nth: number): FakeModel {
  const body = JSON.stringify({
    id: `chatcmpl-${nth}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 },
  })
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { reply: { status: 200, headers, body } }
}

function groupOf(name: string, pid: number): ProcessorGroup {
  const group = newProcessorGroup(name)
  group.add(pid)
  return group
}

async function firstNode(cluster: Cluster): Promise<Gateway> {
  const [node, ...others] = cluster.nodes
  if (!node) throw new Error('the cluster has no node')
  const router = await createRouter(cluster, [`mine:${model}`], limits)
  for (const other of others) await other.end('SIGTERM')
  return {
    name: 'node',
    target: {
      port: node.port,
      ca: null,
      pid: node.pid(),
      path: `/api/router/${router.id}/chat/completions`,
      headers: { authorization: `Bearer ${router.apiKey}` },
      marker: text,
    },
    group: groupOf('node', node.pid()),
    async countRows() {
      const [counted] = await cluster.query<{ count: string }>(
        'SELECT count(*) AS count FROM requests',
      )
      return Number(counted?.count)
    },
  }
}

async function openQuery(url: string, onTestFinished: TestContext['onTestFinished']) {
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return async (question: string) =>
    Number((await client.query<{ count: string }>(question)).rows[0]?.count)
}

/** The engines' processor time includes what a gateway writes to its ledger after its answers. */
async function measure(gateway: Gateway, { fake, engines }: Shared): Promise<Figures> {
  const { name, target, group, countRows } = gateway
  const answersAtStart = fake.requestCount()
  await loadWith(target, connections, warmUpMs)
  // Without a share, which would make a request wait for its process's next turn.
  const single = await loadWith(target, 1, singleMs)
  const before = await waitForLedger(countRows, fake.requestCount() - answersAtStart)
  group.setShare(share)
  const usedBefore = engines.map((engine) => engine.usedUs())
  const answersBefore = fake.requestCount()
  const { requestsPerSecond, cpuUs } = await measureThroughput({
    targets: [target],
    connections,
    durationMs: loadMs,
    groups: [group],
  })
  const answers = fake.requestCount() - answersBefore
  const after = await waitForLedger(countRows, before + answers)
  const ofEngines = engines.map((engine, index) => [
    engine.name,
    (engine.usedUs() - (usedBefore[index] ?? NaN)) / answers,
  ])
  return {
    name,
    requestsPerSecond,
    p50Ms: median(single.latenciesMs),
    cpuUs: { [name]: cpuUs[name] ?? NaN, ...Object.fromEntries(ofEngines) },
    answers,
    rows: after - before,
  }
}

/** @returns the rows when there are as many as expected, or when the time is up */
async function waitForLedger(count: () => Promise<number>, expected: number): Promise<number> {
  const deadline = performance.now() + ledgerLimitMs
  for (;;) {
    const rows = await count()
    if (rows >= expected || performance.now() > deadline) return rows
    await pause(500)
  }
}

function rowsOf(ours: Figures, theirs: Figures): Measurement[] {
  const times = ours.requestsPerSecond / theirs.requestsPerSecond
  const of = (figures: Figures, what: string) => `${figures.name}, ${what}`
  const gateways = [ours, { ...theirs, name: `LiteLLM ${liteLlmVersion}` }]
  return [
    ...gateways.map((gateway) =>
      row(of(gateway, `requests/s at ${connections} connections and ${share} cores`), [
        gateway.requestsPerSecond,
        '',
      ]),
    ),
    row('node, multiple of LiteLLM', [times, 'x'], { target: { atLeast: leastTimes } }),
    ...gateways.map((gateway) =>
      row(of(gateway, 'p50 at 1 connection without a limit'), [gateway.p50Ms, 'ms']),
    ),
    ...gateways.flatMap((gateway) =>
      Object.entries(gateway.cpuUs).map(([process, us]) =>
        row(of(gateway, `processor time per request: ${process}`), [us, 'µs']),
      ),
    ),
    row('LiteLLM, rows in its ledger per answer', [theirs.rows / theirs.answers, ''], {
      target: { atLeast: 0.5 },
    }),
  ]
}
