/** Sets up a service from an empty folder and sends a request with commands only, as on a server without a window. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { Agent, fetch, type Response } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newModelport, vaultKey as env } from '../../../test/command-line/modelport.ts'
import { startFakeProvider, type FakeModelScript } from '../../../test/fake-provider.ts'

// Processes take their time on a busy computer.
vi.setConfig({ testTimeout: 90_000 })

type Modelport = ReturnType<typeof newModelport>

/** The provider `mine`, which is the fake provider, with its models as `mine:<name>`. */
async function addFakeProvider(
  { json }: Modelport,
  models: Readonly<Record<string, FakeModelScript>>,
) {
  const fake = await startFakeProvider({ tls: false, models })
  onTestFinished(() => fake.close())
  await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
  return fake
}

const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']

/** A router of one model, with a key. */
async function addRouter({ json }: Modelport, model: string) {
  await json('model', 'add', model, ...figures)
  const named = ['--name', 'Mine', '--strategy', 'priority', '--models', model]
  const [router] = await json('router', 'create', ...named)
  const routerId = String(router?.['id'])
  const [key] = await json('key', 'create', '--name', 'Server', '--routers', routerId)
  return { routerId, keyId: String(key?.['id']), apiKey: String(key?.['key']) }
}

interface ChatCall {
  url: string
  caFile: string
  routerId: string
  apiKey: string
  body?: object
}

