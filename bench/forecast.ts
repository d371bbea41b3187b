/**
 * The routing line against what then happens: `npm run bench forecast`. Recorded prompts are previewed and sent through a chat,
 * each in a conversation of its own, and answered with the lengths of the recorded answers.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService, type Service } from '../src/service/service.ts'
import { startFakeProvider, type FakeModelScript } from '../test/fake-provider.ts'
import { mean } from '../training/reader/mean.ts'
import type { Measurement } from './measurement.ts'
import { quantile } from './quantile.ts'
import { poolOf, type Pool, type PoolRow } from './routing/pool.ts'
import { readFiles } from './routing/read-files.ts'
import { row } from './row.ts'

const sends = 2_000
/** The first of them: what the router learns of lengths then is too little. */
const warmUps = 100

interface Sent {
  isSameModel: boolean
  isWithinP90: boolean
  tookMs: number
}

/** Takes the same arguments as `bench routing`. @throws Error without data that report the lengths of answers */
export async function run(): Promise<Measurement[]> {
  const pools = readFiles(process.argv.slice(3), process.env).flatMap((file) => {
    const pool = file.kind === 'models' ? poolOf(file) : null
    return pool && hasLengths(pool) ? [pool] : []
  })
  if (pools.length === 0) throw new Error('No data report the lengths of answers.')
  const rows: Measurement[] = []
  for (const pool of pools) rows.push(...(await measure(pool)))
  return rows
}

/** Without lengths, each answer of a pool has the same one. */
function hasLengths({ rows }: Pool): boolean {
  return new Set(rows.flatMap(({ outputTokens }) => outputTokens)).size > 10
}

async function measure(pool: Pool): Promise<Measurement[]> {
  const chosen = spread(pool.rows, sends)
  const byPrompt = new Map(chosen.map((one) => [one.prompt, one]))
  const scripts = pool.models.map(
    ({ name }, index) => [name, answers(byPrompt, index)] satisfies [string, FakeModelScript],
  )
  const fake = await startFakeProvider({ tls: false, models: Object.fromEntries(scripts) })
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const options = { dataDir, cacheDir: join(dataDir, 'cache'), env: {}, port: 0 }
  const service = await startService({ ...options, allowSessionSecrets: true, holder: 'serve' })
  try {
    const routerId = await addRouter(service, pool, fake.url)
    const sent: Sent[] = []
    for (const { prompt } of chosen) {
      sent.push(await send(service, routerId, prompt))
      fake.forgetRequests()
    }
    return toRows(pool.name, sent.slice(warmUps))
  } finally {
    await service.close()
    await fake.close()
    await rm(dataDir, { recursive: true, maxRetries: 5 })
  }
}

/** Rows from all parts of a file, which is in the order of its subjects. */
function spread(rows: readonly PoolRow[], count: number): PoolRow[] {
  const unique = [...new Map(rows.map((one) => [one.prompt, one])).values()]
  // The golden ratio visits all parts evenly.
  const places = unique.map((one, index) => ({ one, at: (index * 0.618_034) % 1 }))
  const mixed = places.toSorted((a, b) => a.at - b.at).map(({ one }) => one)
  return mixed.slice(0, count)
}

function answers(byPrompt: ReadonlyMap<string, PoolRow>, index: number): FakeModelScript {
  return ({ body }) => {
    const messages = body?.['messages']
    const last: unknown = Array.isArray(messages) ? messages.at(-1) : null
    // Checked boundary: the bench sends one message of text.
    const known = byPrompt.get((last as { content: string }).content)
    const [prompt, completion] = [known?.promptTokens ?? 0, known?.outputTokens[index] ?? 0]
    return {
      text: 'Recorded.',
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
      },
    }
  }
}

async function addRouter(service: Service, pool: Pool, baseUrl: string): Promise<string> {
  const { dashboard } = service
  const provider = { id: 'fake', type: 'openai-compatible', baseUrl, apiKey: 'sk-not-a-real-key' }
  await dashboard.addProvider(provider)
  for (const [index, { name, price }] of pool.models.entries()) {
    const quality = mean(pool.rows.map(({ scores }) => scores[index] ?? 0))
    const { inputUsdPerMtok, outputUsdPerMtok } = price
    const id = `fake:${name}`
    await dashboard.saveModel({ id, inputUsdPerMtok, outputUsdPerMtok, quality, capabilities: [] })
  }
  const models = pool.models.map(({ name }) => `fake:${name}`)
  const router = { name: 'Bench', strategy: 'cost_optimized' as const, models }
  return (await dashboard.createRouter(router)).id
}

async function send({ conversations }: Service, routerId: string, text: string): Promise<Sent> {
  const message = { conversationId: null, routerId, text }
  const startedAt = performance.now()
  const { model, expected } = await conversations.preview(message)
  const tookMs = performance.now() - startedAt
  const { meta } = (await (await conversations.send(message)).finished).answer
  if (!meta) throw new Error(`no answer to: ${text.slice(0, 80)}`)
  return {
    isSameModel: meta.modelUsed === model,
    isWithinP90: meta.costUsd <= expected.costP90Usd,
    tookMs,
  }
}

function toRows(name: string, sent: readonly Sent[]): Measurement[] {
  const share = (of: readonly Sent[], is: (one: Sent) => boolean) =>
    100 * mean(of.map((one) => Number(is(one))))
  const same = sent.filter(({ isSameModel }) => isSameModel)
  const times = sent.map(({ tookMs }) => tookMs)
  return [
    row(
      `${name}: sends whose model is that of the line`,
      [share(sent, (one) => one.isSameModel), '%'],
      {
        target: { atLeast: 95 },
      },
    ),
    row(
      `${name}: of them, cost within the line's p90`,
      [share(same, (one) => one.isWithinP90), '%'],
      {
        target: { atLeast: 85 },
      },
    ),
    row(`${name}: time of a line, p99`, [quantile(times, 0.99), 'ms'], { target: { atMost: 150 } }),
  ]
}
