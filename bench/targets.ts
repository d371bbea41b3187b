/**
 * The servers between a bench's client and its upstream, each in its own process: a bare Node pass-through, the
 * service as a person runs it, and Portkey's gateway for comparison.
 */
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fetch } from 'undici'
import { makeTestCertificate } from '../test/fake-provider/certificate.ts'
import type { SettingName, Settings } from '../src/shared/app/settings.ts'
import { openWorkspace } from '../src/service/wiring/workspace.ts'
import { installPortkey } from './servers/install-portkey.ts'
import type { Target } from './load.ts'
import { planWords } from './plan.ts'
import { startServe, startServer } from './servers/start.ts'

export interface StartedTarget {
  target: Target
  child: ChildProcess
}

/** @param upstream  its origin */
export async function startBare(upstream: string): Promise<StartedTarget> {
  const { ca, cert, key } = await makeTestCertificate()
  const env = { BENCH_UPSTREAM: upstream, BENCH_CERT: cert, BENCH_KEY: key }
  const { port, child } = await startServer('pass-through.ts', env)
  const pid = child.pid ?? 0
  return { target: { port, pid, ca, path: '/', headers: {}, marker: '"usage":' }, child }
}

export interface ModelportOptions {
  /** Options of Node itself. */
  nodeArgs?: readonly string[]
  /** Settings that differ from the defaults. */
  settings?: Partial<Settings>
  /** The wire between the service and its upstream; as the provider's type. */
  upstreamType?: 'openai-compatible' | 'anthropic'
  /** The callers' form; absent: OpenAI's chat form. */
  form?: 'messages'
}

/** Starts the service on a new data folder, with a router whose only model is the upstream's. */
export async function startModelport(
  dataDir: string,
  upstream: string,
  { nodeArgs = [], form, ...router }: ModelportOptions = {},
): Promise<StartedTarget & { debuggerUrl: string | null }> {
  const { routerId, key } = await prepareRouter(dataDir, upstream, router)
  // Anthropic's type needs a key, and the upstream takes any.
  const env = { MODELPORT_KEY_BENCH: 'bench-key' }
  const { url, caFile, child, debuggerUrl } = await startServe(dataDir, env, nodeArgs)
  const target: Target = {
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    ca: await readFile(caFile, 'utf8'),
    path: `/api/router/${routerId}/v1/${form ?? 'chat/completions'}`,
    headers: { authorization: `Bearer ${key}` },
    marker: '"_meta":{"modelUsed":"bench:bench"',
    ...(form && { form }),
  }
  return { target, child, debuggerUrl }
}

/**
 * Portkey uses plain HTTP, which is an advantage because it saves TLS. @param node  the executable that runs it
 * @throws Error when it cannot be installed, or does not answer a whole and a streamed request
 */
export async function startPortkey(upstream: string, node: string): Promise<StartedTarget> {
  const env = { BENCH_PORTKEY: await installPortkey() }
  const { port, child } = await startServer('portkey.mjs', env, node)
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstream}/v1`,
  }
  const path = '/v1/chat/completions'
  const pid = child.pid ?? 0
  const target: Target = { port, pid, ca: null, path, headers, marker: '"usage":' }
  await checkAnswers(target, { stream: false }, '"finish_reason":"stop"')
  await checkAnswers(target, { stream: true }, 'data: [DONE]')
  return { target, child }
}

async function checkAnswers(target: Target, fields: object, ending: string): Promise<void> {
  const content = planWords({ pieces: 2, everyMs: 1, tag: null })
  const messages = [{ role: 'user', content }]
  const response = await fetch(`http://127.0.0.1:${target.port}${target.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...target.headers },
    body: JSON.stringify({ model: 'bench', messages, ...fields }),
  })
  const text = await response.text()
  if (response.ok && text.includes(ending)) return
  throw new Error(`Portkey answered ${response.status}: ${text.slice(0, 300)}`)
}

async function prepareRouter(
  dataDir: string,
  upstream: string,
  { settings = {}, upstreamType = 'openai-compatible' }: ModelportOptions,
) {
  const workspace = await openOwnWorkspace(dataDir)
  const { dashboard } = workspace
  await dashboard.addProvider({
    id: 'bench',
    type: upstreamType,
    ...(upstreamType === 'anthropic'
      ? { baseUrl: upstream, apiKey: 'bench-key' }
      : { baseUrl: `${upstream}/v1` }),
  })
  await dashboard.saveModel({
    id: 'bench:bench',
    ...benchPrice,
    contextTokens: 100_000,
  })
  const router = await dashboard.createRouter({
    name: 'Bench',
    strategy: 'cost_optimized',
    models: ['bench:bench'],
    tier: 'enterprise',
    dailyLimit: 10_000_000,
  })
  for (const [name, value] of Object.entries(settings)) {
    // Keys of Settings.
    await dashboard.setSetting(name as SettingName, value)
  }
  const { key } = await dashboard.createApiKey({ name: 'Bench', routers: 'all' })
  await workspace.close()
  return { routerId: router.id, key }
}

/** The price of the one model. */
export const benchPrice = { inputUsdPerMtok: 1, outputUsdPerMtok: 2 }

/** The data folder of a stopped service, or the database of a running one. */
export function openOwnWorkspace(dataDir: string) {
  return openWorkspace({ dataDir, cacheDir: dataDir, allowSessionSecrets: true, env: {} })
}
