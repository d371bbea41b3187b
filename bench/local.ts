/**
 * The built-in model behind the real service: the time to the first token of a 200-token prompt over HTTPS and the
 * speed of the rest, while another client requests `/healthz` all the time.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch, type Dispatcher } from 'undici'
import { findCacheDir } from '../scripts/setup/paths.mjs'
import { startService } from '../src/service/service.ts'
import type { ChatCompletionChunk } from '../src/shared/chat/chat.ts'
import { median, quantile } from './quantile.ts'
import type { Measurement } from './measurement.ts'

const answers = 7
const answerTokens = 100
/** The pause between two `/healthz` requests, about the rate of a monitor, a dashboard and a few tools together. */
const healthPauseMs = 10

interface Client {
  dispatcher: Dispatcher
  origin: string
  chatUrl: string
  apiKey: string
}

interface Answer {
  promptTokens: number
  firstTokenMs: number
  tokensPerSecond: number
}

/** @throws Error when the model cannot answer, for example without its weights */
export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const service = await startService({
    dataDir,
    cacheDir: findCacheDir(process.env),
    allowSessionSecrets: true,
    env: {},
    holder: 'serve',
    port: 0,
  })
  try {
    const client = await connect(service)
    await ask(client, 0)
    const idleMs = await askHealthWhile(client, pause(2000))
    const measured: Answer[] = []
    const busyMs = await askHealthWhile(client, askAll(client, measured))
    await client.dispatcher.close()
    return toMeasurements(measured, idleMs, busyMs)
  } finally {
    await service.close()
    await rm(dataDir, { recursive: true })
  }
}

async function connect(service: Awaited<ReturnType<typeof startService>>): Promise<Client> {
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('the endpoint does not listen')
  const [router] = await service.dashboard.routers()
  const { key } = await service.dashboard.createApiKey({ name: 'bench', routers: 'all' })
  return {
    dispatcher: new Agent({ connect: { ca: await readFile(endpoint.caFile, 'utf8') } }),
    origin: endpoint.url,
    chatUrl: `${endpoint.url}/api/router/${router?.id}/v1/chat/completions`,
    apiKey: key,
  }
}

async function askAll(client: Client, measured: Answer[]): Promise<void> {
  for (let number = 1; number <= answers; number++) measured.push(await ask(client, number))
}

/** One streamed answer. `number` makes the prompt differ from its first token on. */
async function ask(client: Client, number: number): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(client.chatUrl, {
    method: 'POST',
    dispatcher: client.dispatcher,
    headers: { authorization: `Bearer ${client.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: answerTokens,
      messages: [
        { role: 'system', content: `Answer number ${number * 37}. You write long stories.` },
        { role: 'user', content: `${sentence.repeat(14)}Write a long story about all of it.` },
      ],
    }),
  })
  if (!response.ok || response.body === null) throw new Error(await response.text())
  let firstAt = 0
  let last: ChatCompletionChunk | null = null
  for await (const chunk of readChunks(response.body)) {
    if (chunk.choices[0]?.delta.content) firstAt ||= performance.now()
    last = chunk
  }
  if (!last?.usage) throw new Error('the answer ended without its usage')
  const { prompt_tokens, completion_tokens } = last.usage
  return {
    promptTokens: prompt_tokens,
    firstTokenMs: firstAt - startedAt,
    tokensPerSecond: (completion_tokens - 1) / ((performance.now() - firstAt) / 1000),
  }
}

const sentence = 'A dog sat on the mat and looked at the birds. '

async function* readChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatCompletionChunk> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      // Checked boundary: chunks of our own service. An error event fails because it has no choices.
      if (event.startsWith('data: {')) yield JSON.parse(event.slice(6)) as ChatCompletionChunk
    }
  }
}

/** The time of each `/healthz` request, in ms, until `work` is done. */
async function askHealthWhile(client: Client, work: Promise<void>): Promise<number[]> {
  const tookMs: number[] = []
  const over = new AbortController()
  const done = work.finally(() => over.abort())
  while (!over.signal.aborted) {
    const startedAt = performance.now()
    const response = await fetch(`${client.origin}/healthz`, { dispatcher: client.dispatcher })
    await response.text()
    if (response.status !== 204) throw new Error(`/healthz answered ${response.status}`)
    tookMs.push(performance.now() - startedAt)
    await pause(healthPauseMs)
  }
  await done
  return tookMs
}

function toMeasurements(
  measured: readonly Answer[],
  idleMs: readonly number[],
  busyMs: readonly number[],
): Measurement[] {
  const medianOf = (field: keyof Answer) => median(measured.map((answer) => answer[field]))
  const worst = Math.max(...measured.map(({ firstTokenMs }) => firstTokenMs))
  return [
    {
      what: 'prompt',
      unit: 'tokens',
      measured: medianOf('promptTokens'),
      target: { atLeast: 200 },
    },
    {
      what: 'first token, median',
      unit: 'ms',
      measured: medianOf('firstTokenMs'),
      target: { atMost: 1200 },
    },
    { what: 'first token, slowest', unit: 'ms', measured: worst, target: null },
    {
      what: 'answer, median',
      unit: 'tokens/s',
      measured: medianOf('tokensPerSecond'),
      target: { atLeast: 35 },
    },
    {
      what: '/healthz p99, model idle',
      unit: 'ms',
      measured: quantile(idleMs, 0.99),
      target: null,
    },
    {
      what: '/healthz p99, model busy',
      unit: 'ms',
      measured: quantile(busyMs, 0.99),
      target: { atMost: 50 },
    },
    { what: '/healthz requests', unit: '', measured: busyMs.length, target: { atLeast: 100 } },
  ]
}