async function ask({ url, caFile, routerId, apiKey, body = {} }: ChatCall): Promise<Response> {
  const dispatcher = new Agent({ connect: { ca: readFileSync(caFile, 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  return await fetch(`${url}/api/router/${routerId}/v1/chat/completions`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })
}

test('a configuration made by commands answers requests, and commands show their cost', async () => {
  const modelport = newModelport()
  const { json, serve } = modelport
  await addFakeProvider(modelport, { fast: { text: 'Good day.' } })
  const { routerId, keyId, apiKey } = await addRouter(modelport, 'mine:fast')
  const service = await serve()

  const answer = await ask({ ...service, routerId, apiKey })

  expect(await answer.json()).toMatchObject({
    model: 'mine:fast',
    choices: [{ message: { content: 'Good day.' } }],
  })
  // 12 tokens in at one dollar per million, 8 out at two.
  // A row waits a few milliseconds for others before it is written.
  await expect
    .poll(() => json('requests', '--router', routerId))
    .toMatchObject([{ id: answer.headers.get('x-request-id'), costNanoUsd: 28_000 }])
  const [byKey] = await json('usage', '--router', routerId, '--group', 'key')
  expect(byKey).toMatchObject({ group: keyId, requests: 1, costUsd: 0.000028 })
  expect(await json('usage', '--router', 'router_0000000000000000')).toEqual([])
})

test('a model that a provider lists is available after a test and after a refresh', async () => {
  const modelport = newModelport()
  const { run, json } = modelport
  const fake = await addFakeProvider(modelport, { first: {} })

  const tested = await run(['provider', 'test', 'mine'])
  fake.setModel('second', {})
  await json('model', 'refresh', 'mine')

  expect(tested.code).toBe(0)
  const listed = await json('model', 'list', '--provider', 'mine')
  expect(listed.map(({ id }) => id)).toEqual(['mine:first', 'mine:second'])
})

test('serve answers plain HTTP and extra host names with its options', async () => {
  const { start, dataDir } = newModelport()
  const options = ['--port', '0', '--http-port', '0', '--host', 'modelport.test']
  const { child } = start(['serve', ...options, '--data-dir', dataDir])
  const line = await new Promise<string>((resolve) => {
    child.stdout.once('data', (text: string) => resolve(text))
  })
  const { url, httpUrl, caFile } = JSON.parse(line)

  const plain = await fetch(`${httpUrl}/healthz`)
  const { port } = new URL(url)
  const named = get({
    host: '127.0.0.1',
    port,
    path: '/healthz',
    servername: 'modelport.test',
    ca: readFileSync(caFile),
    headers: { host: `modelport.test:${port}` },
  })
  const [byName] = await once(named, 'response')

  expect([plain.status, byName.statusCode]).toEqual([204, 204])
})

test('an answer in progress when serve stops is completed', async () => {
  const modelport = newModelport()
  await addFakeProvider(modelport, { slow: { text: 'one two three', chunkDelayMs: 200 } })
  const { routerId, apiKey } = await addRouter(modelport, 'mine:slow')
  const service = await modelport.serve()

  const answer = await ask({ ...service, routerId, apiKey, body: { stream: true } })
  service.child.kill('SIGTERM')

  expect(await answer.text()).toMatch(/"finish_reason":"stop".*data: \[DONE\]\n\n$/s)
  expect(await service.exited).toMatchObject({ code: 0 })
})

test('a stream ends in the middle after another command revokes its key', async () => {
  const modelport = newModelport()
  const endless = { text: 'word '.repeat(2_000), chunks: 2_000, chunkDelayMs: 20 }
  await addFakeProvider(modelport, { endless })
  const { routerId, keyId, apiKey } = await addRouter(modelport, 'mine:endless')
  const service = await modelport.serve()

  const answer = await ask({ ...service, routerId, apiKey, body: { stream: true } })
  await modelport.json('key', 'revoke', keyId)

  expect(await answer.text()).toMatch(/"code":"invalid_api_key".*data: \[DONE\]\n\n$/s)
})

async function setProviderKey({ run }: Modelport, key: string): Promise<void> {
  const command = ['provider', 'set-key', 'mine', '--key-stdin']
  expect(await run(command, { stdin: key, env })).toMatchObject({ code: 0 })
}

test('a provider key that another command replaces is used by the running service', async () => {
  const modelport = newModelport()
  const fake = await addFakeProvider(modelport, { fast: {} })
  await setProviderKey(modelport, 'sk-leaked')
  const { routerId, apiKey } = await addRouter(modelport, 'mine:fast')
  const service = await modelport.serve({ env })
  const keyUpstream = async () => {
    await ask({ ...service, routerId, apiKey })
    return fake.requests.at(-1)?.headers.authorization
  }
  expect(await keyUpstream()).toBe('Bearer sk-leaked')

  await setProviderKey(modelport, 'sk-fresh')

  await expect.poll(() => keyUpstream()).toBe('Bearer sk-fresh')
})

test('a provider that rejected its key answers once another command stored a good one', async () => {
  const modelport = newModelport()
  const fake = await addFakeProvider(modelport, { fast: {} })
  fake.setApiKey('sk-good')
  await setProviderKey(modelport, 'sk-bad')
  const { routerId, apiKey } = await addRouter(modelport, 'mine:fast')
  const service = await modelport.serve({ env })
  const status = async () => (await ask({ ...service, routerId, apiKey })).status
  expect(await status()).toBe(503)

  await setProviderKey(modelport, 'sk-good')

  await expect.poll(() => status()).toBe(200)
})

test('a rotated key works until its grace period ends, its successor at once', async () => {
  const modelport = newModelport()
  const { json, serve } = modelport
  await addFakeProvider(modelport, { fast: {} })
  const { routerId, keyId, apiKey } = await addRouter(modelport, 'mine:fast')
  const [withGrace] = await json('key', 'rotate', keyId, '--grace', '24h')
  const successorId = String(withGrace?.['id'])
  const successorKey = String(withGrace?.['key'])
  const [without] = await json('key', 'rotate', successorId, '--grace', '0')
  const service = await serve()

  const keys = [apiKey, successorKey, String(without?.['key'])]
  const answers = await Promise.all(keys.map((one) => ask({ ...service, routerId, apiKey: one })))

  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200])
})

test('a key has the rights it was created with', async () => {
  const { json } = newModelport()
  const rights = ['--accept-any-model', '--metrics', '--expires', '2097-01-31', '--env', 'prod']
  await json('key', 'create', '--name', 'A', '--routers', 'all', ...rights)

  expect(await json('key', 'list')).toEqual([
    expect.objectContaining({
      name: 'A',
      acceptAnyModel: true,
      metrics: true,
      expiresAtMs: Date.UTC(2097, 0, 31),
      environment: 'prod',
    }),
  ])
})

test('router list shows each router with its limit', async () => {
  const { json } = newModelport()
  const named = ['--name', 'Mine', '--strategy', 'cost_optimized']
  const models = ['--models', 'local:smollm2-135m-instruct']
  await json('router', 'create', ...named, ...models, '--tier', 'enterprise', '--daily-limit', '5')

  expect(await json('router', 'list')).toContainEqual(
    expect.objectContaining({ name: 'Mine', strategy: 'cost_optimized', dailyLimit: 5 }),
  )
})

test.each([
  ['provider list', ['provider', 'list']],
  ['model list', ['model', 'list']],
  ['router list', ['router', 'list']],
  ['key list', ['key', 'list']],
  ['settings get', ['settings', 'get']],
  ['doctor', ['doctor']],
])('%s --json prints a JSON object per line and nothing else', async (_name, command) => {
  const { run } = newModelport()
  await run(['key', 'create', '--name', 'A', '--routers', 'all'])

  const { stdout } = await run([...command, '--json'])

  expect(stdout).toMatch(/^\{.+\}\n/)
  const values: unknown[] = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  expect(values.filter((value) => typeof value !== 'object' || value === null)).toEqual([])
})
